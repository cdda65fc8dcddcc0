import ObjectStore
import ObjectStorePostgreSQL
import ObjectStoreXML
import TestSupport
import Testing

/// Migrations from versions that declare the same former names as the version after them.
@Suite struct KeptFormerNamesTests {
    let directory = TemporaryStore()

    static let kinds: [StoreKind] = [.sqlite, .postgresql, .xml, .binary]

    private static func models(_ versions: [[EntityDescription]]) throws -> [ManagedObjectModel] {
        try versions.enumerated().map { number, entities in
            try ManagedObjectModel(versionIdentifiers: ["\(number + 1)"], entities: entities)
        }
    }

    private static func items(_ attributes: AttributeDescription...) -> EntityDescription {
        EntityDescription("Item", attributes: attributes)
    }

    /// Migrates a store by one version after the other, and calls `change` in each of them.
    private func migrate(
        _ kind: StoreKind, _ versions: [ManagedObjectModel],
        change: (_ number: Int, ManagedObjectContext) throws -> Void
    ) throws {
        let store = directory.configuration(kind)
        for (position, version) in versions.enumerated() {
            let coordinator = PersistentStoreCoordinator(model: version)
            defer { coordinator.close() }
            let migration = StoreMigration(versions: Array(versions[...position]))
            #expect(try (coordinator.addStore(store, migrating: migration) != nil) == (position > 0))
            let context = ManagedObjectContext(coordinator: coordinator)
            try change(position + 1, context)
            try context.save()
        }
    }

    private func values(_ entity: String, _ names: [FetchColumn], in context: ManagedObjectContext) throws
        -> [[AttributeValue]]
    {
        try context.rows(FetchRequest<ManagedObject>(entity: entity), of: names).map { Array($0.values) }
    }

    @Test(arguments: kinds, [true, false])
    func exchangedValuesStay(_ kind: StoreKind, keepsNames: Bool) throws {
        let exchanged: [AttributeDescription] = [
            .string("first", renamedFrom: "last"), .string("last", renamedFrom: "first"),
        ]
        let plain: [AttributeDescription] = [.string("first"), .string("last")]
        let last = keepsNames ? exchanged : plain
        let versions = try Self.models(
            [plain, exchanged, last + [.string("note")]].map { [EntityDescription("Item", attributes: $0)] })
        try migrate(kind, versions) { number, context in
            if number == 1 {
                let item = try context.insert(entity: "Item")
                for name in ["first", "last"] { try item.setValue(.string(name), of: name) }
            } else {
                #expect(
                    try values("Item", ["first", "last"], in: context) == [
                        [.string("last"), .string("first")]
                    ])
            }
        }
    }

    @Test(arguments: kinds, [true, false])
    func renamedAttributeKeepsValuesNextToNewOne(_ kind: StoreKind, keepsNames: Bool) throws {
        let renamed = AttributeDescription.string("name", renamedFrom: "text")
        let last = keepsNames ? renamed : .string("name")
        let versions = try Self.models([
            [Self.items(.string("text"))], [Self.items(renamed)], [Self.items(renamed, .string("text"))],
            [Self.items(last, .string("text"), .string("note"))],
        ])
        try migrate(kind, versions) { number, context in
            switch number {
            case 1: try context.insert(entity: "Item").setValue(.string("A"), of: "text")
            case 2: #expect(try values("Item", ["name"], in: context) == [[.string("A")]])
            case 3:
                #expect(try values("Item", ["name", "text"], in: context) == [[.string("A"), .null]])
                try context.fetch(FetchRequest<ManagedObject>(entity: "Item"))[0]
                    .setValue(.string("B"), of: "text")
            default:
                #expect(try values("Item", ["name", "text"], in: context) == [[.string("A"), .string("B")]])
            }
        }
    }

    @Test(arguments: kinds) func renamedCompositeKeepsValuesNextToNewOne(_ kind: StoreKind) throws {
        let renamed = AttributeDescription.composite("address", [.string("street")], renamedFrom: "home")
        let home = AttributeDescription.composite("home", [.string("street")])
        let versions = try Self.models([
            [Self.items(home)], [Self.items(renamed)], [Self.items(renamed, home)],
            [
                Self.items(
                    .composite("address", [.string("road", renamedFrom: "street")], renamedFrom: "home"), home
                )
            ],
        ])
        try migrate(kind, versions) { number, context in
            let item = try context.fetch(FetchRequest<ManagedObject>(entity: "Item")).first
            switch number {
            case 1: try context.insert(entity: "Item").setValue(.string("A"), of: "home.street")
            case 2: break
            case 3: try item?.setValue(.string("B"), of: "home.street")
            default:
                #expect(
                    try values("Item", ["address.road", "home.street"], in: context)
                        == [[.string("A"), .string("B")]])
            }
        }
    }

    @Test(arguments: kinds) func newPartOfRenamedCompositeIsNew(_ kind: StoreKind) throws {
        func address(_ parts: AttributeDescription...) -> AttributeDescription {
            .composite("address", parts, renamedFrom: "home")
        }
        let (road, place) = (
            AttributeDescription.string("road", renamedFrom: "street"),
            AttributeDescription.composite("place", [.string("city")], renamedFrom: "town")
        )
        let town = AttributeDescription.composite("town", [.string("city"), .string("country")])
        let home = AttributeDescription.composite("home", [.string("street"), .string("city")])
        let wide = AttributeDescription.composite(
            "place", [.string("city"), .string("country")], renamedFrom: "town")
        let versions = try Self.models([
            [Self.items(.composite("home", [.string("street"), .composite("town", [.string("city")])]))],
            [Self.items(address(.string("street"), place))],
            [Self.items(address(.string("street"), place, town), home)],
            [Self.items(address(road, place, town), home)],
            [Self.items(address(road, .string("street"), .string("city"), wide, town), home)],
        ])
        try migrate(kind, versions) { number, context in
            let item = try context.fetch(FetchRequest<ManagedObject>(entity: "Item")).first
            switch number {
            case 1:
                let item = try context.insert(entity: "Item")
                try item.setValue(.string("A"), of: "home.street")
                try item.setValue(.string("B"), of: "home.town.city")
            case 3:
                for name in ["home.street", "home.city", "address.town.city", "address.town.country"] {
                    try item?.setValue(.string(name), of: name)
                }
            case 5:
                #expect(
                    try values(
                        "Item",
                        [
                            "address.road", "address.street", "address.city", "address.place.city",
                            "address.place.country", "home.street", "address.town.country",
                        ], in: context)
                        == [
                            [
                                .string("A"), .null, .null, .string("B"), .null, .string("home.street"),
                                .string("address.town.country"),
                            ]
                        ])
            default: break
            }
        }
    }

    @Test(arguments: kinds) func partMovesFromCompositeWithFormerName(_ kind: StoreKind) throws {
        let home = AttributeDescription.composite("home", [.string("street")])
        func address(_ parts: AttributeDescription...) -> AttributeDescription {
            .composite("address", [.string("street")] + parts, renamedFrom: "home")
        }
        let city = AttributeDescription.string("city", renamedFrom: "home.city")
        let versions = try Self.models([
            [Self.items(home)], [Self.items(address())],
            [Self.items(address(), .composite("home", [.string("street"), .string("city")]))],
            [Self.items(address(city), home)],
        ])
        try migrate(kind, versions) { number, context in
            let item = try context.fetch(FetchRequest<ManagedObject>(entity: "Item")).first
            switch number {
            case 1: try context.insert(entity: "Item").setValue(.string("A"), of: "home.street")
            case 3: try item?.setValue(.string("B"), of: "home.city")
            case 4:
                #expect(
                    try values("Item", ["address.street", "address.city", "home.street"], in: context)
                        == [[.string("A"), .string("B"), .null]])
            default: break
            }
        }
    }

    @Test(arguments: kinds) func renamedRelationshipKeepsObjectsNextToNewOne(_ kind: StoreKind) throws {
        func version(_ count: Int) -> [EntityDescription] {
            let homes = EntityDescription(
                "Item", attributes: count > 3 ? [.string("note")] : [],
                relationships: [
                    count == 1
                        ? .toOne("home", destination: "Place", inverse: "items")
                        : .toOne("office", destination: "Place", inverse: "workers", renamedFrom: "home")
                ] + (count > 2 ? [.toOne("home", destination: "Place", inverse: "items")] : []))
            let places = EntityDescription(
                "Place", attributes: [.string("name")],
                relationships: [
                    count == 1
                        ? .toMany("items", destination: "Item", inverse: "home")
                        : .toMany("workers", destination: "Item", inverse: "office", renamedFrom: "items")
                ] + (count > 2 ? [.toMany("items", destination: "Item", inverse: "home")] : []))
            return [homes, places]
        }
        try migrate(kind, Self.models((1...4).map(version))) { number, context in
            if number == 1 || number == 3 {
                let item =
                    try context.fetch(FetchRequest<ManagedObject>(entity: "Item")).first
                    ?? context.insert(entity: "Item")
                let place = try context.insert(entity: "Place")
                try place.setValue(.string("\(number)"), of: "name")
                try item.setTarget(place, of: "home")
            } else if number == 4 {
                #expect(
                    try values("Item", ["office.name", "home.name"], in: context)
                        == [[.string("1"), .string("3")]])
            }
        }
    }

    @Test(arguments: kinds) func renamedEntityKeepsObjectsNextToNewOne(_ kind: StoreKind) throws {
        let (name, photo) = (
            AttributeDescription.string("name"), AttributeDescription.binary("photo").external()
        )
        let note = AttributeDescription.string("note")
        let renamed = EntityDescription("Item", attributes: [name, photo], renamedFrom: "Task")
        let versions = try Self.models([
            [EntityDescription("Task", attributes: [name, photo])], [renamed],
            [renamed, EntityDescription("Task", attributes: [name, photo])],
            [renamed, EntityDescription("Task", attributes: [name, photo, note])],
        ])
        try migrate(kind, versions) { number, context in
            if number == 1 || number == 3 {
                let task = try context.insert(entity: "Task")
                try task.setValue(.string("\(number)"), of: "name")
                try task.setValue(.binary([UInt8(number)]), of: "photo")
            } else if number == 4 {
                for (entity, number) in [("Item", 1), ("Task", 3)] {
                    let objects = try context.fetch(FetchRequest<ManagedObject>(entity: entity))
                    #expect(try objects.map { try $0.value(of: "name") } == [.string("\(number)")])
                    #expect(try objects.map { try $0.value(of: "photo") } == [.binary([UInt8(number)])])
                }
            }
        }
    }

    @Test(arguments: kinds) func externalAttributeIsRenamedAfterItsEntity(_ kind: StoreKind) throws {
        func items(_ photo: AttributeDescription, renamedFrom: String? = "Task") -> [EntityDescription] {
            [EntityDescription("Item", attributes: [photo.external()], renamedFrom: renamedFrom)]
        }
        let picture = AttributeDescription.binary("picture", renamedFrom: "photo")
        let versions = try Self.models([
            [EntityDescription("Task", attributes: [.binary("photo").external()])],
            items(.binary("photo")), items(picture), items(picture) + [EntityDescription("Note")],
            items(picture)
                + [EntityDescription("Paper", attributes: [.string("text")], renamedFrom: "Note")],
            items(.binary("image", renamedFrom: "picture"))
                + [EntityDescription("Task", attributes: [.binary("picture").external()])],
        ])
        try migrate(kind, versions) { number, context in
            if number == 1 {
                try context.insert(entity: "Task").setValue(.binary([1]), of: "photo")
            } else {
                let names = [2: "photo", 6: "image"]
                let items = try context.fetch(FetchRequest<ManagedObject>(entity: "Item"))
                #expect(try items.map { try $0.value(of: names[number] ?? "picture") } == [.binary([1])])
            }
        }
    }

    /// The two versions differ only in a former name.
    @Test(arguments: kinds) func attributeIsRenamedToNameInUse(_ kind: StoreKind) throws {
        let versions = try Self.models([
            [Self.items(.string("x"), .string("y"))],
            [Self.items(.string("x", renamedFrom: "y"), .string("y", default: "new"))],
            [Self.items(.string("x", renamedFrom: "y"), .string("y", default: "new"), .string("note"))],
        ])
        try migrate(kind, versions) { number, context in
            if number == 1 {
                let item = try context.insert(entity: "Item")
                for name in ["x", "y"] { try item.setValue(.string(name), of: name) }
            } else {
                #expect(try values("Item", ["x", "y"], in: context) == [[.string("y"), .string("new")]])
            }
        }
    }
}
