import ObjectStore
import TestSupport
import Testing

/// Undo in a child context after its changes became changes of its parent, which may have discarded them.
@Suite struct ChildUndoTests {
    let directory = TemporaryStore()

    private func family(_ kind: TestedStore) throws -> (ManagedObjectContext, ManagedObjectContext) {
        let parent = try kind.shelf(in: directory)
        let child = ManagedObjectContext(parent: parent)
        (parent.undoLevels, child.undoLevels) = (10, 10)
        return (parent, child)
    }

    private func book(_ title: String, _ context: ManagedObjectContext) throws -> Book {
        try #require(try context.object(of: Book.self, matching: "title", equals: title))
    }

    private func titles(_ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(FetchRequest<Book>(orderedBy: [FetchOrder("id")])).map(\.title)
    }

    /// A way in which the parent gets back an object that its child has deleted.
    enum Return: CaseIterable {
        case rollback, undo
    }

    private func discard(_ way: Return, _ parent: ManagedObjectContext) {
        switch way {
        case .rollback: parent.rollback()
        case .undo: parent.undo()
        }
    }

    /// A parent that has discarded the deletion of a book, with the child that deleted it, and the titles of all books.
    private func discardedDeletion(
        _ kind: TestedStore, _ way: Return, titled title: String = "Emma"
    ) throws -> (parent: ManagedObjectContext, child: ManagedObjectContext, emma: Book, saved: [String]) {
        let (parent, child) = try family(kind)
        let saved = try titles(parent)
        let emma = try book("Emma", child)
        if emma.title != title { emma.title = title }
        try child.delete(emma)
        try child.save()
        discard(way, parent)
        return (parent, child, emma, saved)
    }

    @Test(arguments: TestedStore.allCases, Return.allCases)
    func deletionIsUndoneAfterParentDiscardedIt(_ kind: TestedStore, _ way: Return) throws {
        let (parent, child, emma, saved) = try discardedDeletion(kind, way, titled: "E.")
        child.undo()
        #expect(try titles(child) == saved)
        #expect(emma.title == "Emma" && emma.authors.map(\.name) == ["Jane"])
        #expect(emma.publisher?.name == "Murray")
        emma.pages = 475
        try child.save()
        try parent.save()
        #expect(try titles(parent) == saved)
        let other = ManagedObjectContext(coordinator: parent.coordinator)
        let same = try book("Emma", other)
        #expect(same.pages == 475 && same.authors.map(\.name) == ["Jane"])
        #expect(same.publisher?.name == "Murray")
    }

    @Test(arguments: TestedStore.allCases, Return.allCases)
    func parentDiscardsDeletionAfterChildHasUndoneIt(_ kind: TestedStore, _ way: Return) throws {
        let (parent, child) = try family(kind)
        let saved = try titles(parent)
        let emma = try book("Emma", child)
        try child.delete(emma)
        try child.save()
        for isRead in [false, true] {
            child.undo()
            if isRead { #expect(try titles(child) == saved) }
            discard(way, parent)
            #expect(try titles(child) == saved)
            #expect(!emma.isInserted && emma.authors.map(\.name) == ["Jane"])
            emma.pages += 1
            try child.save()
            #expect(try book("Emma", parent).pages == 475)
            parent.rollback()
            #expect(try book("Emma", child).pages == 474)
            try child.delete(emma)
            try child.save()
        }
    }

    @Test(arguments: TestedStore.allCases, Return.allCases)
    func readObjectIsKeptWhenItsDeletionIsUndone(_ kind: TestedStore, _ way: Return) throws {
        let (parent, child, emma, saved) = try discardedDeletion(kind, way)
        let again = try book("Emma", child)
        #expect(again !== emma && emma.isDeleted)
        child.undo()
        #expect(try titles(child) == saved)
        #expect(try book("Emma", child) === again)
        #expect(emma.isDeleted && again.authors.map(\.name) == ["Jane"])
        again.pages = 1
        try child.save()
        try parent.save()
        #expect(try titles(parent) == saved)
        #expect(try book("Emma", ManagedObjectContext(coordinator: parent.coordinator)).pages == 1)
    }

    @Test(arguments: TestedStore.allCases, Return.allCases)
    func insertionIsUndoneAfterParentDiscardedIt(_ kind: TestedStore, _ way: Return) throws {
        let (parent, child) = try family(kind)
        let saved = try titles(parent)
        let new = try child.insert(Book.self)
        new.title = "Sanditon"
        new.authors.insert(try #require(try child.fetch(FetchRequest<Author>()).first))
        try child.save()
        discard(way, parent)
        child.undo()
        #expect(try titles(child) == saved)
        try child.save()
        child.redo()
        #expect(try titles(child) == saved)
        try child.save()
        try parent.save()
        #expect(try titles(parent) == saved)
    }

    @Test(arguments: TestedStore.allCases)
    func undoneDeletionRestoresObjectThatParentSavedAsDeleted(_ kind: TestedStore) throws {
        let (parent, child) = try family(kind)
        let saved = try titles(parent)
        try child.delete(book("Emma", child))
        try child.save()
        try parent.save()
        child.undo()
        #expect(try titles(child) == saved)
        try child.save()
        try parent.save()
        let other = ManagedObjectContext(coordinator: parent.coordinator)
        #expect(try titles(other) == saved)
        #expect(try book("Emma", other).authors.map(\.name) == ["Jane"])
    }

    @Test(arguments: TestedStore.allCases, Return.allCases)
    func grandchildSeesWhatParentDiscarded(_ kind: TestedStore, _ way: Return) throws {
        let (parent, child) = try family(kind)
        let saved = try titles(parent)
        let grandchild = ManagedObjectContext(parent: child)
        grandchild.undoLevels = 10
        try grandchild.delete(book("Emma", grandchild))
        try grandchild.save()
        try child.save()
        child.undo()
        grandchild.undo()
        discard(way, parent)
        #expect(try titles(grandchild) == saved)
        try book("Emma", grandchild).pages = 9
        try grandchild.save()
        #expect(try titles(child) == saved)
        try child.save()
        try parent.save()
        #expect(try book("Emma", ManagedObjectContext(coordinator: parent.coordinator)).pages == 9)
    }
}
