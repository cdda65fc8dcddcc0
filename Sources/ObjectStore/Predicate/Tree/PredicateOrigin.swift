extension FetchPredicate {
    /// Where a piece of a predicate comes from: it places errors, and decides what SQL binds.
    ///
    /// Any two origins are equal, so that predicates which mean the same are.
    package struct Origin: Hashable, Sendable {
        /// How many bytes of the format's UTF-8 stand before the piece; nil when it was built in Swift.
        package var offset: Int?
        /// Whether the value stands in the format's own text.
        package var isLiteral: Bool
        /// The number of the value among the arguments, while the predicate is translated for many of them.
        var argument: Int?
        /// The entity of the object whose id the value is; nil for any other value.
        package var entity: String?
        /// The variable in whose place the value was put, while a prepared fetch is translated.
        var variable: String?

        /// Built in Swift, or given in a variable.
        package static let swift = Origin(offset: nil, isLiteral: false)

        package static func literal(at offset: Int) -> Origin {
            Origin(offset: offset, isLiteral: true)
        }

        /// Put in the place of a `%@` or its like.
        package static func argument(at offset: Int) -> Origin {
            Origin(offset: offset, isLiteral: false)
        }

        /// The origin of a value that is put in the place of a variable.
        func bound(at offset: Int?) -> Origin {
            var bound = Origin(offset: offset, isLiteral: false)
            bound.variable = variable
            bound.entity = entity
            return bound
        }

        package static func == (left: Origin, right: Origin) -> Bool { true }

        package func hash(into hasher: inout Hasher) {}
    }
}
