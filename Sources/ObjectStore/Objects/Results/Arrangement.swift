/// A section of live results: consecutive objects with the same title.
public struct FetchedResultsSection: Hashable, Sendable {
    /// The title. Each section of the results has another one.
    public let name: String
    /// The indices of its objects in ``FetchedResultsController/objects``.
    public let range: Range<Int>
}

/// The place of an object in live results.
public struct FetchedResultsPlace: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The position of the section.
    public let section: Int
    /// The index in the section.
    public let index: Int

    /// Creates a place.
    public init(section: Int, index: Int) {
        self.section = section
        self.index = index
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.section, left.index) < (right.section, right.index)
    }

    /// `[2, 0]`: the first object of the third section.
    public var description: String { "[\(section), \(index)]" }
}

/// The source of the section titles.
enum Sectioning<Object: ManagedObject> {
    case none
    case key(String, (AttributeValue) throws -> String)
    case object((Object) throws -> String)

    var path: String? {
        if case .key(let path, _) = self { path } else { nil }
    }

    /// Whether the titles may depend on any object.
    var isComputed: Bool {
        if case .object = self { true } else { false }
    }
}

/// The objects of live results in their sections, and copies of their values.
// Not generic: the code of a generic type is not specialized for the classes of a program.
struct Arrangement {
    private(set) var objects: [ManagedObject] = []
    private(set) var sections: [FetchedResultsSection] = []
    private(set) var indices: [ObjectIdentifier: Int] = [:]
    /// The values of each object when it was last reported.
    private(set) var values: [RowValues] = []

    init() {}

    /// - Parameters:
    ///   - fetched: The objects in the order of the request.
    ///   - titles: The title of the section of each object, or `nil` for one section.
    ///   - former: An arrangement whose copies of values are used if they are still right.
    init(_ fetched: [ManagedObject], titles: [String]?, reusing former: Arrangement) {
        if let titles {
            var members: [String: Int] = [:]
            var groups: [(name: String, objects: [ManagedObject])] = []
            for (object, title) in zip(fetched, titles) {
                if groups.last?.name == title {
                    groups[groups.count - 1].objects.append(object)
                } else if let group = members[title] {
                    groups[group].objects.append(object)
                } else {
                    members[title] = groups.count
                    groups.append((title, [object]))
                }
            }
            for group in groups {
                let start = objects.count
                objects += group.objects
                sections.append(.init(name: group.name, range: start..<objects.count))
            }
        } else {
            objects = fetched
            sections = [.init(name: "", range: 0..<fetched.count)]
        }
        indices.reserveCapacity(objects.count)
        values.reserveCapacity(objects.count)
        for (index, object) in objects.enumerated() {
            indices[ObjectIdentifier(object)] = index
            let known = former.indices[ObjectIdentifier(object)].map { former.values[$0] }
            if let known, known.hasSameValues(as: object.values) {
                values.append(known)
            } else {
                values.append(object.values.copy())
            }
        }
    }

    func place(at index: Int) -> FetchedResultsPlace {
        var (low, high) = (0, sections.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if sections[middle].range.lowerBound <= index { low = middle } else { high = middle }
        }
        return .init(section: low, index: index - sections[low].range.lowerBound)
    }
}

extension RowValues {
    fileprivate func hasSameValues(as other: RowValues) -> Bool {
        count == other.count && (0..<count).allSatisfy { self[$0] == other[$0] }
    }
}
