import Foundation
import ObjectStore
import ObjectStorePostgreSQL
import PostgreSQLDriver
import TestServers
import TestSupport
import Testing

/// A store connects again after its connection was lost. Every save is in the store once or not at all, and the program knows
/// which.
@Suite(.serialized) struct PostgreSQLConnectionLossTests {
    let directory = TemporaryStore()

    private var schema: String { directory.schema }

    private func store(
        _ connection: String? = nil, shared: Bool, lockTimeout: Double? = nil
    ) -> StoreConfiguration {
        .postgresql(
            connection ?? PostgreSQLServer.restarted.connection, schema: schema, shared: shared,
            lockTimeout: lockTimeout)
    }

    private func context(_ store: StoreConfiguration) throws -> ManagedObjectContext {
        try Ledger.context(store, author: "test")
    }

    private func sessions() throws -> PostgreSQLSessions {
        try PostgreSQLSessions(of: schema, on: PostgreSQLServer.restarted.connection)
    }

    @discardableResult
    private func addEntry(_ number: Int64, to context: ManagedObjectContext) throws -> ManagedObject {
        let entry = try context.insert(entity: "Entry")
        try entry.setValue(.string("test"), of: "author")
        try entry.setValue(.integer(number), of: "number")
        return entry
    }

    /// The numbers of the entries that are in the store.
    private func savedNumbers() throws -> [Int64] {
        let connection = try PostgreSQLConnection(PostgreSQLServer.restarted.connection, program: "tests")
        return try connection.query(#"SELECT "number" FROM "\#(schema)"."Entry" ORDER BY 1"#).rows.map {
            $0.integer(0)
        }
    }

    private func storeError(_ body: () throws -> Void) -> StoreError? {
        #expect(throws: StoreError.self, performing: body)
    }

    // MARK: - Between calls

    @Test(arguments: [false, true]) func endedConnectionIsReplacedByNextRead(shared: Bool) throws {
        let context = try context(store(shared: shared))
        try addEntry(1, to: context)
        try context.save()
        #expect(try sessions().terminate() == 1)
        #expect(try context.count(Ledger.entries) == 1)
        #expect(try sessions().states() == ["idle"])
        // The new connection has the lock of the store.
        let other = store(shared: !shared)
        let error = storeError { _ = try self.context(other) }
        #expect(error?.code == .inUse)
    }

    @Test(arguments: [false, true]) func endedConnectionIsReplacedByNextSave(shared: Bool) throws {
        let context = try context(store(shared: shared))
        try addEntry(1, to: context)
        try sessions().terminate()
        try context.save()
        try addEntry(2, to: context)
        // The fetch has written the entry to a transaction that has ended.
        #expect(try context.count(Ledger.entries) == 2)
        try sessions().terminate()
        #expect(try context.count(Ledger.entries) == 2)
        try sessions().terminate()
        try context.save()
        #expect(try savedNumbers() == [1, 2])
    }

    @Test func programWithoutItsLockDoesNotWrite() throws {
        let context = try context(store(shared: false, lockTimeout: 0.1))
        try addEntry(1, to: context)
        try context.save()
        try sessions().terminate()
        let other = try self.context(store(shared: false))
        try addEntry(2, to: context)
        // The first attempt connects again, and does not get the lock.
        for _ in 0..<3 {
            let error = storeError { try context.save() }
            #expect(error?.code == .inUse)
        }
        #expect(try savedNumbers() == [1])
        other.coordinator.close()
    }

    @Test(arguments: [false, true]) func serverMayRestart(shared: Bool) throws {
        let context = try context(store(shared: shared))
        let entry = try addEntry(1, to: context)
        try context.save()
        try PostgreSQLServer.restarted.restart()
        #expect(try context.count(Ledger.entries) == 1)
        try PostgreSQLServer.restarted.restart()
        try entry.setValue(.integer(5), of: "number")
        try context.save()
        try PostgreSQLServer.restarted.restart()
        #expect(try context.rows(Ledger.entries, of: ["number"]).map { $0[0] } == [.integer(5)])
        #expect(try savedNumbers() == [5])
    }

    @Test func stoppedServerIsNamedUntilItIsBack() throws {
        let context = try context(store(shared: true, lockTimeout: 0.1))
        try addEntry(1, to: context)
        try PostgreSQLServer.restarted.restart {
            let calls: [() throws -> Void] = [
                { _ = try context.count(Ledger.entries) }, { try context.save() },
            ]
            for call in calls {
                let error = storeError(call)
                #expect(error?.code == .unreachable)
                #expect(error?.message == "the server cannot be reached")
            }
        }
        try context.save()
        #expect(try savedNumbers() == [1])
    }

    // MARK: - In a transaction

    @Test(arguments: [false, true]) func nothingIsSavedByTransactionWhoseConnectionEnds(shared: Bool) throws {
        let context = try context(store(shared: shared))
        let error = storeError {
            try context.coordinator.batch {
                try addEntry(1, to: context)
                try context.save()
                #expect(try sessions().terminate() == 1)
            }
        }
        #expect(error?.code == .unreachable)
        #expect(error?.message.contains("nothing was saved") == true)
        #expect(try savedNumbers() == [])
        #expect(context.hasChanges)
        try context.save()
        #expect(try savedNumbers() == [1])
    }

    @Test func saveThatFindsNoConnectionInBatchSavesNothing() throws {
        let context = try context(store(shared: true))
        let error = storeError {
            try context.coordinator.batch {
                try addEntry(1, to: context)
                try context.save()
                try sessions().terminate()
                try addEntry(2, to: context)
                try context.save()
            }
        }
        #expect(error?.code == .unreachable)
        #expect(try savedNumbers() == [])
        try context.save()
        #expect(try savedNumbers() == [1, 2])
    }

    // MARK: - In the COMMIT

    @Test(arguments: [false, true], PostgreSQLProxy.Cut.allCases)
    func saveIsOnceInStoreIfAnswerOfCommitIsLost(shared: Bool, _ cut: PostgreSQLProxy.Cut) throws {
        let proxy = try PostgreSQLProxy(to: .restarted)
        let context = try context(store(proxy.connection, shared: shared))
        try addEntry(1, to: context)
        try context.save()
        try addEntry(2, to: context)
        proxy.cutNextCommit(cut)
        if cut == .afterCommit {
            try context.save()
        } else {
            let error = storeError { try context.save() }
            #expect(error?.code == .unreachable)
            #expect(
                error?.message == "the connection was lost during the COMMIT; nothing was saved, save again")
            #expect(try savedNumbers() == [1])
            #expect(context.hasChanges)
        }
        #expect(proxy.hasCut)
        try context.save()
        try addEntry(3, to: context)
        try context.save()
        #expect(try savedNumbers() == [1, 2, 3])
        let read = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try read.count(Ledger.entries) == 3)
        if shared { try requireHistory(of: context, saves: 3) }
    }

    private func requireHistory(of context: ManagedObjectContext, saves count: Int) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        var saves: [HistoryTransaction] = []
        while saves.count < count, ContinuousClock.now < deadline {
            saves = try context.coordinator.history()
        }
        #expect(saves.map { $0.changes.count } == Array(repeating: 1, count: count))
    }

    @Test func commitIsInDoubtIfServerDoesNotComeBack() throws {
        let proxy = try PostgreSQLProxy(to: .restarted)
        let context = try context(store(proxy.connection, shared: true, lockTimeout: 0.1))
        try addEntry(1, to: context)
        proxy.cutNextCommit(.afterCommit)
        proxy.stopListening()
        let error = storeError { try context.save() }
        #expect(error?.code == .inDoubt)
        #expect(error?.message.contains("the server does not say whether it succeeded") == true)
        #expect(context.hasChanges)
        #expect(try context.store.transactionDepth == 0)
        #expect(try savedNumbers() == [1])
    }

    // MARK: - Other programs

    @Test func storeThatAnotherProgramOpenedMeanwhileIsNoLongerUsed() throws {
        let first = try context(store(shared: false))
        try addEntry(1, to: first)
        try first.save()
        try sessions().terminate()
        let second = try context(store(shared: false))
        try addEntry(2, to: second)
        try second.save()
        second.coordinator.close()
        let error = storeError { _ = try first.count(Ledger.entries) }
        #expect(error?.code == .replaced)
        #expect(first.coordinator.damage?.code == .replaced)
        try addEntry(3, to: first)
        #expect(storeError { try first.save() }?.code == .replaced)
        #expect(try savedNumbers() == [1, 2])
    }

    @Test func storeThatAnotherProgramHasOpenIsRefused() throws {
        let first = try context(store(shared: false))
        try sessions().terminate()
        let second = try context(store(shared: false))
        #expect(storeError { _ = try first.count(Ledger.entries) }?.code == .inUse)
        #expect(try second.count(Ledger.entries) == 0)
    }

    @Test func replacedStoreIsNoLongerUsed() throws {
        let context = try context(store(shared: true))
        let connection = try sessions().connection
        try sessions().terminate()
        try connection.execute(
            #"UPDATE "\#(schema)"."_metadata" SET "value" = '\#(UUIDValue())' WHERE "key" = 'identifier'"#)
        #expect(storeError { _ = try context.count(Ledger.entries) }?.code == .replaced)
    }

    // MARK: - Idle transactions

    @Test(arguments: [false, true]) func noTransactionStaysOpenBetweenCalls(shared: Bool) throws {
        let context = try context(store(shared: shared))
        let sessions = try sessions()
        let counter = try context.insert(entity: "Counter")
        try counter.setValue(.integer(0), of: "total")
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let child = ManagedObjectContext(parent: context)
        func require<Value: Equatable>(_ expected: Value, _ name: String, _ call: () throws -> Value) throws {
            #expect(try call() == expected, "\(name)")
            #expect(try sessions.states() == ["idle"], "\(name)")
        }
        try addEntry(1, to: context).setTarget(counter, of: "counter")
        #expect(try sessions.states() == ["idle"])
        try require(1, "count") { try context.count(Ledger.entries) }
        try require(1, "fetch") { try context.fetch(Ledger.entries).count }
        try require(.integer(1), "rows") { try context.rows(Ledger.entries, of: ["number"])[0][0] }
        try require(1, "members") { try counter.objects(of: "entries").count }
        try require(.integer(1), "derived value") {
            try context.rows(Ledger.counters, of: ["entryCount"])[0][0]
        }
        try require(1, "count of child") { try child.count(Ledger.entries) }
        try require(0, "count of another context") { try other.count(Ledger.entries) }
        try require(true, "check") {
            try context.validateChanges()
            return context.hasChanges
        }
        try require(true, "refused save") {
            let entry = try context.insert(entity: "Entry")
            defer { context.rollback() }
            return (try? context.save()) == nil && entry.isInserted
        }
        try addEntry(1, to: context)
        try require(1, "fetch again") { try context.fetch(Ledger.entries).count }
        try require(false, "save") {
            try context.save()
            return context.hasChanges
        }
        try require(2, "fetch in batch") {
            try context.coordinator.batch {
                try addEntry(2, to: context)
                return try context.fetch(Ledger.entries).count
            }
        }
        #expect(try savedNumbers() == [1])
    }
}
