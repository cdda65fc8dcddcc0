import ObjectStore
import TestSupport
import Testing

/// Columns with the values of related objects, in all kinds of store.
@Suite struct RelatedValuesTests {
    let directory = TemporaryStore()

    final class Shelf: ManagedObject {
        @Attribute var place: Int
        @ToMany(inverse: \Volume.shelf) var volumes: RelatedObjects<Volume>
    }

    final class Volume: ManagedObject {
        @Attribute var name: String
        @Attribute var remark: String?
        @Attribute var year: Int16?
        @Attribute var weight: Double = 0
        @ToOne var shelf: Shelf?
        @ToMany(inverse: \Subject.volumes) var subjects: RelatedObjects<Subject>
    }

    class Subject: ManagedObject {
        @Attribute var name: String = ""
        @Attribute var isMain: Bool = false
        @ToMany var volumes: RelatedObjects<Volume>
    }

    final class Region: Subject {
        @Attribute var code: String?
    }

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(Shelf.self), EntityDescription(Volume.self), EntityDescription(Subject.self),
            EntityDescription(Region.self),
        ])
    }

    /// Texts that JSON escapes, in the order of their bytes.
    private static let names = ["\t\u{1}\u{1F}\u{7F}", "\"quoted\" \\ /", "B", "a", "e\u{301}", "🗒️"]

    private func context(_ kind: TestedStore) throws -> ManagedObjectContext {
        let context = try kind.context(in: directory, Self.model())
        let shelf = try context.insert(Shelf.self)
        let empty = try context.insert(Volume.self)
        let volume = try context.insert(Volume.self)
        (empty.name, volume.name, shelf.place) = ("empty", "full", 7)
        volume.shelf = shelf
        (volume.remark, volume.year) = ("x", 1813)
        for name in Self.names.reversed() {
            let subject = try name == "B" ? context.insert(Region.self) : context.insert(Subject.self)
            subject.name = name
            volume.subjects.insert(subject)
        }
        let region = try context.insert(Region.self)
        (region.name, region.code) = ("a", "DE")
        volume.subjects.insert(region)
        let other = try context.insert(Volume.self)
        (other.name, other.shelf, other.year) = ("other", shelf, 1797)
        return context
    }

    @Test(arguments: TestedStore.allCases) func rowsHaveValuesOfRelatedObjects(_ kind: TestedStore) throws {
        let context = try context(kind)
        let names = ["\t\u{1}\u{1F}\u{7F}", "\"quoted\" \\ /", "B", "a", "a", "\u{e9}", "🗒️"]
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let volumes = Volume.all.ordered(by: \.name)
            let rows = try context.rows(volumes, of: .key(\.name), .values(\.subjects, \.name))
            #expect(rows.map(\.0) == ["empty", "full", "other"])
            #expect(rows.map(\.1) == [[], names, []])
            let plain = try context.rows(
                volumes,
                of: [
                    .values("shelf.volumes.name"), .values("shelf.volumes.year"),
                    .values("shelf.volumes.remark"),
                ])
            let texts = plain.map { row in row.values.map { String(attributeValue: $0) } }
            #expect(
                texts == [
                    ["[]", "[]", "[]"], [#"["full","other"]"#, "[1797,1813]", #"["x"]"#],
                    [#"["full","other"]"#, "[1797,1813]", #"["x"]"#],
                ])
        }
    }

    @Test(arguments: TestedStore.allCases) func rowsHaveFlagsAndIDsOfRelatedObjects(_ kind: TestedStore)
        throws
    {
        let context = try kind.context(in: directory, Self.model())
        let volume = try context.insert(Volume.self)
        volume.name = "full"
        let subjects = try (0..<3).map { _ in try context.insert(Subject.self) }
        subjects[1].isMain = true
        volume.subjects.insert(contentsOf: subjects)
        try context.save()
        let row = try context.rows(Volume.all, of: [.values("subjects.isMain"), .values("subjects.id")])[0]
        let ids = subjects.map { String($0.id) }.joined(separator: ",")
        #expect(row[0] == .string("[false,false,true]") && row[1] == .string("[\(ids)]"))
    }

    @Test(arguments: TestedStore.allCases)
    func valuesMayHaveNULCharacters(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        let volume = try context.insert(Volume.self)
        let shelf = try context.insert(Shelf.self)
        (volume.name, volume.shelf, shelf.place) = ("a\0b\0", shelf, 1)
        for name in ["a", "\0", "a\0b", "\u{1}"] {
            let subject = try context.insert(Subject.self)
            subject.name = name
            volume.subjects.insert(subject)
        }
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let rows = try context.rows(Volume.all, of: .key(\.name), .values(\.subjects, \.name))
            #expect(rows.map(\.1) == [["\0", "\u{1}", "a", "a\0b"]])
            let plain = try context.rows(
                Volume.all, of: [.values("subjects.name"), .values("shelf.volumes.name")])
            #expect(plain[0][0] == .string(#"["\u0000","\u0001","a","a\u0000b"]"#))
            #expect(plain[0][1] == .string(#"["a\u0000b\u0000"]"#))
            #expect(try context.fetch(Volume.all).map(\.name) == ["a\0b\0"])
        }
    }

    @Test func mistakesInColumnsOfValuesAreErrors() throws {
        let context = try context(.sqliteInMemory)
        let mistakes: [(key: String, problem: String)] = [
            ("name", "to-many relationship"), ("subjects", "an attribute of Subject"),
            ("subjects.title", "title is none"), ("shelf.volumes.weight", "text, integers or booleans"),
            ("subjects.volumes", "volumes is none"), ("subjects.volumes.name", "volumes.name is none"),
            ("shelf.place", "to-many relationship"), ("shelf", "to-many relationship"),
        ]
        for (key, problem) in mistakes {
            let error = #expect(throws: FetchError.self) {
                try context.rows(Volume.all, of: [.values(key)])
            }
            #expect(error.map { "\($0)".contains(problem) } == true, "\(key): \(String(describing: error))")
        }
        #expect(throws: FetchError.self) {
            try context.rows(Volume.all, of: ["name", .values("subjects.name")], groupedBy: ["name"])
        }
    }
}
