import ObjectStore
import Testing

/// Mistakes of a program in places that cannot throw. They end the program with a message, also in a release build.
@Suite struct ProgramMistakeTests {
    enum Mistake: String, CaseIterable, Codable, CustomTestStringConvertible {
        case requiredValueIsRead, unknownCaseIsRead, unknownCaseOfSnapshotIsRead
        case sequenceKeepsNoSaves, sequenceHasTwoIterators
        case resultsHaveNoSuchObject, fetchHasNoSuchRow
        case rowHasTooFewValues, rowHasNoSuchColumn
        case fetchedRowHasNoSuchColumn, fetchedValueHasNoSuchColumn, streamedRowHasNoSuchColumn
        case resultsHaveNoSuchSection
        case codingNamesPropertyOfOtherObject, aggregateNamesNumber, keyNamesForeignComposite

        var testDescription: String { rawValue }

        /// Part of the message, which names the entity and the property if there are any.
        var message: String {
            switch self {
            case .requiredValueIsRead:
                "Book 1.title is required and has no value yet; set it before it is read"
            case .unknownCaseIsRead, .unknownCaseOfSnapshotIsRead:
                "Parcel 1.origin has a value that its type in Swift cannot hold; add the case"
            case .sequenceKeepsNoSaves: "a sequence of saves keeps at least one; the limit is 0"
            case .sequenceHasTwoIterators: "the saves of a container have one iterator at a time"
            case .resultsHaveNoSuchObject: "section 0 has 0 objects and none at the index 2"
            case .fetchHasNoSuchRow: "there is no row 0; the fetch has 0 rows"
            case .rowHasTooFewValues: "a row of 2 columns got 1 values"
            case .rowHasNoSuchColumn: "there is no column 1; the entity has 1 columns"
            case .fetchedRowHasNoSuchColumn, .fetchedValueHasNoSuchColumn, .streamedRowHasNoSuchColumn:
                "there is no column 1; the row has 1 columns"
            case .resultsHaveNoSuchSection: "there is no section 1; the results have 1 sections"
            case .codingNamesPropertyOfOtherObject:
                "publisher.name is no property of Book itself; nest the relationship"
            case .aggregateNamesNumber: "@sum of authors.@count is not possible: name a property of Book"
            case .keyNamesForeignComposite:
                "WithForeignValue.house cannot be in a key path: its type ForeignValue"
            }
        }

        func make() async throws {
            let directory = TemporaryStore()
            switch self {
            case .requiredValueIsRead:
                let context = try TestedStore.memory.context(in: directory)
                _ = try context.insert(Book.self).title
            case .unknownCaseIsRead:
                let context = try TestedStore.memory.context(in: directory, Parcel.model())
                _ = try Parcel.fromOtherProgram(context).origin
            case .unknownCaseOfSnapshotIsRead:
                let context = try TestedStore.memory.context(in: directory, Parcel.model())
                _ = try Parcel.fromOtherProgram(context).snapshot().origin
            case .sequenceKeepsNoSaves:
                _ = try PersistentContainer(.memory, model: try Library.model()).saves(limit: 0)
            case .sequenceHasTwoIterators:
                let container = try PersistentContainer(.memory, model: try Library.model())
                let saves = container.saves()
                await withTaskGroup { group in
                    for _ in 1...2 {
                        group.addTask {
                            var iterator = saves.makeAsyncIterator()
                            _ = await iterator.next()
                        }
                    }
                }
                withExtendedLifetime(container) {}
            case .resultsHaveNoSuchObject:
                let context = try TestedStore.memory.context(in: directory)
                let results = FetchedResultsController(Book.all, in: context)
                try results.performFetch()
                _ = results[section: 0, index: 2]
            case .fetchHasNoSuchRow: _ = FetchedRows(columns: ["title"])[0]
            case .rowHasTooFewValues: _ = RowValues.make(count: 2) { $0.append(.null) }
            case .rowHasNoSuchColumn: _ = RowValues.make([.null])[1]
            case .fetchedRowHasNoSuchColumn:
                _ = try TestedStore.memory.shelf(in: directory).rows(Book.all, of: ["title"])[0][1]
            case .fetchedValueHasNoSuchColumn:
                _ = try TestedStore.memory.shelf(in: directory).rows(Book.all, of: ["title"])[0, 1]
            case .streamedRowHasNoSuchColumn:
                let context = try TestedStore.sqlite.shelf(in: directory)
                try context.forEachRow(Book.all, of: ["title"]) { _ = $0.value(at: 1) }
            case .resultsHaveNoSuchSection:
                let context = try TestedStore.memory.context(in: directory)
                let results = FetchedResultsController(Book.all, in: context)
                try results.performFetch()
                _ = results[section: 1, index: 0]
            case .codingNamesPropertyOfOtherObject: _ = ObjectCoding(\Book.publisher?.name)
            case .aggregateNamesNumber: _ = Publisher.where { $0.books.sum(\.authors.count) > 1 }
            case .keyNamesForeignComposite:
                _ = FetchOrder(\CompositeModelTests.WithForeignValue.house)
            }
        }
    }

    @Test(arguments: Mistake.allCases)
    func mistakeEndsProgramWithMessage(_ mistake: Mistake) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [mistake] in
            try await mistake.make()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Fatal error: \(mistake.message)"), "\(text)")
    }
}
