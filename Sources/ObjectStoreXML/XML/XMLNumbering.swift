internal import ObjectStore

/// The relation between the IDs of objects and their numbers in an XML store.
///
/// An ID is unique in its entity, a number in the whole document. With the stride `s`, the object with the ID
/// `i` of the `n`th entity has the number `i * s + n`. The entities are counted from 0 in the order of their
/// names. In a document by another program, the number is the ID.
struct XMLNumbering {
    /// The stride, or `nil` in a document by another program.
    private let stride: Int128?
    /// The position of each entity in the order of their names.
    private let places: [Int128]

    /// Creates the numbering of a document that this library writes.
    init(_ model: ManagedObjectModel) {
        self.init(model, stride: Int64(model.entities.count))
    }

    init(_ model: ManagedObjectModel, stride: Int64?) {
        self.stride = stride.map { Int128(max($0, 1)) }
        var places = [Int128](repeating: 0, count: model.entities.count)
        let sorted = model.entities.sorted { $0.name < $1.name }
        for (place, entity) in sorted.enumerated() { places[entity.index] = Int128(place) }
        self.places = places
    }

    func number(of id: Int64, _ entity: Entity) -> Int128 {
        Int128(id) * (stride ?? 1) + (stride == nil ? 0 : places[entity.index])
    }

    /// Returns the ID of an object in the document, such as `z102`.
    func name(of id: Int64, _ entity: Entity) -> String {
        let number = number(of: id, entity)
        // Converting a small number to text is much faster.
        return Int64(exactly: number).map { "z\($0)" } ?? "z\(number)"
    }

    /// Returns the ID of the object with a number, or `nil` if no object of the entity can have that number.
    func id(of number: Int128, _ entity: Entity) -> Int64? {
        guard let stride else { return Int64(exactly: number) }
        let (id, rest) = (number - places[entity.index]).quotientAndRemainder(dividingBy: stride)
        return rest == 0 ? Int64(exactly: id) : nil
    }
}
