import Testing

@testable import ObjectStore

@Suite struct DamageRecordTests {
    /// A replaced file is reported as replaced, whatever damage is found later. Only then is a rescue copy
    /// made.
    @Test func firstDamageIsKept() {
        let record = DamageRecord()
        record.record(StoreError(.locked, "no damage"))
        #expect(record.found == nil)
        // SQLite reports an overwritten page or index this way.
        let other = DamageRecord()
        other.record(StoreError(.notADatabase, "a page"))
        #expect(other.found?.code == .notADatabase)
        record.record(StoreError(.replaced, "another file"))
        record.record(StoreError(.damaged, "a page"))
        #expect(record.found?.code == .replaced)
        let error = #expect(throws: StoreError.self) { try record.refuseWriting() }
        #expect(error?.code == .replaced)
    }
}
