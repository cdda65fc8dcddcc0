extension FetchPredicate {
    /// A list of keys to follow from an object: `category.name`.
    public struct Path: Hashable, Sendable {
        /// The start of a path.
        public indirect enum Root: Hashable, Sendable {
            /// The object that the predicate tests.
            case object
            /// `$name`: the element of the enclosing subquery with this variable, or a value that is bound later.
            case variable(String)
            /// The elements of a collection that satisfy a condition.
            case subquery(Subquery)
        }

        /// The start of the path.
        public var root: Root
        /// The keys. A path without keys is its root: `SELF`, `$name`, `SUBQUERY(…)`.
        ///
        /// After the key of an ordered relationship, `[0]`, `[FIRST]` or `[LAST]` is the key of one of its objects.
        public var keys: [String]
        package var origin: Origin

        /// Creates a path.
        public init(root: Root = .object, keys: [String] = []) {
            self.init(root: root, keys: keys, origin: .swift)
        }

        /// Creates a path from keys with dots between them: `category.name`, `songs[0].title`.
        public init(_ dotted: String) {
            // Most paths have a single key, and searching for a dot is faster than splitting.
            guard dotted.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }) else {
                self.init(keys: [dotted])
                return
            }
            self.init(keys: Self.keys(of: dotted))
        }

        /// Returns the keys of a path with dots between them. A position has no dot before it.
        static func keys(of dotted: String) -> [String] {
            dotted.split(separator: ".", omittingEmptySubsequences: false).flatMap { key -> [String] in
                guard let bracket = key.firstIndex(of: "["), bracket != key.startIndex else {
                    return [String(key)]
                }
                return [String(key[..<bracket]), key[bracket...].uppercased()]
            }
        }

        package init(root: Root, keys: [String], origin: Origin) {
            self.root = root
            self.keys = keys
            self.origin = origin
        }
    }

    /// The elements of a collection that satisfy a condition: `SUBQUERY(toDos, $x, $x.completed == NO)`.
    public struct Subquery: Hashable, Sendable {
        /// The path to the collection.
        public var collection: Path
        /// The name of the element in the condition, without its `$`.
        public var variable: String
        /// The condition for the elements.
        public var condition: Node

        /// Creates a subquery.
        public init(_ collection: Path, variable: String, where condition: Node) {
            self.collection = collection
            self.variable = variable
            self.condition = condition
        }
    }
}
