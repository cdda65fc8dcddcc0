import Foundation
import ObjectStore
import ObjectStoreXML
import Recipes
import Testing

/// The application, which uses ObjectStore as any other package does.
@Suite struct CookbookTests {
    private let directory = Directory()

    private func path(_ name: String) -> String { directory.url.appending(path: name).path }

    private func open(_ name: String = "recipes.sqlite") throws -> Cookbook {
        try Cookbook(.sqlite(path: path(name)))
    }

    // MARK: - Objects

    @Test func savedRecipeIsFoundAfterReopening() async throws {
        let book = try open()
        try await book.add(.init("Pea soup", minutes: 40, course: .soup, ingredients: ["peas", "mint"]))
        try await book.add(.init("Omelette", minutes: 10, ingredients: ["eggs", "mint"]))
        await book.close()
        let again = try open()
        #expect(try await again.entries().map(\.title) == ["Omelette", "Pea soup"])
        #expect(try await again.entries(upTo: 20).map(\.minutes) == [10])
        #expect(try await again.entries(with: "PEAS").map(\.ingredients) == [["mint", "peas"]])
        #expect(try await again.counts() == [.main: 1, .soup: 1])
    }

    @Test func brokenRulesAreReportedTogether() async throws {
        let book = try open()
        let error = await #expect(throws: ValidationError.self) {
            try await book.add(.init("", minutes: -1))
        }
        #expect(error?.failures.map(\.property).sorted() == ["seconds", "title"])
        let other = await #expect(throws: ValidationError.self) {
            try await book.add(.init("Ice", minutes: 0, course: .dessert))
        }
        #expect(other?.failures.map(\.rule) == [.custom])
        #expect(try await book.entries().isEmpty)
    }

    @Test func deletionIsDeniedWhileObjectsRefer() throws {
        let coordinator = PersistentStoreCoordinator(model: try RecipeModel.current())
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let author = try context.insert(Author.self)
        author.name = "Hannah"
        let recipe = try context.insert(Recipe.self)
        recipe.title = "Pudding"
        recipe.author = author
        try context.save()
        #expect(recipe.added != nil)
        #expect(throws: DeleteDeniedError.self) { try context.delete(author) }
        recipe.author = nil
        try context.delete(author)
        try context.save()
        #expect(try context.objects(of: Author.self).isEmpty)
    }

    // MARK: - Migration

    @Test func storeOfFirstVersionIsMigrated() async throws {
        let version1 = PersistentStoreCoordinator(model: try RecipeModel.version1())
        try version1.addStore(.sqlite(path: path("recipes.sqlite")))
        let context = ManagedObjectContext(coordinator: version1)
        let recipe = try context.insert(entity: "Recipe")
        try recipe.setValue(.string("Bread"), of: "name")
        try recipe.setValue(.integer(90), of: "minutes")
        let flour = try context.insert(entity: "Ingredient")
        try flour.setValue(.string("flour"), of: "name")
        try recipe.objects(of: "ingredients").insert(flour)
        try context.save()
        version1.close()

        let plain = PersistentStoreCoordinator(model: try RecipeModel.current())
        let error = #expect(throws: StoreError.self) {
            try plain.addStore(.sqlite(path: path("recipes.sqlite")))
        }
        #expect(error?.code == .modelMismatch)
        let forecast = try plain.forecast(
            .sqlite(path: path("recipes.sqlite")), migrating: RecipeModel.migration())
        #expect(forecast?.objectCount == 2 && forecast?.destination == ["2"])

        let book = try open()
        #expect(try await book.entries() == [.init("Bread", minutes: 90, ingredients: ["flour"])])
        #expect(try directory.names().contains { $0.hasSuffix(".backup") })
    }

    // MARK: - Concurrency

    @Test func readsContinueDuringBackgroundWrite() async throws {
        let book = try open()
        let many = (1...2_000).map { Cookbook.Entry("Recipe \($0)", minutes: $0) }
        async let writing: Void = book.add(many)
        for _ in 0..<5 {
            let count = try await book.entries().count
            #expect(count == 0 || count == many.count)
        }
        try await writing
        #expect(try await book.entries(upTo: 3).map(\.title) == ["Recipe 1", "Recipe 2", "Recipe 3"])
        #expect(try await book.entries().count == many.count)
    }

    @Test func failedBackgroundWriteChangesNothing() async throws {
        let book = try open()
        await #expect(throws: ValidationError.self) {
            try await book.add([Cookbook.Entry("Good", minutes: 1), Cookbook.Entry("", minutes: 1)])
        }
        #expect(try await book.entries().isEmpty)
        try await book.add(.init("Later", minutes: 1))
        #expect(try await book.entries().count == 1)
    }

    @Test func conflictIsSolvedByRefreshing() throws {
        let coordinator = PersistentStoreCoordinator(model: try RecipeModel.current())
        try coordinator.addStore(.sqlite(path: path("recipes.sqlite")))
        let (mine, theirs) = (
            ManagedObjectContext(coordinator: coordinator), ManagedObjectContext(coordinator: coordinator)
        )
        let recipe = try mine.insert(Recipe.self)
        recipe.title = "Stew"
        try mine.save()
        let same = try #require(try theirs.object(of: Recipe.self, id: recipe.id))
        recipe.seconds = 60
        same.seconds = 120
        try theirs.save()
        let conflict = #expect(throws: ConflictError.self) { try mine.save() }
        #expect(conflict?.objects == [recipe.objectID])
        try mine.refresh(recipe)
        #expect(recipe.seconds == 120)
        recipe.seconds = 180
        try mine.save()
        #expect(try theirs.object(of: Recipe.self, id: recipe.id)?.seconds == 180)
    }

    // MARK: - Kinds of store

    @Test func everyKindOfStoreHasTheSameRecipes() async throws {
        let entries = [
            Cookbook.Entry("Gazpacho", minutes: 20, course: .soup, ingredients: ["tomatoes"]),
            Cookbook.Entry("Paella", minutes: 70, ingredients: ["rice", "tomatoes"]),
        ]
        let kinds: [StoreConfiguration] = [
            .sqlite(path: path("a.sqlite")), .xml(path: path("a.xml")), .binary(path: path("a.binary")),
            StoreConfiguration(.lines, path: path("a.lines")),
        ]
        for store in kinds {
            let book = try Cookbook(store)
            for entry in entries { try await book.add(entry) }
            let copy = path("copy.\(store.kind)")
            try await book.backUp(to: copy)
            await book.close()
            let restored = try Cookbook(StoreConfiguration(store.kind, path: copy))
            #expect(try await restored.entries() == entries, "\(store.kind)")
            await restored.close()
        }
    }

    @Test func documentOpensAsStore() async throws {
        let book = try open()
        try await book.add(.init("Scones", minutes: 25, ingredients: ["flour", "butter"]))
        try Data(await book.document().utf8).write(to: URL(filePath: path("export.xml")))
        let copy = try Cookbook(.xml(path: path("export.xml"), readOnly: true))
        #expect(try await copy.entries() == book.entries())
        let error = await #expect(throws: StoreError.self) { try await copy.add(.init("Tea", minutes: 4)) }
        #expect(error?.code == .readOnly)
    }
}

/// A temporary directory, which is removed at the end of the test.
final class Directory {
    let url = URL.temporaryDirectory.appending(path: "consumer-\(UUID())")

    init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path) }
}
