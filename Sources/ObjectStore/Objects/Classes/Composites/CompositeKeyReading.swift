/// A type whose parts are recognized by their values when a key path is read.
///
/// A key path such as `\Person.home.city` reads the property `home` and then a stored property, which nothing can observe. So
/// the key path is applied several times, and the parts have other values each time. In every round, a part has one of
/// two values, and no other part has the same sequence of them. Each round has an opposite one, in which every part has its
/// other value, so that `a || b` and `a ?? b` are not taken for `a`.
protocol CompositeKeyReading {
    /// The number of times that a key path has to be applied.
    var rounds: Int { get }

    /// Returns the part to which a key path leads, or `nil` if it leads to something else.
    ///
    /// - Parameter values: The value of the key path in each round.
    /// - Returns: The name of the part, which is empty for the whole, and the names of its parts if it is a composite
    ///   attribute.
    func part(values: [Any]) -> (name: String, parts: [String]?)?
}

extension CompositeLayout: CompositeKeyReading {
    var rounds: Int { 2 * leaves.count + 2 }

    /// Returns the stored value of a part in one round.
    ///
    /// In the first half of the rounds, at most one part has its second value. In the other half, at most one has its first
    /// value. A computed property of one or two parts, such as the opposite of one, differs from every part in some round.
    func placeholder(of position: Int, round: Int) -> AttributeValue {
        let isSecondHalf = round > leaves.count
        let changed = round - (isSecondHalf ? leaves.count + 2 : 1)
        return leaves[position].placeholder(second: isSecondHalf != (position == changed))
    }

    func part(values: [Any]) -> (name: String, parts: [String]?)? {
        if let type = values.first.flatMap({ Swift.type(of: $0) as? any CompositeValue.Type }) {
            return composite(values, type)
        }
        let found = leaves.indices.filter { position in
            values.enumerated().allSatisfy { round, value in
                leaves[position].stored(value) == placeholder(of: position, round: round)
            }
        }
        return found.count == 1 ? (leaves[found[0]].name, nil) : nil
    }

    private func composite<Value: CompositeValue>(
        _ values: [Any], _ type: Value.Type
    ) -> (name: String, parts: [String]?)? {
        let layout = CompositeLayout<Value.Composed>.shared
        let whole = (name: "", positions: 0..<leaves.count, type: Composed.self as any Any.Type)
        let found = ([whole] + composites).first { candidate in
            candidate.type == Value.Composed.self
                && values.enumerated().allSatisfy { round, value in
                    let expected = candidate.positions.map { placeholder(of: $0, round: round) }
                    return (value as? Value).map { layout.values(of: $0) == expected } == true
                }
        }
        return found.map { found in (found.name, found.positions.map { leaves[$0].name }) }
    }

    /// Returns the name of a stored property whose place is not known, because it has observers.
    func nameByReading(_ key: PartialKeyPath<Composed>) -> String? {
        let values = (0..<rounds).map { round in
            let value: Composed = value {
                placeholder(of: $0, round: round)
            } reportUnreadable: { _ in
            }
            return value[keyPath: key]
        }
        guard let name = part(values: values)?.name else { return nil }
        return name.isEmpty ? nil : name
    }
}
