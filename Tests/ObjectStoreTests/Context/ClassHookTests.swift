import ObjectStore
import Testing

/// The hooks that a class adds to the model: values of new objects, and rules about several properties.
@Suite struct ClassHookTests {
    final class Loan: ManagedObject {
        @Attribute("code") var code: UUIDValue?
        @Attribute("name") var name: String
        @Attribute("lent") var lent: Int
        @Attribute("returned") var returned: Int?

        override func awakeFromInsert() {
            code = UUIDValue(high: 1, low: UInt64(id))
        }

        override func validate() throws {
            if name == "broken" { throw Broken() }
            if let returned, returned < lent { throw invalid("returned", detail: "is before it was lent") }
        }
    }

    struct Broken: Error {}

    /// A class that reads its properties when an object is released.
    final class Lender: ManagedObject {
        @Attribute var name: String = ""
        @ToOne var guarantor: Lender?
        @ToMany(inverse: \Lender.guarantor) var wards: RelatedObjects<Lender>
        nonisolated(unsafe) static var released: [String] = []

        deinit {
            Self.released.append(name)
            // The object of a key path has no context.
            if context == nil { _ = (guarantor?.name, wards.count) }
        }
    }

    let store = TemporaryStore()

    private func context() throws -> ManagedObjectContext {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                "Loan", class: Loan.self,
                attributes: [
                    .uuid("code"), .string("name", .required), .integer32("lent", default: 5),
                    .integer32("returned"),
                ])
        ])
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.sqlite(path: store.path))
        return ManagedObjectContext(coordinator: coordinator)
    }

    private func loan(_ context: ManagedObjectContext, _ name: String = "Emma") throws -> Loan {
        let loan = try context.insert(Loan.self)
        loan.name = name
        return loan
    }

    @Test func newObjectAwakes() throws {
        let context = try context()
        let first = try loan(context)
        #expect(first.code == UUIDValue(high: 1, low: 1))
        let second = try #require(try context.insert(entity: "Loan") as? Loan)
        #expect(second.code == UUIDValue(high: 1, low: 2))
    }

    @Test func propertiesAreReadInDeinitializer() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Lender.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert(Lender.self).name = "Emma"
        try context.save()
        #expect(Lender.released.last == "Emma")
        let isHers = Lender.where { $0.guarantor.guarantor.name == "Emma" && $0.wards.count == 0 }
        #expect(try context.count(isHers) == 0)
        #expect(try context.fetch(Lender.all.ordered(by: \.guarantor?.name)).map(\.name) == ["Emma"])
        #expect(FetchOrder(\Lender.guarantor).key == "guarantor")
        #expect(FetchOrder(\Lender.guarantor?.wards.count).key == "guarantor.wards.@count")
    }

    @Test func existingObjectDoesNotAwake() throws {
        let context = try context()
        context.undoLevels = 1
        let first = try loan(context)
        first.code = nil
        try context.save()
        try context.delete(first)
        context.undo()
        #expect(first.code == nil)
        context.rollback()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try other.object(of: Loan.self, id: first.id)?.code == nil)
    }

    @Test func saveReportsFailuresOfClasses() throws {
        let context = try context()
        for name in ["Emma", "Persuasion"] { try loan(context, name).returned = 4 }
        let error = try #require(throws: ValidationError.self) { try context.save() }
        #expect(
            error.failures.map(\.description) == [
                "Loan 1.returned: custom: is before it was lent",
                "Loan 2.returned: custom: is before it was lent",
            ])
        #expect(throws: ValidationError.self) { try context.validateChanges() }
        for loan in try context.objects(of: Loan.self) { loan.returned = 6 }
        try context.save()
        #expect(try store.rows("SELECT returned FROM Loan") == ["6", "6"])
    }

    @Test func onlyChangedObjectsAreValidated() throws {
        let context = try context()
        let first = try loan(context)
        try context.save()
        _ = try context.updateAll(FetchRequest<Loan>(), setting: ["returned": 1])
        try loan(context, "Persuasion").returned = 7
        try context.save()
        first.name = "Emma, revised"
        #expect(throws: ValidationError.self) { try context.save() }
        try context.delete(first)
        try context.save()
        #expect(try store.rows("SELECT name FROM Loan") == ["Persuasion"])
    }

    /// The changes of two contexts may each be valid, and invalid together.
    @Test func mergedChangesOfTwoContextsAreValidated() throws {
        let context = try context()
        context.conflictPolicy = .mineWins
        let mine = try loan(context)
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        try #require(try other.object(of: Loan.self, id: mine.id)).lent = 8
        try other.save()
        mine.returned = 6
        #expect(throws: ValidationError.self) { try context.save() }
        #expect(try store.rows("SELECT lent, returned FROM Loan") == ["8|NULL"])
    }

    /// Reading a required property traps while it has no value, so the rules of the model are checked first.
    @Test func rulesOfModelAreCheckedFirst() throws {
        let context = try context()
        try context.insert(Loan.self).returned = 1
        let error = try #require(throws: ValidationError.self) { try context.save() }
        #expect(error.failures.map(\.rule) == [.required])
    }

    @Test func errorOfClassIsRethrownUnchanged() throws {
        let context = try context()
        _ = try loan(context, "broken")
        #expect(throws: Broken.self) { try context.save() }
        #expect(context.hasChanges)
    }
}
