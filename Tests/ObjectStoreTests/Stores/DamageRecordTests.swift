import Testing

@testable import ObjectStore

@Suite struct DamageRecordTests {
    /// Of a file that was replaced a copy is kept, whatever is found in it later; of a damaged one none is.
    @Test func whatIsFoundFirstStands() {
        let record = DamageRecord()
        record.note(StoreError(.locked, "no damage"))
        #expect(record.found == nil)
        record.note(StoreError(.replaced, "another file"))
        record.note(StoreError(.damaged, "a page"))
        #expect(record.found?.code == .replaced)
        let error = #expect(throws: StoreError.self) { try record.refuseWriting() }
        #expect(error?.code == .replaced)
    }
}
