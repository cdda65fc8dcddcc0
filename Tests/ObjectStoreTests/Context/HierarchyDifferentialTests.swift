import ObjectStore
import TestSupport
import Testing

/// Objects of a hierarchy with random values: each request returns the objects for which the predicate is true in memory.
@Suite struct HierarchyDifferentialTests {
    private static let conditions = [
        "TRUEPREDICATE", "entity == 'Atlas'", "entity != 'Record'", "entity IN {'Volume', 'Record'}",
        "entity BEGINSWITH 'A'", "pages > 5", "NOT pages > 5", "pages == nil", "minutes < 5 OR scale >= 0.5",
        "scale == nil AND pages != nil", "ANY tracks == 'b'", "tracks.@count > 1", "shelf.name == 'x'",
        "shelf == nil",
        "ANY topics.name == 'y'", "topics.@count == 0", "ANY shelf.media.minutes > 4", "reader.name == 'z'",
        "SUBQUERY(topics, $t, ANY $t.media.entity == 'Atlas').@count > 0", "shelf.media[0].pages > 3",
        "SUBQUERY(shelf.media, $m, $m.entity == 'Record' AND $m.minutes > 2).@count >= 1",
        "shelf.media.@max.pages > 6", "reader.reading.scale > 0.2", "title CONTAINS[search] 'a'",
        "id > 12 AND code != nil",
    ]

    private static func fill(_ context: ManagedObjectContext, _ random: inout SplitMix) throws {
        let shelves = try ["x", "y"].map { name in
            let shelf = try context.insert(MediaShelf.self)
            shelf.name = name
            return shelf
        }
        let topics = try ["x", "y", "z"].map { name in
            let topic = try context.insert(Topic.self)
            topic.name = name
            return topic
        }
        for index in 0..<24 {
            let medium: Medium
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let volume = try context.insert(Volume.self)
                volume.pages = .random(in: 1...9, using: &random)
                medium = volume
            case 1:
                let atlas = try context.insert(Atlas.self)
                (atlas.pages, atlas.scale) = (
                    .random(in: 1...9, using: &random),
                    Bool.random(using: &random) ? .random(in: 0...1, using: &random) : nil
                )
                medium = atlas
            default:
                let record = try context.insert(Record.self)
                record.minutes = .random(in: 1...9, using: &random)
                record.tracks = ["a", "b", "c"].filter { _ in Bool.random(using: &random) }
                medium = record
            }
            medium.title = ["a b", "b", "c a"].randomElement(using: &random)
            medium.code = index % 3 == 0 ? "\(index)" : nil
            if let shelf = (shelves + [nil]).randomElement(using: &random) ?? nil {
                shelf.media.insert(medium)
            }
            for topic in topics where Bool.random(using: &random) { topic.media.insert(medium) }
            if let volume = medium as? Volume, Bool.random(using: &random) {
                let reader = try context.insert(VolumeReader.self)
                reader.name = ["y", "z"].randomElement(using: &random)
                reader.reading = volume
            }
        }
    }

    @Test(arguments: TestedStore.allCases) func requestsAgreeWithMemory(_ kind: TestedStore) throws {
        for seed: UInt64 in 1...4 {
            var random = SplitMix(state: seed)
            let store = TemporaryStore()
            let context = try kind.context(in: store, EntityInheritanceTests.model())
            try Self.fill(context, &random)
            if Bool.random(using: &random) { try context.save() }
            let all = try context.fetch(Medium.all.ordered(by: \.id))
            for format in Self.conditions {
                let condition = try FetchPredicate(format)
                let wanted = try all.filter { try condition.matches($0) }
                let request = FetchRequest<Medium>(matching: condition, orderedBy: [FetchOrder("id")])
                #expect(try context.fetch(request) == wanted, "\(format), seed \(seed)")
                #expect(try context.count(request) == wanted.count)
                if let found = try? context.fetch(
                    FetchRequest<Volume>(matching: condition, orderedBy: [FetchOrder("id")]))
                {
                    #expect(found == wanted.compactMap { $0 as? Volume }, "volumes: \(format), seed \(seed)")
                }
                if let found = try? context.fetch(
                    FetchRequest<Record>(matching: condition, orderedBy: [FetchOrder("id")]))
                {
                    #expect(found == wanted.compactMap { $0 as? Record }, "records: \(format), seed \(seed)")
                }
            }
            try context.save()
            let reader = ManagedObjectContext(coordinator: context.coordinator)
            #expect(try reader.count(Volume.all) == all.count { $0 is Volume })
        }
    }

    // MARK: - Together with other features

    final class Draft: ManagedObject {
        @Attribute var name: String = ""
        @Attribute(derivedFrom: "uppercase(name)") var loudName: String?
        @External var body: [UInt8]?
    }

    class Note: ManagedObject {
        @Attribute var name: String?
        @External(type: .string) var text: String?
    }

    final class Letter: Note {
        @External var seal: [UInt8]?
    }

    @Test(arguments: TestedStore.allCases) func childContextSavesEveryKindOfAttribute(_ kind: TestedStore)
        throws
    {
        let store = TemporaryStore()
        let root = try kind.context(
            in: store,
            ManagedObjectModel(entities: [
                EntityDescription(Draft.self), EntityDescription(Note.self), EntityDescription(Letter.self),
            ]))
        let child = ManagedObjectContext(parent: root)
        let draft = try child.insert(Draft.self)
        (draft.name, draft.body) = ("a", [1])
        let letter = try child.insert(Letter.self)
        (letter.name, letter.text, letter.seal) = ("b", "long", [2, 3])
        try child.save()
        #expect(try root.fetch(Letter.all).map(\.text) == ["long"])
        draft.body = [4, 5]
        letter.text = nil
        try child.save()
        try root.save()
        let reader = ManagedObjectContext(coordinator: root.coordinator)
        let read = try #require(try reader.fetch(Draft.all).first)
        #expect(read.body == [4, 5] && read.loudName == "A")
        let note = try #require(try reader.fetch(Note.all).first as? Letter)
        #expect(note.text == nil && note.seal == [2, 3])
        for table in ["Draft_body", "Letter_seal"] {
            #expect(try reader.count(FetchRequest<ManagedObject>(entity: table)) == 1, "\(table)")
        }
        #expect(try reader.count(FetchRequest<ManagedObject>(entity: "Note_text")) == 0)
        try child.delete(draft)
        try child.save()
        try root.save()
        #expect(try reader.count(FetchRequest<ManagedObject>(entity: "Draft_body")) == 0)
    }
}
