/// The identity of an object with derived attributes. It needs no object in memory.
struct DerivedObjectKey: Hashable {
    let place: AffectedOwners.Place
    let id: Int64
}
