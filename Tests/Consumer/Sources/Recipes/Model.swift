import Foundation
import ObjectStore
import ObjectStoreFoundation

/// A recipe of the current version of the model.
public final class Recipe: ManagedObject {
    @Attribute(.required, .length(1...100), renamedFrom: "name") public var title: String
    @Attribute(.range(0...)) public var seconds: Int = 0
    @Attribute public var course: Course = .main
    @Attribute public var added: Date?
    @ToMany public var ingredients: RelatedObjects<Ingredient>
    @ToOne public var author: Author?

    public override func awakeFromInsert() {
        added = Date()
    }

    public override func validate() throws {
        if course == .dessert, seconds == 0 { throw invalid(\Recipe.seconds, detail: "is 0 in a dessert") }
    }
}

public final class Ingredient: ManagedObject {
    @Attribute(.required, .uniqueIgnoringCase) public var name: String
    @ToMany(inverse: \Recipe.ingredients) public var recipes: RelatedObjects<Recipe>
}

public final class Author: ManagedObject {
    @Attribute(.required) public var name: String
    @ToMany(inverse: \Recipe.author, deleteRule: .deny) public var recipes: RelatedObjects<Recipe>
}

public enum Course: Int, AttributeValueConvertible, CaseIterable, Sendable {
    case main, soup, dessert
}

/// The versions of the model.
public enum RecipeModel {
    /// The oldest version. Its objects have no classes, because those belong to the current version.
    public static func version1() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [
                EntityDescription(
                    "Recipe",
                    attributes: [.string("name", .required), .integer32("minutes", default: 0)],
                    relationships: [.toMany("ingredients", destination: "Ingredient", inverse: "recipes")]),
                EntityDescription(
                    "Ingredient",
                    attributes: [.string("name", .required, .uniqueIgnoringCase)],
                    relationships: [.toMany("recipes", destination: "Recipe", inverse: "ingredients")]),
            ])
    }

    /// The current version. It renames `name`, keeps the time in seconds, and adds authors.
    public static func current() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(Recipe.self, indexedBy: .index(\.seconds), .search(\.title)),
                EntityDescription(Ingredient.self), EntityDescription(Author.self),
            ])
    }

    /// The settings with which a store of any version is opened.
    public static func migration() throws -> StoreMigration {
        let (first, second) = (try version1(), try current())
        let mapping = try MappingModel.inferred(
            from: first, to: second,
            given: ["Recipe": [.computed("seconds", try .init(format: "minutes * 60"))]])
        return StoreMigration(versions: [first, second], mappings: [mapping])
    }
}
