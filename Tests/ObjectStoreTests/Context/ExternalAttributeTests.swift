import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

final class Scan: ManagedObject {
    @Attribute var title: String?
    @External(.length(0...1_000_000)) var image: [UInt8]?
    @External(type: .string) var text: String?
}

/// Attributes whose values are stored in a table of their own.
@Suite struct ExternalAttributeTests {
    let store = TemporaryStore()

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [EntityDescription(Scan.self)])
    }

    private static let image = [UInt8](repeating: 7, count: 100_000)

    private func context(_ kind: TestedStore = .sqlite) throws -> ManagedObjectContext {
        let context = try kind.context(in: store, Self.model())
        let scan = try context.insert(Scan.self)
        (scan.title, scan.image, scan.text) = ("a", Self.image, "words")
        let empty = try context.insert(Scan.self)
        empty.title = "b"
        try context.save()
        return context
    }

    private static func values(_ context: ManagedObjectContext) throws -> Int {
        try context.count(FetchRequest<ManagedObject>(entity: "Scan_image"))
    }

    @Test(arguments: TestedStore.allCases) func valueIsReadWhenNeeded(_ kind: TestedStore) throws {
        let saved = try context(kind)
        let context = ManagedObjectContext(coordinator: saved.coordinator)
        let scans = try context.fetch(Scan.all.ordered(by: \.title))
        #expect(scans[0].image == Self.image && scans[0].text == "words")
        #expect(scans[1].image == nil && scans[1].text == nil)
        #expect(try scans[0].value(of: "text") == .string("words"))
        #expect(try context.count(Scan.where { $0.image == nil }) == 1)
        #expect(try context.count(Scan.where { $0.text == "words" }) == 1)
        #expect(try context.count(FetchRequest<Scan>(matching: FetchPredicate("image != nil"))) == 1)
        let rows = try context.rows(FetchRequest<Scan>(orderedBy: [FetchOrder("title")]), of: ["text.value"])
        #expect(rows.map { $0[0] } == [.string("words"), .null])
        let prefetched = try context.fetch(Scan.all.prefetching(\.image))
        #expect(prefetched.count == 2)
    }

    @Test(arguments: TestedStore.allCases) func setValueReplacesFormerOne(_ kind: TestedStore) throws {
        let context = try context(kind)
        let scan = try context.fetch(Scan.all.ordered(by: \.title))[0]
        scan.image = [1, 2]
        #expect(scan.image == [1, 2] && scan.isUpdated && scan.changedProperties == ["image"])
        scan.image = [1, 2, 3]
        try context.save()
        #expect(try Self.values(context) == 1)
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try other.fetch(Scan.all.ordered(by: \.title))[0].image == [1, 2, 3])
        scan.image = nil
        try scan.setValue(.string("new"), of: "text")
        try context.save()
        #expect(try Self.values(context) == 0)
        #expect(try other.fetch(Scan.all.ordered(by: \.title))[0].image == nil)
        #expect(try other.fetch(Scan.all.ordered(by: \.title))[0].text == "new")
        #expect(throws: ValidationError.self) { try scan.setValue(.integer(1), of: "text") }
    }

    @Test(arguments: TestedStore.allCases) func valueIsDeletedWithItsOwner(_ kind: TestedStore) throws {
        let context = try context(kind)
        try context.delete(try context.fetch(Scan.all.ordered(by: \.title))[0])
        try context.save()
        #expect(try Self.values(context) == 0)
        let scan = try context.fetch(Scan.all)[0]
        scan.image = Self.image
        try context.save()
        #expect(try context.deleteAll(Scan.all) == 3 - 1)
        #expect(try Self.values(context) == 0)
    }

    @Test func undoRollbackAndConflictsCoverValue() throws {
        let context = try context()
        context.undoLevels = 5
        let scan = try context.fetch(Scan.all.ordered(by: \.title))[0]
        scan.image = [9]
        context.endUndoGroup()
        context.undo()
        #expect(scan.image == Self.image)
        scan.image = nil
        context.rollback()
        #expect(scan.image == Self.image)
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let theirs = try other.fetch(Scan.all.ordered(by: \.title))[0]
        scan.image = [1]
        theirs.image = [2]
        try other.save()
        #expect(throws: ConflictError.self) { try context.save() }
        context.rollback()
        #expect(scan.image == [2])
    }

    @Test func rulesApplyToValue() throws {
        let context = try context()
        let scan = try context.fetch(Scan.all)[0]
        scan.image = [UInt8](repeating: 1, count: 1_000_001)
        #expect(throws: ValidationError.self) { try context.save() }
        context.rollback()
        #expect(try Self.values(context) == 1)
    }

    /// `updateAll` would have to make an object for each value.
    @Test func updatesOfManyObjectsNameExternalAttribute() throws {
        let context = try context()
        let text = "Scan.image is external; set it object by object"
        func expect(_ update: () throws -> Void) {
            let error = #expect(throws: FetchError.self, performing: update)
            #expect(error.map { "\($0)".contains(text) } == true, "\(String(describing: error))")
        }
        expect { try context.updateAll(Scan.all) { $0.image = [1] } }
        expect { try context.updateAll(Scan.all, setting: ["image": 1]) }
        expect {
            var updates = ObjectUpdates(of: Scan.self, setting: [\.image])
            updates.append(id: 1, values: [.integer(1)])
            try context.updateEach([updates])
        }
        #expect(try context.fetch(Scan.all.ordered(by: \.title))[0].image == Self.image)
    }

    @Test func validationErrorNamesExternalAttribute() throws {
        let scan = try context().fetch(Scan.all)[0]
        #expect(scan.invalid(\Scan.image, detail: "is blank").failures.map(\.property) == ["image"])
    }

    @Test func externalAttributeInSnapshotEndsProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try ExternalAttributeTests().context(.memory)
            _ = try context.fetch(Scan.all)[0].snapshot().image
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            message.contains("image is an external attribute and not in a snapshot of Scan"), "\(message)")
    }

    @Test func externalAttributeInSQLIsRefused() throws {
        let context = try context()
        let error = #expect(throws: FetchError.self) {
            try context.sql("SELECT \(\Scan.image) FROM \(Scan.self)", as: [UInt8]?.self)
        }
        #expect(error?.code == .unknownKey)
        #expect(error?.message.contains("Scan.image has no column in the table of its class") == true)
    }

    @Test func modelRefusesWhatCannotBeExternal() throws {
        func error(_ attribute: AttributeDescription) -> String {
            do throws(ModelError) {
                _ = try ManagedObjectModel(entities: [EntityDescription("Scan", attributes: [attribute])])
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(
            error(.integer64("n").external())
                == "Scan.n: is external, but only texts and binary values can be")
        #expect(error(.string("n", default: "x").external()).contains("cannot have a default"))
        #expect(error(.string("n", .unique).external()) == "Scan.n: is external and cannot be unique")
        #expect(
            error(.string("n").external().preservedInHistory()).contains("the history cannot preserve it"))
        #expect(error(.string("n", .required).external()) == "")
    }

    final class Bare: ManagedObject {
        @External var image: [UInt8]
    }

    @Test func classNeedsPlaceForNil() throws {
        let error = try #require(throws: ModelError.self) {
            try ManagedObjectModel(entities: [EntityDescription(Bare.self)])
        }
        #expect(
            "\(error)"
                == "Bare.image: is external, so its type Array<UInt8> needs a place for nil; write Array<UInt8>?"
        )
    }

    @Test(arguments: [StoreKind.sqlite, .xml]) func renamedAttributeKeepsValues(_ kind: StoreKind) throws {
        let configuration = StoreConfiguration(kind, path: "\(store.directory)/renamed.\(kind)")
        let first = try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [EntityDescription("Page", attributes: [.string("text").external()])])
        let old = PersistentStoreCoordinator(model: first)
        try old.addStore(configuration)
        let context = ManagedObjectContext(coordinator: old)
        try context.insert(entity: "Page").setValue(.string("kept"), of: "text")
        try context.save()
        old.close()
        let second = try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "Sheet",
                    attributes: [
                        .string("body", renamedFrom: "text").external(), .binary("image").external(),
                    ], renamedFrom: "Page")
            ])
        let new = PersistentStoreCoordinator(model: second)
        try new.addStore(configuration, migrating: StoreMigration(versions: [first, second]))
        let migrated = ManagedObjectContext(coordinator: new)
        let sheet = try migrated.fetch(FetchRequest<ManagedObject>(entity: "Sheet"))[0]
        #expect(try sheet.value(of: "body") == .string("kept"))
        #expect(try sheet.value(of: "image") == .null)
    }
}
