import ObjectStore

/// An object with enumerations, of which another program may have saved further cases.
final class Parcel: ManagedObject {
    enum Size: String, AttributeValueConvertible { case small, large }
    enum State: String, AttributeValueConvertible { case new, sent }

    @Attribute var size: Size?
    @Attribute var state: State = .new
    @Attribute(.required) var origin: State

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [EntityDescription(Parcel.self)])
    }

    /// Returns a saved parcel whose values are no cases of its enumerations.
    static func fromOtherProgram(_ context: ManagedObjectContext) throws -> Parcel {
        let parcel = try context.insert(Parcel.self)
        for name in ["size", "state", "origin"] { try parcel.setValue(.string("unknown"), of: name) }
        try context.save()
        return parcel
    }
}
