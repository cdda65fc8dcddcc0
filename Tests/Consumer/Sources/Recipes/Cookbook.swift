import ObjectStore
import ObjectStoreXML

/// The recipes of a store. The actor owns the context, and gives out values only.
public actor Cookbook {
    /// A recipe as a value, which may leave the actor.
    public struct Entry: Hashable, Sendable {
        public var title: String
        public var minutes: Int
        public var course: Course
        public var ingredients: [String]

        public init(_ title: String, minutes: Int, course: Course = .main, ingredients: [String] = []) {
            self.title = title
            self.minutes = minutes
            self.course = course
            self.ingredients = ingredients
        }
    }

    private let store: StoreConfiguration
    private let context: ManagedObjectContext

    /// Opens a store of any kind. A store of an older version is migrated.
    public init(_ store: StoreConfiguration) throws {
        self.store = store
        let coordinator = PersistentStoreCoordinator(model: try RecipeModel.current())
        try coordinator.addStore(store, migrating: RecipeModel.migration())
        context = ManagedObjectContext(coordinator: coordinator)
    }

    public func close() { context.coordinator.close() }

    // MARK: - Changes

    @discardableResult
    public func add(_ entry: Entry) throws -> ObjectID {
        let recipe = try Self.insert(entry, into: context)
        do {
            try context.save()
        } catch {
            context.rollback()
            throw error
        }
        return recipe.objectID
    }

    /// Adds many recipes in another thread, while this actor continues to answer.
    public func add(_ entries: [Entry]) async throws {
        guard let writer = try context.coordinator.beginBackgroundWrite() else {
            for entry in entries { try add(entry) }
            return
        }
        let result = await Task.detached { try Self.write(entries, with: writer) }.result
        defer { context.coordinator.endBackgroundWrite() }
        try context.coordinator.merge(result.get(), into: [context])
    }

    public func delete(titled title: String) throws {
        for recipe in try context.objects(of: Recipe.self, matching: \.title, equals: title) {
            try context.delete(recipe)
        }
        try context.save()
    }

    private static func write(_ entries: [Entry], with writer: BackgroundWriter) throws -> SavedChanges {
        let coordinator = try writer.open()
        defer { coordinator.close() }
        var saved = SavedChanges()
        let observation = coordinator.observeSaves { saved.append($0) }
        defer { observation.cancel() }
        let context = ManagedObjectContext(coordinator: coordinator)
        try coordinator.transaction {
            for (number, entry) in entries.enumerated() {
                _ = try insert(entry, into: context)
                if number % 500 == 499 { try context.save() }
            }
            try context.save()
        }
        return saved
    }

    private static func insert(_ entry: Entry, into context: ManagedObjectContext) throws -> Recipe {
        let recipe = try context.insert(Recipe.self)
        recipe.title = entry.title
        recipe.seconds = entry.minutes * 60
        recipe.course = entry.course
        for name in entry.ingredients {
            if let known = try context.object(of: Ingredient.self, matching: \.name, equals: name) {
                recipe.ingredients.insert(known)
            } else {
                let ingredient = try context.insert(Ingredient.self)
                ingredient.name = name
                recipe.ingredients.insert(ingredient)
            }
        }
        return recipe
    }

    // MARK: - Reading

    /// The recipes that take at most some minutes, the shortest first.
    public func entries(upTo minutes: Int = .max / 60, with ingredient: String? = nil) throws -> [Entry] {
        var request = Recipe.where { $0.seconds <= minutes * 60 }.ordered(by: \.seconds).ordered(by: \.title)
        if let ingredient {
            request = request.where {
                $0.ingredients.any.name.equals(
                    ingredient, options: [.caseInsensitive, .diacriticInsensitive])
            }
        }
        let recipes = try context.fetch(request)
        let kept = try context.prefetch(\.ingredients, of: recipes)
        return withExtendedLifetime(kept) {
            recipes.map { recipe in
                Entry(
                    recipe.title, minutes: recipe.seconds / 60, course: recipe.course,
                    ingredients: recipe.ingredients.map(\.name).sorted())
            }
        }
    }

    /// The number of recipes in each course.
    public func counts() throws -> [Course: Int] {
        let rows = try context.rows(Recipe.all, of: .key(\.course), .count, groupedBy: [\.course])
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// The document of a Core Data store with the same objects.
    public func document() throws -> String {
        guard let store = context.coordinator.store else { return "" }
        let stream = try XMLDocumentStream(of: store, model: context.model)
        var text = ""
        while let chunk = try stream.next() { text += chunk }
        return text
    }

    /// Copies the store, which may be in use.
    public func backUp(to path: String) throws { try StoreBackup.copy(store, to: path) }
}
