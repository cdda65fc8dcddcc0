/// Reduces values that come one by one, in any order, to the same result.
///
/// Integers and decimals are summed exactly. Doubles are kept and summed from the least to the greatest, because a
/// store gives them in an order of its own and rounding depends on it.
struct AggregateAccumulator {
    private var integers: Int128 = 0
    private var doubles: [Double] = []
    private var decimals = DecimalSum()
    private var count = 0
    private var least: (key: ComparisonKey, value: AttributeValue)?
    private var greatest: (key: ComparisonKey, value: AttributeValue)?
    private var seen: Set<ComparisonKey>?

    /// - Parameter isDistinct: whether equal values count once.
    init(isDistinct: Bool) {
        seen = isDistinct ? [] : nil
    }

    /// Nil does not count.
    mutating func add(_ value: AttributeValue) {
        guard let key = ComparisonKey(value) else { return }
        if seen?.insert(key).inserted == false { return }
        count += 1
        if least.map({ key < $0.key }) ?? true { least = (key, value) }
        if greatest.map({ $0.key < key }) ?? true { greatest = (key, value) }
        switch value {
        case .integer(let number): integers += Int128(number)
        case .boolean(let flag): integers += flag ? 1 : 0
        case .double(let number): doubles.append(number)
        case .decimal(let text): decimals.add(text)
        default: break
        }
    }

    func result(of operation: FetchPredicate.CollectionOperator) -> AttributeValue {
        switch operation {
        case .count: .integer(Int64(count))
        case .sum: sum
        case .avg: average
        case .min: least?.value ?? .null
        case .max: greatest?.value ?? .null
        }
    }

    /// 0 when there is nothing to add up.
    private var sum: AttributeValue {
        if !decimals.isEmpty { return .decimal(decimals.text) }
        if doubles.isEmpty {
            return Int64(exactly: integers).map { .integer($0) } ?? .double(Double(integers))
        }
        return PredicateArithmetic.number(doubles.sorted().reduce(Double(integers), +))
    }

    /// Nil when there is nothing to take the average of.
    private var average: AttributeValue {
        if count == 0 { return .null }
        switch sum {
        case .integer(let number): return .double(Double(number) / Double(count))
        case .double(let number): return PredicateArithmetic.number(number / Double(count))
        case .decimal(let text): return Double(text).map { .double($0 / Double(count)) } ?? .null
        default: return .null
        }
    }
}
