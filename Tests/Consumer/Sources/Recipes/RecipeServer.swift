import Foundation
import ObjectStore
import ObjectStoreFoundation

/// A server that answers many clients at the same time.
public struct RecipeServer: Sendable {
    private let container: PersistentContainer

    /// Opens a store of any kind. A store of an older version is migrated, while other tasks continue.
    public init(_ store: StoreConfiguration) async throws {
        container = try await PersistentContainer.open(
            store, model: RecipeModel.current(), migrating: RecipeModel.migration())
    }

    /// The report of the migration when the server was started.
    public var migrationReport: MigrationReport? { container.migrationReport }

    /// The saves from now on, for clients that show recipes.
    public var saves: ContainerSaves { container.saves() }

    /// Returns the recipes of a course, in no order. They may leave the server.
    public func recipes(_ course: Course) async throws -> [ObjectSnapshot<Recipe>] {
        try await container.read { context in
            try context.fetch(Recipe.where { $0.course == course }).map { $0.snapshot() }
        }
    }

    /// The recipes of a course, the quickest first, and again after each save that changes them.
    public func liveRecipes(_ course: Course) -> ContainerResults<[ObjectSnapshot<Recipe>]> {
        container.results(of: Recipe.where { $0.course == course }.ordered(by: \.seconds))
    }

    /// The number of all recipes, and again after each save that changes it.
    public var liveCount: ContainerResults<Int> { container.results { try $0.count(Recipe.all) } }

    /// Returns the recipes with all these words in their titles.
    public func recipes(withWords words: String) async throws -> [ObjectSnapshot<Recipe>] {
        try await container.read { context in
            try context.fetch(Recipe.where { $0.title.contains(words: words) }.ordered(by: \.title))
                .map { $0.snapshot() }
        }
    }

    /// Returns the time for all recipes of each course.
    public func times() async throws -> [Course: Int] {
        try await container.read { context in
            let rows = try context.sql(
                """
                SELECT \(\Recipe.course), sum(\(\Recipe.seconds)) FROM \(Recipe.self)
                WHERE \(\Recipe.seconds) > \(0) GROUP BY 1
                """, as: (Course, Int).self)
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    /// Returns the reply to a request for the recipes of a course: JSON with all their values.
    public func reply(_ course: Course) async throws -> Data {
        try await JSONEncoder().encode(recipes(course))
    }

    /// Returns the recipes of a reply, in a program that has no store.
    public static func recipes(ofReply reply: Data) throws -> [ObjectSnapshot<Recipe>] {
        let decoder = JSONDecoder()
        decoder.userInfo[.managedObjectModel] = try RecipeModel.current()
        return try decoder.decode([ObjectSnapshot<Recipe>].self, from: reply)
    }

    /// Changes the title of a recipe to that of a snapshot, such as one that a client has sent.
    public func rename(_ snapshot: ObjectSnapshot<Recipe>) async throws {
        try await container.write { context in
            guard let recipe = try context.object(snapshot.objectID) as? Recipe else { return }
            try ObjectCoding(\Recipe.title).fill(recipe, from: snapshot)
        }
    }

    public func close() async { await container.close() }

    /// Adds a recipe, and returns the number of recipes of its course.
    public func add(_ title: String, seconds: Int, _ course: Course) async throws -> Int {
        try await container.write(author: "server") { context in
            let recipe = try context.insert(Recipe.self)
            (recipe.title, recipe.seconds, recipe.course) = (title, seconds, course)
            return try context.count(Recipe.where { $0.course == course })
        }
    }

    /// Returns the titles of a course, and the time for all of them. Both are of one state.
    public func course(_ course: Course) async throws -> (titles: [String], seconds: Int) {
        try await container.read { context in
            let recipes = Recipe.where { $0.course == course }
            let titles = try context.fetch(recipes.ordered(by: \.title)).map(\.title)
            let seconds = try context.rows(recipes, of: \.seconds).reduce(0, +)
            return (titles, seconds)
        }
    }
}
