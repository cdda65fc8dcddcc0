import Foundation
import ObjectStore
import Recipes
import Testing

/// A list that follows the changes of a context, and the history of these changes.
@Suite struct RecipeListTests {
    private let directory = Directory()

    private func context() throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: try RecipeModel.current())
        try coordinator.addStore(
            .sqlite(path: directory.url.appending(path: "list.sqlite").path, history: true))
        return ManagedObjectContext(coordinator: coordinator)
    }

    @discardableResult
    private func add(_ title: String, _ course: Course, to context: ManagedObjectContext) throws -> Recipe {
        let recipe = try context.insert(Recipe.self)
        (recipe.title, recipe.seconds, recipe.course) = (title, 60, course)
        return recipe
    }

    @Test func differencesMakeTheListCurrent() throws {
        let context = try context()
        try add("Bread", .main, to: context)
        try add("Stew", .main, to: context)
        try context.save()
        let list = try RecipeList(in: context)
        #expect(list.sections == [.init("main", ["Bread", "Stew"])])

        let ice = try add("Ice", .dessert, to: context)
        let miso = try add("Miso", .soup, to: context)
        try context.save()
        #expect(
            list.sections == [
                .init("main", ["Bread", "Stew"]), .init("soup", ["Miso"]), .init("dessert", ["Ice"]),
            ])
        #expect(list.drawnRows == 2)

        miso.title = "Miso soup"
        ice.course = .main
        context.processPendingChanges()
        #expect(list.sections == [.init("main", ["Bread", "Ice", "Stew"]), .init("soup", ["Miso soup"])])
        context.rollback()
        #expect(list.sections == list.current && list.sections.count == 3)

        let other = ManagedObjectContext(coordinator: context.coordinator)
        for recipe in try other.fetch(Recipe.where { $0.course == .main }) { try other.delete(recipe) }
        try add("Aspic", .main, to: other)
        try other.save()
        #expect(list.sections.map(\.titles) == [["Aspic"], ["Miso"], ["Ice"]])
        #expect(list.sections == list.current)
    }

    @Test func historyNamesChanges() throws {
        let context = try context()
        let coordinator = context.coordinator
        let recipe = try add("Bread", .main, to: context)
        context.transactionAuthor = "import"
        try context.save()
        let token = try coordinator.lastHistoryToken()
        let same = try JSONDecoder().decode(HistoryToken.self, from: JSONEncoder().encode(token))
        recipe.title = "Rye bread"
        try context.save()
        let history = try coordinator.history(after: same)
        #expect(history.map(\.author) == ["import"])
        #expect(history.flatMap(\.changes).map(\.object) == [recipe.objectID])
        #expect(history.flatMap(\.changes).map(\.properties) == [["title"]])
    }
}

extension RecipeList.Section {
    init(_ name: String, _ titles: [String]) { self.init(name: name, titles: titles) }
}
