import Foundation
import ObjectStore
import ObjectStorePostgreSQL
import PostgreSQLDriver
import Synchronization
import TestServers
import TestSupport
import Testing

/// Several programs write one store in PostgreSQL.
@Suite struct PostgreSQLSharedStoreTests {
    let directory = TemporaryStore()

    private var path: String { directory.postgresql.path ?? "" }
    private var shared: StoreConfiguration { StoreConfiguration(.postgresql, path: path, shared: true) }

    private func context(author: String = "test") throws -> ManagedObjectContext {
        try Ledger.context(shared, author: author)
    }

    /// A connection of a program that is none of ours.
    private func connection() throws -> PostgreSQLConnection {
        try PostgreSQLConnection(PostgreSQLServer.sharedConnection, program: "tests")
    }

    private func addEntry(_ number: Int64, to context: ManagedObjectContext) throws -> ManagedObject {
        let entry = try context.insert(entity: "Entry")
        try entry.setValue(.string(context.transactionAuthor ?? ""), of: "author")
        try entry.setValue(.integer(number), of: "number")
        return entry
    }

    /// Reads the history until it has a number of saves. Other tests have transactions in the same server, and until they end,
    /// later saves are not read.
    private func history(
        of context: ManagedObjectContext, count: Int, after token: HistoryToken? = nil
    ) throws -> [HistoryTransaction] {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let saves = try context.coordinator.history(after: token)
            if saves.count >= count || ContinuousClock.now > deadline { return saves }
        }
    }

    /// Requires that the counter, the entries and the history agree.
    private func check(_ reported: [String: Int], mayHaveOneMore: Bool = false) throws {
        let context = try context()
        var numbers: [String: [Int64]] = [:]
        for entry in try context.rows(Ledger.entries, of: ["author", "number"]) {
            guard case .string(let author) = entry[0], case .integer(let number) = entry[1] else { continue }
            numbers[author, default: []].append(number)
        }
        #expect(Set(numbers.keys) == Set(reported.keys))
        for (author, count) in reported {
            let saved = try #require(numbers[author])
            #expect(saved == (1...Int64(saved.count)).map(\.self))
            #expect(saved.count == count || mayHaveOneMore && saved.count == count + 1)
        }
        let total = numbers.values.reduce(0) { $0 + $1.count }
        #expect(try Int(Ledger.total(context)) == total)
        #expect(try context.rows(Ledger.counters, of: ["entryCount"])[0][0] == .integer(Int64(total)))
        let history = try history(of: context, count: total + 1).filter { $0.author != "maker" }
        #expect(history.count == total)
        #expect(history.map(\.number) == history.map(\.number).sorted())
        for (author, saved) in numbers {
            #expect(history.filter { $0.author == author }.count == saved.count)
        }
    }

    // MARK: - Several processes

    @Test func programsThatWriteTogetherLoseNothing() throws {
        try Ledger.make(shared)
        let authors = ["a", "b", "c", "d"]
        let programs = try authors.map { try SharingProgram(path, author: $0, count: 40) }
        for program in programs { #expect(program.end() == "") }
        try check(Dictionary(uniqueKeysWithValues: authors.map { ($0, 40) }))
    }

    @Test func killedProgramLosesNothingAndDelaysNoOther() throws {
        try Ledger.make(shared)
        let authors = ["a", "b", "c"]
        let programs = try authors.map { try SharingProgram(path, author: $0, count: 1_000_000) }
        for program in programs { program.wait(for: 5) }
        programs[0].kill()
        for program in programs[1...] { program.wait(for: program.reported + 5) }
        programs[1].kill()
        programs[2].kill()
        for program in programs { #expect(program.reported >= 5) }
        try check(
            Dictionary(uniqueKeysWithValues: zip(authors, programs.map(\.reported))), mayHaveOneMore: true)
    }

    @Test func newStoreIsMadeOnceByProgramsThatStartTogether() throws {
        let programs = try ["a", "b", "c"].map { try SharingProgram(path, author: $0, count: 0) }
        for program in programs { #expect(program.end() == "") }
        #expect(try context().coordinator.history().isEmpty)
    }

    // MARK: - Locks

    @Test func sharedStoreIsNotOpenedAlone() throws {
        let context = try context()
        let alone = StoreConfiguration(.postgresql, path: path)
        let refused = #expect(throws: StoreError.self) { try Ledger.context(alone, author: "alone") }
        #expect(refused?.code == .inUse)
        context.coordinator.close()
        let only = try Ledger.context(alone, author: "alone")
        let error = #expect(throws: StoreError.self) { try self.context() }
        #expect(error?.code == .inUse)
        #expect(try only.coordinator.history().isEmpty)
    }

    // MARK: - IDs

    @Test func idsOfUnsavedObjectsAreNotUsedByOtherPrograms() throws {
        let contexts = try ["a", "b"].map { try context(author: $0) }
        var entries: [ManagedObject] = []
        for number in 1...100 as ClosedRange<Int64> {
            for context in contexts { entries.append(try addEntry(number, to: context)) }
        }
        #expect(Set(entries.map(\.id)).count == 200)
        for context in contexts { try context.save() }
        #expect(try contexts[0].count(Ledger.entries) == 200)
    }

    @Test func idOfDeletedObjectIsNotUsedByAnotherProgram() throws {
        let first = try context()
        let entry = try addEntry(1, to: first)
        try first.save()
        let id = entry.id
        try first.delete(entry)
        try first.save()
        first.coordinator.close()
        let next = try addEntry(1, to: try context())
        #expect(next.id > id)
    }

    // MARK: - Conflicts

    @Test func conflictIsReported() throws {
        try Ledger.make(shared)
        let contexts = try ["a", "b"].map { try context(author: $0) }
        let counters = try contexts.map { try $0.fetch(Ledger.counters)[0] }
        try counters[0].setValue(.string("a"), of: "note")
        try counters[1].setValue(.string("b"), of: "note")
        try contexts[0].save()
        let error = #expect(throws: ConflictError.self) { try contexts[1].save() }
        #expect(error?.objects == [counters[1].objectID])
        #expect(error?.description.contains("another program") == true)
        contexts[1].rollback()
        #expect(try contexts[1].fetch(Ledger.counters)[0].value(of: "note") == .string("a"))
    }

    @Test(arguments: [ManagedObjectContext.ConflictPolicy.mineWins, .theirsWins])
    func conflictIsSettledByPolicy(_ policy: ManagedObjectContext.ConflictPolicy) throws {
        try Ledger.make(shared)
        let contexts = try ["a", "b"].map { try context(author: $0) }
        contexts[1].conflictPolicy = policy
        let counters = try contexts.map { try $0.fetch(Ledger.counters)[0] }
        try counters[0].setValue(.string("a"), of: "note")
        try counters[0].setValue(.integer(7), of: "total")
        try counters[1].setValue(.string("b"), of: "note")
        try contexts[0].save()
        try contexts[1].save()
        let read = try context().fetch(Ledger.counters)[0]
        #expect(try read.value(of: "note") == .string(policy == .mineWins ? "b" : "a"))
        #expect(try read.value(of: "total") == .integer(7))
    }

    // MARK: - Waiting

    /// Without an order of the rows, each program would wait for the other.
    @Test func programsThatSaveSameObjectsDoNotBlockEachOther() throws {
        try Ledger.make(shared)
        let maker = try context()
        _ = try addEntry(1, to: maker)
        try maker.save()
        let store = shared
        let errors = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { program in
            do {
                let context = try Ledger.context(store, author: "\(program)")
                context.conflictPolicy = .mineWins
                for round in 0..<30 {
                    let objects = try [Ledger.counters, Ledger.entries].map { try context.fetch($0)[0] }
                    for object in program == 0 ? objects : objects.reversed() {
                        let name = object.entity.name == "Counter" ? "total" : "number"
                        try object.setValue(.integer(Int64(round * 2 + program)), of: name)
                    }
                    try context.save()
                }
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        #expect(errors.withLock { $0 } == [])
    }

    // MARK: - History

    /// A transaction gets its number when it begins to write, and may end after later ones.
    @Test func readerSkipsNoSaveOfTransactionThatEndsLate() throws {
        try Ledger.make(shared)
        let (writer, reader) = (try context(author: "writer"), try context(author: "reader"))
        let token = try #require(try history(of: reader, count: 1).last).token
        let other = try connection()
        try other.execute("BEGIN; SELECT pg_current_xact_id()")
        _ = try addEntry(1, to: writer)
        try writer.save()
        #expect(try reader.coordinator.history(after: token).isEmpty)
        try other.execute("COMMIT")
        let saves = try history(of: reader, count: 1, after: token)
        #expect(saves.map(\.author) == ["writer"])
        #expect(saves.flatMap(\.changes).map(\.kind) == [.inserted])
        let last = try #require(saves.last).token
        #expect(try reader.coordinator.history(after: last).isEmpty)
        #expect(try reader.coordinator.lastHistoryToken() == last)
    }

    @Test func saveOfAnotherProgramIsMergedOnce() throws {
        try Ledger.make(shared)
        let (writer, reader) = (try context(author: "writer"), try context(author: "reader"))
        let counter = try reader.fetch(Ledger.counters)[0]
        let own = try writer.fetch(Ledger.counters)[0]
        try own.setValue(.integer(5), of: "total")
        try writer.save()
        var merged: [HistoryTransaction] = []
        let deadline = ContinuousClock.now + .seconds(30)
        while merged.isEmpty, ContinuousClock.now < deadline {
            merged = try reader.coordinator.mergeSavesOfOtherPrograms(into: [reader])
        }
        #expect(merged.map(\.author) == ["writer"])
        #expect(try counter.value(of: "total") == .integer(5))
        #expect(try reader.coordinator.mergeSavesOfOtherPrograms(into: [reader]).isEmpty)
        #expect(try writer.coordinator.mergeSavesOfOtherPrograms(into: [writer]).isEmpty)
    }

    @Test func deletedObjectLeavesPreservedValues() throws {
        let context = try context()
        let entry = try addEntry(1, to: context)
        try entry.setValue(.string("a,b\u{0}é"), of: "author")
        try context.save()
        try context.delete(entry)
        try context.save()
        let changes = try history(of: context, count: 2).flatMap(\.changes)
        #expect(changes.map(\.kind) == [.inserted, .deleted])
        #expect(changes.last?.preserved == ["author": .string("a,b\u{0}é")])
    }

    @Test func savesOfBatchHaveNumbersOfTheirOwn() throws {
        let context = try context()
        try context.coordinator.batch {
            for number in 1...3 as ClosedRange<Int64> {
                _ = try addEntry(number, to: context)
                try context.save()
            }
        }
        let history = try history(of: context, count: 3)
        #expect(history.map { $0.changes.count } == [1, 1, 1])
        #expect(Set(history.map(\.number)).count == 3)
    }

    @Test func tokenOfPurgedSaveIsRefused() throws {
        let context = try context()
        for number in 1...3 as ClosedRange<Int64> {
            _ = try addEntry(number, to: context)
            try context.save()
        }
        let tokens = try history(of: context, count: 3).map(\.token)
        try context.coordinator.purgeHistory(before: tokens[1])
        #expect(try context.coordinator.history().map(\.token) == [tokens[1], tokens[2]])
        #expect(try context.coordinator.history(after: tokens[1]).map(\.token) == [tokens[2]])
        let error = #expect(throws: StoreError.self) { try context.coordinator.history(after: tokens[0]) }
        #expect(error?.code == .historyLost)
        #expect(error?.message.contains("purged") == true)
    }

    @Test func historyIsDiscarded() throws {
        let coordinator = PersistentStoreCoordinator(model: try Ledger.model())
        try coordinator.addStore(StoreConfiguration(.postgresql, path: path, history: true))
        try coordinator.discardHistory()
        let error = #expect(throws: StoreError.self) { try coordinator.history() }
        #expect(error?.code == .noHistory)
    }

    /// A copy of a database on a new server begins with small transaction IDs again.
    @Test func numbersContinueAfterLargerOnes() throws {
        let first = try context()
        _ = try addEntry(1, to: first)
        try first.save()
        first.coordinator.close()
        let schema = directory.schema
        let large: Int64 = 1 << 60
        try connection().execute(
            """
            UPDATE "\(schema)"."_transactions" SET "number" = \(large) WHERE "number" > 0;
            UPDATE "\(schema)"."_changes" SET "number" = \(large)
            """)
        let context = try context()
        _ = try addEntry(2, to: context)
        try context.save()
        let numbers = try history(of: context, count: 2).map(\.number)
        #expect(numbers.count == 2)
        #expect(numbers.first == large)
        #expect(numbers.last ?? 0 > large)
    }
}
