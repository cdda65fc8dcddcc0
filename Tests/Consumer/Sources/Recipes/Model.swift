import Foundation
import ObjectStore
import ObjectStoreFoundation

/// A recipe of the current version of the model.
public final class Recipe: ManagedObject {
    @Attribute("title") public var title: String
    @Attribute("seconds") public var seconds: Int
    @Attribute("course") public var course: Course
    @Attribute("added") public var added: Date?
    @ToMany("ingredients") public var ingredients: RelatedObjects<Ingredient>
    @ToOne("author") public var author: Author?

    public override func awakeFromInsert() {
        added = Date()
    }

    public override func validate() throws {
        if course == .dessert, seconds == 0 { throw invalid("seconds", detail: "is 0 in a dessert") }
    }
}

public final class Ingredient: ManagedObject {
    @Attribute("name") public var name: String
    @ToMany("recipes") public var recipes: RelatedObjects<Recipe>
}

public final class Author: ManagedObject {
    @Attribute("name") public var name: String
    @ToMany("recipes") public var recipes: RelatedObjects<Recipe>
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
                EntityDescription(
                    "Recipe", class: Recipe.self,
                    attributes: [
                        .string("title", .required, .length(1...100), renamedFrom: "name"),
                        .integer32("seconds", .range(0...), default: 0),
                        .integer16("course", default: 0), .date("added"),
                    ],
                    relationships: [
                        .toMany("ingredients", destination: "Ingredient", inverse: "recipes"),
                        .toOne("author", destination: "Author", inverse: "recipes"),
                    ],
                    indexes: [.index("seconds")]),
                EntityDescription(
                    "Ingredient", class: Ingredient.self,
                    attributes: [.string("name", .required, .uniqueIgnoringCase)],
                    relationships: [.toMany("recipes", destination: "Recipe", inverse: "ingredients")]),
                EntityDescription(
                    "Author", class: Author.self,
                    attributes: [.string("name", .required)],
                    relationships: [
                        .toMany("recipes", destination: "Recipe", inverse: "author", deleteRule: .deny)
                    ]),
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
