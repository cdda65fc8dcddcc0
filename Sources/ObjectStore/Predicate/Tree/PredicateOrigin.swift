extension FetchPredicate {
    /// The origin of an expression. It contains the offset for errors and decides whether SQL binds the value.
    ///
    /// All origins are equal, so that two predicates with the same meaning are equal.
    package struct Origin: Hashable, Sendable {
        /// The offset of the expression in the format, in bytes of UTF-8, or `nil` if it was built in Swift.
        package var offset: Int?
        /// Whether the value is a literal in the format.
        package var isLiteral: Bool
        /// The position of the value in the list of arguments while a reusable translation is made, or `nil`.
        var argument: Int?
        /// The entity of the object if the value is the ID of an object, or `nil`.
        package var entity: String?
        /// The store of that object, as in its object ID.
        package var store: UUIDValue?
        /// The name of the variable that the value replaces while a prepared fetch is translated, or `nil`.
        var variable: String?

        /// The origin of a value that was built in Swift or replaces a variable.
        package static let swift = Origin(offset: nil, isLiteral: false)

        package static func literal(at offset: Int) -> Origin {
            Origin(offset: offset, isLiteral: true)
        }

        /// The origin of a value that replaces `%@` or a similar placeholder.
        package static func argument(at offset: Int) -> Origin {
            Origin(offset: offset, isLiteral: false)
        }

        /// Returns the origin of a value that replaces a variable at this offset.
        func bound(at offset: Int?) -> Origin {
            var bound = Origin(offset: offset, isLiteral: false)
            bound.variable = variable
            bound.entity = entity
            bound.store = store
            return bound
        }

        package static func == (left: Origin, right: Origin) -> Bool { true }

        package func hash(into hasher: inout Hasher) {}
    }
}
