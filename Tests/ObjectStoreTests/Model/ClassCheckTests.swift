import ObjectStore
import Testing

/// Classes that do not match the entity `Thing`, each in one way. The model refuses them.
@Suite struct ClassCheckTests {
    final class Good: ManagedObject {
        @Attribute("name") var name: String
        @Attribute("size") var size: Int?
        @Attribute("kind") var kind: Kind
        @ToOne("whole") var whole: Good?
        @ToMany("parts") var parts: RelatedObjects<Good>
    }

    enum Kind: Int16, AttributeValueConvertible {
        case solid, liquid
    }

    final class UnknownAttribute: ManagedObject {
        @Attribute("title") var title: String
    }

    final class WrongType: ManagedObject {
        @Attribute("name") var name: Int
    }

    final class TooNarrow: ManagedObject {
        @Attribute("size") var size: Int16?
    }

    final class NoPlaceForNil: ManagedObject {
        @Attribute("size") var size: Int
    }

    final class ToManyAsToOne: ManagedObject {
        @ToOne("parts") var parts: ToManyAsToOne?
    }

    final class WrongDestination: ManagedObject {
        @ToOne("whole") var whole: Good?
    }

    final class WrongElement: ManagedObject {
        @ToMany("parts") var parts: RelatedObjects<Good>
    }

    final class RelationshipAsAttribute: ManagedObject {
        @Attribute("whole") var whole: Int?
    }

    class Base: ManagedObject {
        @Attribute("title") var title: String
    }

    final class Derived: Base {
        @Attribute("name") var name: String
    }

    static func model(_ objectClass: ManagedObject.Type) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "Thing", class: objectClass,
                attributes: [.string("name", .required), .integer32("size"), .integer16("kind", default: 0)],
                relationships: [
                    .toOne("whole", destination: "Thing", inverse: "parts"),
                    .toMany("parts", destination: "Thing", inverse: "whole"),
                ])
        ])
    }

    @Test func matchingClassIsAccepted() throws {
        #expect(try Self.model(Good.self).entity(of: Good.self)?.name == "Thing")
    }

    @Test(
        arguments: [
            (UnknownAttribute.self, "title", "the entity has no attribute of this name"),
            (WrongType.self, "name", "its type Int cannot hold every value of the type string"),
            (
                TooNarrow.self, "size",
                "its type Optional<Int16> cannot hold every value of the type integer32"
            ),
            (
                NoPlaceForNil.self, "size",
                "its type Int has no place for nil, but the attribute is optional; write Int?"
            ),
            (ToManyAsToOne.self, "parts", "the entity has no to-one relationship of this name"),
            (WrongDestination.self, "whole", "has the destination Thing, and its class is not Good"),
            (WrongElement.self, "parts", "has the destination Thing, and its class is not Good"),
            (RelationshipAsAttribute.self, "whole", "the entity has no attribute of this name"),
            (Derived.self, "title", "the entity has no attribute of this name"),
        ] as [(ManagedObject.Type, String, String)])
    func mismatchedClassIsRefused(
        _ objectClass: ManagedObject.Type, _ property: String, _ complaint: String
    ) {
        let error = #expect(throws: ModelError.self) { try Self.model(objectClass) }
        #expect(error?.description == "Thing.\(property): in the class \(objectClass): \(complaint)")
        #expect(error?.code == .classMismatch)
    }

    @Test func classBelongsToOneEntity() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [
                EntityDescription("A", class: Base.self, attributes: [.string("title", .required)]),
                EntityDescription("B", class: Base.self, attributes: [.string("title", .required)]),
            ])
        }
        #expect(error?.description == "B: its class Base is that of A already")
    }

    @Test func rawValuesAreKept() throws {
        let store = TemporaryStore()
        let context = try store.context(Self.model(Good.self))
        let thing = try context.insert(Good.self)
        thing.name = "water"
        #expect(thing.kind == .solid)
        thing.kind = .liquid
        try context.save()
        #expect(try store.rows("SELECT kind FROM Thing") == ["1"])
    }
}
