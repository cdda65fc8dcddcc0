extension FetchPredicate {
    /// Keys to follow, one after the other, from an object: `category.name`.
    public struct Path: Hashable, Sendable {
        /// Where a path starts.
        public indirect enum Root: Hashable, Sendable {
            /// The object that the predicate looks at.
            case object
            /// `$name`: the element of the subquery around it that has this variable, or else a value
            /// that is given later.
            case variable(String)
            case subquery(Subquery)
        }

        public var root: Root
        /// With none of them the path means its root: `SELF`, `$name`, `SUBQUERY(…)`.
        public var keys: [String]
        package var origin: Origin

        public init(root: Root = .object, keys: [String] = []) {
            self.init(root: root, keys: keys, origin: .swift)
        }

        /// The path that is written with dots between its keys.
        public init(_ dotted: String) {
            // Most paths are one key, and finding that out is cheaper than splitting.
            guard dotted.utf8.contains(UInt8(ascii: ".")) else {
                self.init(keys: [dotted])
                return
            }
            self.init(keys: dotted.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
        }

        package init(root: Root, keys: [String], origin: Origin) {
            self.root = root
            self.keys = keys
            self.origin = origin
        }
    }

    /// Those elements of a collection for which a condition holds: `SUBQUERY(toDos, $x, $x.completed == NO)`.
    public struct Subquery: Hashable, Sendable {
        public var collection: Path
        /// The name of the element in the condition, without its `$`.
        public var variable: String
        public var condition: Node

        public init(_ collection: Path, variable: String, where condition: Node) {
            self.collection = collection
            self.variable = variable
            self.condition = condition
        }
    }
}
