import ObjectStore

/// A server that answers many clients at the same time.
public struct RecipeServer: Sendable {
    private let container: PersistentContainer

    /// Opens a store of any kind. A store of an older version is migrated.
    public init(_ store: StoreConfiguration) throws {
        container = try PersistentContainer(
            store, model: RecipeModel.current(), migrating: RecipeModel.migration())
    }

    /// The saves from now on, for clients that show recipes.
    public var saves: ContainerSaves { container.saves() }

    /// Returns the recipes of a course, in no order. They may leave the server.
    public func recipes(_ course: Course) async throws -> [ObjectSnapshot<Recipe>] {
        try await container.read { context in
            try context.fetch(Recipe.where { $0.course == course }).map { $0.snapshot() }
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
