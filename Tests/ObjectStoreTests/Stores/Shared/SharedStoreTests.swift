import Foundation
import ObjectStore
import TestSupport
import Testing

/// Several programs write one store.
@Suite struct SharedStoreTests {
    let store = TemporaryStore()

    var shared: StoreConfiguration { .sqlite(path: store.path, shared: true) }

    func context(author: String = "test") throws -> ManagedObjectContext {
        try Ledger.context(shared, author: author)
    }

    /// Runs another program that saves entries.
    func run(author: String = "other", count: Int = 1) throws {
        let program = try SharingProgram(store.path, author: author, count: count)
        #expect(program.end() == "")
        #expect(program.reported == count)
    }

    /// Requires that the counter, the entries and the history agree.
    private func check(_ reported: [String: Int], mayHaveOneMore: Bool = false) throws {
        let context = try context()
        let entries = try context.rows(Ledger.entries, of: ["author", "number"])
        var numbers: [String: [Int64]] = [:]
        for entry in entries {
            guard case .string(let author) = entry[0], case .integer(let number) = entry[1] else { continue }
            numbers[author, default: []].append(number)
        }
        #expect(Set(numbers.keys) == Set(reported.keys))
        for (author, count) in reported {
            let saved = try #require(numbers[author])
            #expect(saved == (1...Int64(saved.count)).map(\.self))
            #expect(saved.count == count || mayHaveOneMore && saved.count == count + 1)
        }
        #expect(try Int(Ledger.total(context)) == entries.count)
        let counted = try context.rows(Ledger.counters, of: ["entryCount"])
        #expect(counted[0][0] == .integer(Int64(entries.count)))
        let history = try context.coordinator.history().filter { $0.author != "maker" }
        #expect(history.map(\.number) == (2..<Int64(entries.count) + 2).map(\.self))
        for (author, saved) in numbers {
            #expect(history.filter { $0.author == author }.count == saved.count)
        }
        #expect(
            history.allSatisfy {
                $0.changes.map(\.kind) == [.updated, .inserted]
                    || $0.changes.map(\.kind) == [.inserted, .updated]
            })
        context.coordinator.close()
        #expect(try StoreBackup.problems(of: .sqlite(path: store.path)) == [])
    }

    // MARK: - Several processes

    @Test func programsThatWriteTogetherLoseNothing() throws {
        try Ledger.make(shared)
        let authors = ["a", "b", "c", "d"]
        let programs = try authors.map { try SharingProgram(store.path, author: $0, count: 40) }
        for program in programs { #expect(program.end() == "") }
        try check(Dictionary(uniqueKeysWithValues: authors.map { ($0, 40) }))
    }

    @Test func killedProgramLosesNothingAndDelaysNoOther() throws {
        try Ledger.make(shared)
        let authors = ["a", "b", "c"]
        let programs = try authors.map { try SharingProgram(store.path, author: $0, count: 1_000_000) }
        for program in programs { program.wait(for: 5) }
        programs[0].kill()
        for program in programs[1...] { program.wait(for: program.reported + 5) }
        programs[1].kill()
        programs[2].kill()
        for program in programs { #expect(program.reported >= 5) }
        try check(
            Dictionary(uniqueKeysWithValues: zip(authors, programs.map(\.reported))), mayHaveOneMore: true)
        try run()
    }

    /// A program may open the store while another one closes it as the last.
    @Test func programsThatComeAndGoLoseNothing() throws {
        try Ledger.make(shared)
        var authors: [String] = []
        var earlier: [SharingProgram] = []
        for round in 1...12 {
            let names = ["a\(round)", "b\(round)"]
            let programs = try names.map { try SharingProgram(store.path, author: $0, count: 1) }
            for program in earlier { #expect(program.end() == "") }
            earlier = programs
            authors += names
        }
        for program in earlier { #expect(program.end() == "") }
        try check(Dictionary(uniqueKeysWithValues: authors.map { ($0, 1) }))
    }

    @Test func newStoreIsMadeOnceByProgramsThatStartTogether() throws {
        let programs = try ["a", "b", "c"].map { try SharingProgram(store.path, author: $0, count: 0) }
        for program in programs { #expect(program.end() == "") }
        #expect(try store.rows("SELECT count(*) FROM _transactions") == ["1"])
    }

    @Test func idsOfUnsavedObjectsAreNotUsedByOtherPrograms() throws {
        try Ledger.make(shared)
        let context = try context()
        var entries: [ManagedObject] = []
        for number in 1...100 {
            let entry = try context.insert(entity: "Entry")
            try entry.setValue(.string("test"), of: "author")
            try entry.setValue(.integer(Int64(number)), of: "number")
            entries.append(entry)
        }
        try run(count: 20)
        try context.save()
        #expect(Set(entries.map(\.id)).count == 100)
        #expect(try context.count(Ledger.entries) == 120)
    }

    @Test func idOfDeletedObjectIsNotUsedByAnotherProgram() throws {
        try Ledger.make(shared)
        var context = try context()
        try Ledger.add(1, to: context)
        let last = try #require(try context.fetch(Ledger.entries).first).id
        try context.deleteAll(Ledger.entries)
        context.coordinator.close()
        try run()
        context = try self.context()
        #expect(try #require(try context.fetch(Ledger.entries).first).id > last)
    }

    // MARK: - Changes of other programs

    @Test func fetchSeesSaveOfAnotherProgram() throws {
        try Ledger.make(shared)
        let context = try context()
        let counter = try #require(try context.fetch(Ledger.counters).first)
        #expect(try context.count(Ledger.entries) == 0)
        try run(count: 3)
        #expect(try context.count(Ledger.entries) == 3)
        _ = try context.fetch(Ledger.counters)
        #expect(try counter.value(of: "total") == .integer(3))
    }

    @Test func mergeReportsObjectsAndAuthorOfEachSave() throws {
        try Ledger.make(shared)
        let context = try context()
        let counter = try #require(try context.fetch(Ledger.counters).first)
        var saved: [SavedChanges] = []
        var merged: [SavedChanges] = []
        let observations = [
            context.coordinator.observeSaves { saved.append($0) },
            context.observe { if case .merged(let changes) = $0 { merged.append(changes) } },
        ]
        try Ledger.add(1, to: context)
        saved = []
        #expect(try context.coordinator.mergeSavesOfOtherPrograms(into: [context]).isEmpty)
        try run(count: 2)
        try Ledger.add(2, to: context)
        saved = []
        let transactions = try context.coordinator.mergeSavesOfOtherPrograms(into: [context])
        #expect(transactions.map(\.author) == ["other", "other"])
        #expect(saved == transactions.map(SavedChanges.init))
        #expect(saved.map(\.author) == ["other", "other"])
        #expect(saved.map(\.updated) == [[counter.objectID], [counter.objectID]])
        #expect(saved.allSatisfy { $0.inserted.count == 1 && $0.inserted[0].entity == "Entry" })
        #expect(merged == saved)
        #expect(try context.coordinator.mergeSavesOfOtherPrograms(into: [context]).isEmpty)
        withExtendedLifetime(observations) {}
    }

    @Test func savesOfOtherProgramsReachLiveResults() throws {
        try Ledger.make(shared)
        let context = try context()
        let results = FetchedResultsController(
            Ledger.entries, sectionedBy: { try $0.value(of: "author").description }, in: context)
        try results.performFetch()
        var reports: [[String]] = []
        let observation = results.observe { changes in
            reports.append(changes.inserted.map { "\($0.object.objectID) \($0.place)" })
        }
        try run(author: "b", count: 2)
        try context.coordinator.mergeSavesOfOtherPrograms()
        try run(author: "a", count: 1)
        // Without a merge, too. The unsaved entry must not keep the other program from saving.
        let entry = try context.insert(entity: "Entry")
        try entry.setValue(.string("c"), of: "author")
        try entry.setValue(.integer(1), of: "number")
        context.processPendingChanges()
        try run(author: "b", count: 1)
        context.processPendingChanges()
        observation.cancel()
        #expect(reports.map(\.count) == [2, 2, 1])
        #expect(results.sections.map(\.name) == ["a", "b", "c"])
        #expect(results.objects == (try context.fetch(Ledger.entries)))
    }

    @Test func mergeRefreshesObjectsWithoutFetch() throws {
        try Ledger.make(shared)
        let context = try context()
        let counter = try #require(try context.fetch(Ledger.counters).first)
        let entries = try counter.objects(of: "entries").all()
        #expect(entries.isEmpty)
        try run(count: 2)
        #expect(try counter.value(of: "total") == .integer(0))
        try context.coordinator.mergeSavesOfOtherPrograms(into: [context])
        #expect(try counter.value(of: "total") == .integer(2))
        #expect(try counter.objects(of: "entries").all().count == 2)
    }

    @Test func readerMergesSavesOfWriter() throws {
        try Ledger.make(shared)
        let reader = try Ledger.context(.sqlite(path: store.path, readOnly: true), author: "reader")
        reader.coordinator.close()
        // A program that writes keeps the index of the log open, which the reader uses.
        let writer = try SharingProgram(store.path, author: "other", count: 1_000_000)
        writer.wait(for: 1)
        let context = try Ledger.context(.sqlite(path: store.path, readOnly: true), author: "reader")
        let before = try Ledger.total(context)
        writer.wait(for: writer.reported + 5)
        writer.kill()
        let transactions = try context.coordinator.mergeSavesOfOtherPrograms(into: [context])
        // The writer also saved between the opening of the store and the first reading of the total.
        let saved = try context.coordinator.history().filter { $0.author == "other" }
        #expect(try Ledger.total(context) == Int64(saved.count))
        #expect(Int64(saved.count) - before <= Int64(transactions.count))
        #expect(saved.suffix(transactions.count).map(\.number) == transactions.map(\.number))
    }

    /// A reader may open the store at any moment of the beginning and the end of other programs.
    @Test func readerOpensWhileWritersComeAndGo() throws {
        try Ledger.make(shared)
        for _ in 0..<40 {
            let program = try SharingProgram(store.path, author: "other", count: 1)
            while program.isRunning {
                let context = try Ledger.context(.sqlite(path: store.path, readOnly: true), author: "reader")
                _ = try Ledger.total(context)
                context.coordinator.close()
            }
            // A reader without any writer keeps writers away.
            let errors = program.end()
            #expect(
                errors.isEmpty || errors.contains("a program that reads it has the store open"), "\(errors)")
        }
    }

    @Test func purgeByAnotherProgramIsReported() throws {
        try Ledger.make(shared)
        let context = try context()
        let counter = try #require(try context.fetch(Ledger.counters).first)
        try run(count: 3)
        try store.execute("DELETE FROM _transactions WHERE number < 4; DELETE FROM _changes WHERE number < 4")
        let error = try #require(throws: StoreError.self) {
            try context.coordinator.mergeSavesOfOtherPrograms(into: [context])
        }
        #expect(error.code == .historyLost)
        #expect(try counter.value(of: "total") == .integer(3))
        #expect(try context.coordinator.mergeSavesOfOtherPrograms(into: [context]).isEmpty)
    }

    // MARK: - Conflicts

    @Test func changeOfObjectThatAnotherProgramSavedIsRefused() throws {
        try Ledger.make(shared)
        let context = try context()
        let counter = try #require(try context.fetch(Ledger.counters).first)
        try counter.setValue(.integer(7), of: "total")
        try run()
        let error = try #require(throws: ConflictError.self) { try context.save() }
        #expect(error.objects == [counter.objectID])
        #expect(error.programs[counter.objectID]?.author == "other")
        #expect(error.description.contains("another program (other)"))
        #expect(!error.description.contains("another context"))
        // The refused save does not keep the store locked.
        try run()
        try context.refresh(counter)
        #expect(try counter.value(of: "total") == .integer(2))
    }

    @Test(arguments: [ManagedObjectContext.ConflictPolicy.mineWins, .theirsWins])
    func conflictPolicyAppliesToOtherPrograms(_ policy: ManagedObjectContext.ConflictPolicy) throws {
        try Ledger.make(shared)
        let context = try context()
        context.conflictPolicy = policy
        let counter = try #require(try context.fetch(Ledger.counters).first)
        try counter.setValue(.integer(70), of: "total")
        try counter.setValue(.string("mine"), of: "note")
        try run()
        try context.save()
        #expect(try counter.value(of: "total") == .integer(policy == .mineWins ? 70 : 1))
        #expect(try counter.value(of: "note") == .string("mine"))
        #expect(try store.rows("SELECT total, note FROM Counter") == ["\(policy == .mineWins ? 70 : 1)|mine"])
    }

    @Test func objectReadAfterSaveOfAnotherProgramIsNoConflict() throws {
        try Ledger.make(shared)
        let context = try context()
        try run()
        let counter = try #require(try context.fetch(Ledger.counters).first)
        try counter.setValue(.integer(5), of: "total")
        try context.save()
        #expect(try store.rows("SELECT total FROM Counter") == ["5"])
    }

    @Test func changeOfAnotherObjectIsNoConflict() throws {
        try Ledger.make(shared)
        let context = try context()
        let entry = try context.insert(entity: "Entry")
        try entry.setValue(.string("test"), of: "author")
        try entry.setValue(.integer(1), of: "number")
        try context.save()
        try run()
        try entry.setValue(.integer(2), of: "number")
        try context.save()
        #expect(try context.count(Ledger.entries) == 2)
    }

    /// A fetch writes unsaved changes into a transaction, which another program would have to wait for.
    @Test func unsavedChangesThatFetchWroteAreSaved() throws {
        try Ledger.make(shared)
        let context = try context()
        context.coordinator.waitForLocks(seconds: 0)
        let counter = try #require(try context.fetch(Ledger.counters).first)
        try run()
        try counter.setValue(.string("mine"), of: "note")
        #expect(try context.count(Ledger.entries) == 1)
        let error = try #require(throws: ConflictError.self) { try context.save() }
        #expect(error.objects == [counter.objectID])
        try context.refresh(counter)
        try counter.setValue(.string("mine"), of: "note")
        try context.save()
        #expect(try store.rows("SELECT total, note FROM Counter") == ["1|mine"])
    }
}
