import Testing

@testable import ObjectStore

/// The statements that a mapping is translated to.
@Suite struct SQLMigrationTests {
    private static func entities(_ attributes: [AttributeDescription]) -> [EntityDescription] {
        [EntityDescription("Item", attributes: attributes)]
    }

    private static func statements(
        _ before: [EntityDescription], _ after: [EntityDescription], given: [String: [PropertyMapping]] = [:],
        edit: (inout MappingModel) -> Void = { _ in }
    ) throws -> [String] {
        let source = try ManagedObjectModel(entities: before)
        let destination = try ManagedObjectModel(entities: after)
        var mapping = try MappingModel.inferred(from: source, to: destination, given: given)
        edit(&mapping)
        let resolved = try ResolvedMapping(mapping, now: Timestamp(secondsSince1970: 5))
        return try SQLMigration(resolved).steps.compactMap { step in
            switch step {
            case .statement(let text): text
            case .update(let table, let assignments):
                "UPDATE \(table) \(assignments.text) -- \(assignments.bindings)"
            case .dropIndexes: nil
            }
        }
    }

    @Test func newAttributesAddColumns() throws {
        let statements = try Self.statements(
            Self.entities([.string("name")]),
            Self.entities([
                .string("name"), .date("due"), .boolean("done", default: false),
                .string("kind", default: "it's"),
                .string("accent", default: "é"),
            ]))
        #expect(
            statements == [
                #"ALTER TABLE "Item" ADD COLUMN "due" REAL"#,
                #"ALTER TABLE "Item" ADD COLUMN "done" INTEGER DEFAULT 0"#,
                #"ALTER TABLE "Item" ADD COLUMN "kind" TEXT DEFAULT 'it''s'"#,
                #"ALTER TABLE "Item" ADD COLUMN "accent" TEXT"#,
                #"UPDATE Item SET "accent" = ? -- [é]"#,
            ])
    }

    @Test func renamedAndRemovedAttributesRenameAndDropColumns() throws {
        let statements = try Self.statements(
            Self.entities([.string("a"), .string("b"), .string("c")]),
            Self.entities([.string("a", renamedFrom: "b"), .string("b", renamedFrom: "a")]))
        #expect(
            statements == [
                #"ALTER TABLE "Item" RENAME COLUMN "a" TO "_old_a""#,
                #"ALTER TABLE "Item" RENAME COLUMN "b" TO "_old_b""#,
                #"ALTER TABLE "Item" RENAME COLUMN "c" TO "_old_c""#,
                #"ALTER TABLE "Item" RENAME COLUMN "_old_a" TO "b""#,
                #"ALTER TABLE "Item" RENAME COLUMN "_old_b" TO "a""#,
                #"ALTER TABLE "Item" DROP COLUMN "_old_c""#,
            ])
    }

    @Test func typesStoredAlikeKeepTheirColumns() throws {
        let statements = try Self.statements(
            Self.entities([.integer16("a"), .uuid("b"), .boolean("c"), .integer16("d")]),
            Self.entities([.integer64("a"), .string("b"), .integer32("c"), .double("d")]))
        #expect(
            statements == [
                #"ALTER TABLE "Item" RENAME COLUMN "d" TO "_old_d""#,
                #"ALTER TABLE "Item" ADD COLUMN "d" REAL"#,
                #"UPDATE Item SET "d" = CAST("_old_d" AS REAL) -- []"#,
                #"ALTER TABLE "Item" DROP COLUMN "_old_d""#,
            ])
    }

    @Test func expressionsAndDefaultsBecomeOneUpdate() throws {
        let statements = try Self.statements(
            Self.entities([.integer32("urgency"), .string("note")]),
            Self.entities([
                .integer32("priority"), .string("note", .required, default: "none"), .date("made", .required),
            ]),
            given: [
                "Item": [
                    .computed("priority", try .init(format: "10 - urgency"), whenNil: .integer(0)),
                    .migrationDate("made"),
                ]
            ])
        let bindings: [AttributeValue] = [
            .integer(10), .integer(0), .string("none"), .date(Timestamp(secondsSince1970: 5)),
        ]
        #expect(
            statements == [
                #"ALTER TABLE "Item" RENAME COLUMN "urgency" TO "_old_urgency""#,
                #"ALTER TABLE "Item" ADD COLUMN "priority" INTEGER"#,
                #"ALTER TABLE "Item" ADD COLUMN "made" REAL"#,
                #"UPDATE Item SET "priority" = ifnull((? - "_old_urgency"), ?), "note" = ifnull("note", ?), "made" = ? "#
                    + "-- \(bindings)",
                #"ALTER TABLE "Item" DROP COLUMN "_old_urgency""#,
            ])
    }

    @Test func toOneBecomesToMany() throws {
        let statements = try Self.statements(
            [
                EntityDescription(
                    "Item", relationships: [.toOne("list", destination: "List", inverse: "items")]),
                EntityDescription(
                    "List", relationships: [.toMany("items", destination: "Item", inverse: "list")]),
            ],
            [
                EntityDescription(
                    "Item", relationships: [.toMany("list", destination: "List", inverse: "items")]),
                EntityDescription(
                    "List", relationships: [.toMany("items", destination: "Item", inverse: "list")]),
            ])
        #expect(
            statements == [
                #"ALTER TABLE "Item" RENAME COLUMN "list" TO "_old_list""#,
                #"CREATE TABLE "Item_list" ("owner" INTEGER NOT NULL REFERENCES "Item" ("id") DEFERRABLE INITIALLY DEFERRED, "#
                    + #""other" INTEGER NOT NULL REFERENCES "List" ("id") DEFERRABLE INITIALLY DEFERRED, "#
                    + #"PRIMARY KEY ("owner", "other")) STRICT, WITHOUT ROWID"#,
                #"INSERT OR IGNORE INTO "Item_list" ("owner", "other") SELECT "id", "_old_list" FROM "Item" WHERE "_old_list" IS NOT NULL"#,
                #"ALTER TABLE "Item" DROP COLUMN "_old_list""#,
            ])
    }

    @Test(arguments: [
        ("Item has a policy", "policy"), ("Item is for some objects of its entity only", "predicate"),
        ("Item has values that are computed object by object", "function"),
        ("Item.size makes doubles of integers", "double"),
    ])
    func obstacleNamesReasonAgainstSQL(reason: String, case name: String) throws {
        let error = #expect(throws: SQLMigration.Obstacle.self) {
            try Self.statements(
                Self.entities([.string("name"), .integer64("size")]),
                Self.entities([.string("name"), .double("size")]),
                given: [
                    "Item": name == "double" ? [.copy("size")] : [.constant("size", .double(1))]
                ]
            ) { mapping in
                switch name {
                case "policy": mapping["Item"]?.policy = { EntityMigrationPolicy() }
                case "predicate":
                    mapping["Item"]?.sourcePredicate = FetchPredicate(
                        .key("size"), .equal, .value(.integer(1)))
                case "function":
                    mapping["Item"]?[property: "name"] = .computed(
                        "name", .function(.uppercase, [.key("name")]))
                default: break
                }
            }
        }
        #expect(error?.description == reason)
    }
}
