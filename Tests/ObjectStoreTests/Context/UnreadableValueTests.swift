import ObjectStore
import Testing

/// Stored values that the types of the properties cannot hold.
@Suite struct UnreadableValueTests {
    let directory = TemporaryStore()

    private static let problem =
        "has a value that its type in Swift cannot hold; add the case, or write an init?(attributeValue:); "
        + "roll the context back and begin again"

    @Test(arguments: TestedStore.allCases)
    func unknownCaseIsNilAndReportedBySave(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Parcel.model())
        let parcel = try Parcel.fromOtherProgram(context)
        #expect(context.failure == nil)
        #expect(parcel.size == nil)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .contextFailed)
        #expect(error?.message == "Parcel 1.size \(Self.problem)")
        context.rollback()
        parcel.size = .small
        try context.save()
        #expect(parcel.size == .small)
        #expect(try context.count(Parcel.where { $0.size == .small }) == 1)
    }

    @Test func unknownCaseOfRequiredPropertyIsItsDefault() throws {
        let context = try TestedStore.memory.context(in: directory, Parcel.model())
        let parcel = try Parcel.fromOtherProgram(context)
        #expect(parcel.state == .new)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.message == "Parcel 1.state \(Self.problem)")
        #expect(try parcel.value(of: "state") == .string("unknown"))
    }

    @Test func snapshotHasNilOrDefaultForUnknownCase() throws {
        let context = try TestedStore.memory.context(in: directory, Parcel.model())
        let snapshot = try Parcel.fromOtherProgram(context).snapshot()
        #expect(snapshot.size == nil && snapshot.state == .new)
    }
}
