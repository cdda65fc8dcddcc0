/// How the ids of objects and the numbers in an XML store belong together.
///
/// An id is one of its entity, a number one of the whole document. With the stride *s*, the object with the id
/// *i* of the *n*th entity, in the order of their names, has the number *i*s + n*. In a document of another
/// program the number is the id.
struct XMLNumbering {
    /// Nil in a document of another program.
    private let stride: Int128?
    /// The place of each entity in the order of the names.
    private let places: [Int128]

    /// The numbering of a document that is written now.
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

    /// `z102`
    func name(of id: Int64, _ entity: Entity) -> String {
        let number = number(of: id, entity)
        // Making text of a small number is much faster.
        return Int64(exactly: number).map { "z\($0)" } ?? "z\(number)"
    }

    /// Nil when it is not a number of that entity.
    func id(of number: Int128, _ entity: Entity) -> Int64? {
        guard let stride else { return Int64(exactly: number) }
        let (id, rest) = (number - places[entity.index]).quotientAndRemainder(dividingBy: stride)
        return rest == 0 ? Int64(exactly: id) : nil
    }
}
