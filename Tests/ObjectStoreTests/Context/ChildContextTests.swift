import Foundation
import ObjectStore
import TestSupport
import Testing

/// Child contexts, in every kind of store.
@Suite struct ChildContextTests {
    let directory = TemporaryStore()

    private func family(_ kind: TestedStore) throws -> (ManagedObjectContext, ManagedObjectContext) {
        let parent = try kind.shelf(in: directory)
        return (parent, ManagedObjectContext(parent: parent))
    }

    private func book(_ title: String, _ context: ManagedObjectContext) throws -> Book {
        try #require(try context.object(of: Book.self, matching: "title", equals: title))
    }

    private func titles(_ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(FetchRequest<Book>(orderedBy: [FetchOrder("id")])).map(\.title)
    }

    /// The titles that a context without unsaved changes reads.
    private func savedTitles(_ context: ManagedObjectContext) throws -> [String] {
        try titles(ManagedObjectContext(coordinator: context.coordinator))
    }

    // MARK: - Reading

    @Test(arguments: TestedStore.allCases)
    func childSeesUnsavedChangesOfItsParent(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let saved = try titles(parent)
        let new = try parent.insert(Book.self)
        new.title = "Sanditon"
        new.pages = 90
        let murray = try #require(
            try parent.object(of: Publisher.self, matching: "name", equals: "Murray"))
        new.publisher = murray
        new.authors.insert(
            try #require(try parent.object(of: Author.self, matching: "name", equals: "Jane")))
        try parent.delete(book("Persuasion", parent))
        try book("Emma", parent).title = "Emma, revised"
        #expect(
            try titles(child) == ["Emma, revised", "emma", "Mansfield Park", "\u{C9}ire", "Sanditon"])
        let seen = try #require(try child.counterpart(of: new))
        #expect(seen !== new && seen.context === child)
        #expect(try child.object(new.objectID) === seen)
        #expect(seen.publisher?.name == "Murray")
        #expect(seen.authors.map(\.name) == ["Jane"])
        #expect(seen.publisher?.books.map(\.title) == ["Emma, revised", "Sanditon"])
        let isShort = FetchRequest<Book>(
            matching: FetchPredicate(.key("pages"), .less, .value(.integer(100))))
        #expect(try child.count(isShort) == 3)
        #expect(try child.rows(isShort, of: [.count])[0][0] == .integer(3))
        #expect(try savedTitles(parent) == saved)
    }

    @Test(arguments: TestedStore.allCases)
    func laterChangesOfTheParentAreSeen(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let emma = try book("Emma", child)
        let jane = try #require(try child.object(of: Author.self, matching: "name", equals: "Jane"))
        #expect(jane.books.count == 3)
        let parentsEmma = try #require(try parent.counterpart(of: emma))
        parentsEmma.title = "E."
        parentsEmma.authors.replace(with: [])
        #expect(try book("E.", child) === emma)
        #expect(emma.title == "E.")
        #expect(jane.books.count == 2)
        try parent.refresh(parentsEmma)
        #expect(try book("Emma", child) === emma)
        #expect(emma.title == "Emma")
        #expect(jane.books.count == 3)
        try parent.delete(parentsEmma)
        #expect(try child.object(emma.objectID) == nil)
        parent.rollback()
        #expect(try book("Emma", child).title == "Emma")
    }

    @Test(arguments: TestedStore.allCases)
    func parentDoesNotSeeUnsavedChangesOfItsChild(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let saved = try titles(parent)
        try book("Emma", parent).pages = 475
        try child.insert(Book.self).title = "Sanditon"
        try child.delete(book("Persuasion", child))
        try book("Mansfield Park", child).title = "M."
        #expect(try titles(child) == ["Emma", "emma", "M.", "\u{C9}ire", "Sanditon"])
        #expect(try titles(parent) == saved)
        #expect(try book("Emma", parent).pages == 475)
        #expect(try titles(child) == ["Emma", "emma", "M.", "\u{C9}ire", "Sanditon"])
        #expect(try book("Emma", child).pages == 475)
        try parent.save()
        #expect(try savedTitles(parent) == saved)
        #expect(child.hasChanges && !parent.hasChanges)
        #expect(try titles(child) == ["Emma", "emma", "M.", "\u{C9}ire", "Sanditon"])
    }

    // MARK: - Saving

    @Test(arguments: TestedStore.allCases)
    func saveOfAChildChangesTheParentOnly(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let saved = try titles(parent)
        let new = try child.insert(Book.self)
        new.title = "Sanditon"
        new.publisher = try child.object(of: Publisher.self, matching: "name", equals: "Egerton")
        new.authors.insert(
            try #require(try child.object(of: Author.self, matching: "name", equals: "Cassandra")))
        let cover = try child.insert(Cover.self)
        cover.image = [7]
        new.cover = cover
        try child.delete(book("Persuasion", child))
        let emma = try book("Emma", child)
        emma.title = "E."
        emma.authors.replace(with: [])
        var events: [String] = []
        let observation = parent.observe { event in
            switch event {
            case .inserted(let object): events.append("inserted \(object.entity.name)")
            case .deleted(let object): events.append("deleted \(object.entity.name)")
            case .changed(let object, "title"): events.append("changed \(object.entity.name)")
            default: break
            }
        }
        try child.save()
        observation.cancel()
        #expect(
            Set(events) == ["inserted Book", "inserted Cover", "deleted Book", "changed Book"])
        #expect(!child.hasChanges && parent.hasChanges)
        #expect(parent.insertedObjects.map(\.objectID).contains(new.objectID))
        let expected = ["E.", "emma", "Mansfield Park", "\u{C9}ire", "Sanditon"]
        #expect(try titles(parent) == expected && titles(child) == expected)
        #expect(try savedTitles(parent) == saved)
        let parents = try #require(try parent.counterpart(of: new))
        #expect(parents.publisher?.name == "Egerton")
        #expect(parents.publisher?.books.count == 2)
        #expect(parents.authors.map(\.name) == ["Cassandra"])
        #expect(parents.cover?.book === parents)
        #expect(try book("E.", parent).changedProperties.sorted() == ["authors", "title"])
        #expect(try book("E.", parent).authors.isEmpty)
        try parent.save()
        #expect(try savedTitles(parent) == expected)
        #expect(!child.hasChanges)
        emma.pages = 1
        try child.save()
        try parent.save()
        #expect(try book("E.", ManagedObjectContext(coordinator: parent.coordinator)).pages == 1)
    }

    @Test(arguments: TestedStore.allCases)
    func saveOfAChildIsUndoneTogether(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        parent.undoLevels = 10
        let saved = try titles(parent)
        try book("\u{C9}ire", parent).pages = 8
        try book("Emma", child).title = "E."
        try child.delete(book("Persuasion", child))
        try child.insert(Book.self).title = "Sanditon"
        try child.save()
        parent.undo()
        #expect(try titles(parent) == saved)
        #expect(try titles(child) == saved)
        #expect(try book("\u{C9}ire", parent).pages == 8)
        parent.redo()
        #expect(try titles(child) == ["E.", "emma", "Mansfield Park", "\u{C9}ire", "Sanditon"])
        parent.undo()
        parent.undo()
        #expect(try book("\u{C9}ire", child).pages == 7)
    }

    @Test(arguments: TestedStore.allCases)
    func invalidChangesStayInTheChild(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let new = try parent.insert(Publisher.self)
        new.name = "Bentley"
        try child.insert(Publisher.self).name = "BENTLEY"
        #expect(throws: ValidationError.self) { try child.save() }
        #expect(child.hasChanges)
        #expect(parent.insertedObjects == [new])
        child.rollback()
        #expect(!child.hasChanges)
        try child.insert(Author.self).born = 1775
        #expect(throws: ValidationError.self) { try child.save() }
        #expect(parent.insertedObjects == [new])
    }

    @Test(arguments: TestedStore.allCases)
    func childThatIsReleasedLeavesNoTrace(_ kind: TestedStore) throws {
        let parent = try kind.shelf(in: directory)
        let saved = try titles(parent)
        do {
            let child = ManagedObjectContext(parent: parent)
            try child.insert(Book.self).title = "Sanditon"
            try child.delete(book("Emma", child))
            #expect(try titles(child).count == saved.count)
        }
        #expect(!parent.hasChanges)
        #expect(try titles(parent) == saved)
        try parent.insert(Book.self).title = "Lady Susan"
        try parent.save()
        #expect(try savedTitles(parent) == saved + ["Lady Susan"])
    }

    @Test(arguments: TestedStore.allCases)
    func childKeepsItsParent(_ kind: TestedStore) throws {
        var parent: ManagedObjectContext? = try kind.shelf(in: directory)
        let child = ManagedObjectContext(parent: try #require(parent))
        parent = nil
        try book("Emma", child).title = "E."
        try child.save()
        try child.parent?.save()
        #expect(try savedTitles(child).first == "E.")
    }

    // MARK: - Conflicts

    @Test(arguments: TestedStore.allCases)
    func objectThatBothChangeIsAConflict(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let mine = try book("Emma", child)
        let theirs = try book("Emma", parent)
        mine.title = "mine"
        theirs.title = "theirs"
        theirs.pages = 5
        let error = #expect(throws: ConflictError.self) { try child.save() }
        #expect(error?.objects == [mine.objectID])
        #expect(theirs.title == "theirs" && mine.title == "mine")
        child.conflictPolicy = .mineWins
        try child.save()
        #expect(theirs.title == "mine" && theirs.pages == 5)
        mine.title = "mine again"
        theirs.title = "theirs again"
        child.conflictPolicy = .theirsWins
        try child.save()
        #expect(theirs.title == "theirs again")
        #expect(try book("theirs again", child) === mine)
    }

    @Test(arguments: TestedStore.allCases, [false, true])
    func changeThatWasSetBackHidesNoChangeOfTheParent(_ kind: TestedStore, isUndone: Bool) throws {
        let (parent, child) = try family(kind)
        let grandchild = ManagedObjectContext(parent: child)
        grandchild.undoLevels = 4
        let saved = try titles(parent)
        for isReadBetween in [false, true] {
            try book("Emma", child).title = "rolled back"
            let emma = try book("rolled back", grandchild)
            emma.title = "set back"
            if isReadBetween { #expect(try titles(grandchild).contains("set back")) }
            if isUndone { grandchild.undo() } else { emma.title = "rolled back" }
            if isReadBetween { #expect(try titles(grandchild).contains("rolled back")) }
            child.rollback()
            #expect(try titles(grandchild) == saved)
            #expect(try grandchild.rows(Book.all.ordered(by: \.id), of: \.title) == saved)
            #expect(emma.title == "Emma" && !grandchild.hasChanges)
        }
        let emma = try book("Emma", grandchild)
        try book("Emma", parent).pages = 1
        emma.pages = 2
        emma.pages = 474
        #expect(try grandchild.count(Book.where { $0.pages == 1 }) == 1)
        #expect(try book("Emma", grandchild).pages == 1)
        try grandchild.save()
        #expect(!child.hasChanges)
    }

    @Test(arguments: TestedStore.allCases)
    func grandchildSeesValuesThatItsParentTookOver(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let grandchild = ManagedObjectContext(parent: child)
        child.conflictPolicy = .theirsWins
        try book("Emma", child).title = "lost"
        let emma = try book("lost", grandchild)
        try book("Emma", parent).title = "won"
        try child.save()
        #expect(try titles(grandchild) == titles(parent))
        #expect(emma.title == "won")
    }

    @Test(arguments: TestedStore.allCases)
    func objectThatTheParentRemovedIsAConflict(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let new = try parent.insert(Book.self)
        new.title = "Sanditon"
        let seen = try book("Sanditon", child)
        seen.pages = 3
        let emma = try book("Emma", child)
        emma.pages = 4
        parent.rollback()
        try parent.delete(book("Emma", parent))
        #expect(try child.count(FetchRequest<Book>()) == 4)
        let error = #expect(throws: ConflictError.self) { try child.save() }
        #expect(Set(error?.objects ?? []) == [seen.objectID, emma.objectID])
        child.rollback()
        #expect(try titles(child) == titles(parent))
        try book("Persuasion", child).pages = 9
        try child.save()
        try parent.save()
        #expect(try book("Persuasion", ManagedObjectContext(coordinator: parent.coordinator)).pages == 9)
    }

    @Test(arguments: TestedStore.allCases)
    func referenceToAnObjectThatTheParentRemovedIsReported(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let publisher = try parent.insert(Publisher.self)
        publisher.name = "Bentley"
        let new = try child.insert(Book.self)
        new.title = "Sanditon"
        new.publisher = try child.counterpart(of: publisher)
        parent.rollback()
        #expect(throws: StoreError.self) { try child.save() }
        #expect(!parent.hasChanges)
        new.publisher = nil
        try child.save()
        #expect(try titles(parent).last == "Sanditon")
    }

    @Test(arguments: TestedStore.allCases)
    func saveOfAnotherContextIsAConflictInTheChild(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let mine = try book("Emma", child)
        mine.title = "mine"
        let other = ManagedObjectContext(coordinator: parent.coordinator)
        try book("Emma", other).title = "saved"
        try other.save()
        #expect(throws: ConflictError.self) { try child.save() }
        try child.refresh(mine)
        #expect(mine.title == "saved")
    }

    // MARK: - Operations that change the store

    @Test(arguments: TestedStore.allCases)
    func childHasNoDirectSavesAndNoStreams(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let saved = try titles(parent)
        #expect(throws: FetchError.self) { try child.deleteAll(FetchRequest<Book>()) }
        #expect(throws: FetchError.self) {
            try child.updateAll(FetchRequest<Book>(), setting: ["title": "x"])
        }
        var updates = ObjectUpdates(of: Book.self, setting: ["pages"])
        updates.append(id: try book("Emma", child).id, values: [.integer(1)])
        #expect(throws: FetchError.self) { try child.updateEach([updates]) }
        #expect(throws: FetchError.self) { try child.stream(FetchRequest<Book>(), of: ["title"]) }
        #expect(throws: FetchError.self) { try child.stream(FetchRequest<Book>()) }
        #expect(try titles(parent) == saved)
    }

    @Test(arguments: TestedStore.allCases)
    func failedTransactionDiscardsTheSaveOfAChild(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let saved = try titles(parent)
        #expect(throws: CancellationError.self) {
            try parent.coordinator.transaction {
                try book("Emma", child).title = "E."
                try child.save()
                try parent.save()
                throw CancellationError()
            }
        }
        #expect(try titles(parent) == saved)
        #expect(try titles(child) == saved)
    }

    @Test func endOfTheProgramLosesTheSaveOfAChild() async throws {
        // The process that ends knows this one as its parent, and gets the path of the store in no other way.
        let path = FileManager.default.temporaryDirectory.path + "/objectstore-child-\(getpid()).sqlite"
        let files = ["", "-wal", "-shm"].map { path + $0 }
        for file in files { try? FileManager.default.removeItem(atPath: file) }
        defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let path = FileManager.default.temporaryDirectory.path + "/objectstore-child-\(getppid()).sqlite"
            let coordinator = PersistentStoreCoordinator(model: try Library.model())
            try coordinator.addStore(.sqlite(path: path))
            let parent = ManagedObjectContext(coordinator: coordinator)
            let child = ManagedObjectContext(parent: parent)
            try child.insert(Author.self).name = "saved"
            try child.save()
            try parent.save()
            try child.insert(Author.self).name = "unsaved"
            try child.save()
            _ = try parent.count(FetchRequest<Author>())
            kill(getpid(), SIGKILL)
        }
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(.sqlite(path: path))
        let context = ManagedObjectContext(coordinator: coordinator)
        #expect(try context.fetch(FetchRequest<Author>()).map(\.name) == ["saved"])
    }
}
