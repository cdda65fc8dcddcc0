/// An aggregate of values that are added one by one. Their order does not change the result.
///
/// A store returns rows in its own order, so numbers are summed exactly. Only a result in doubles is rounded, once. The memory
/// does not grow with the number of values, unless equal values count once.
struct AggregateAccumulator {
    private var integers: Int128 = 0
    private var doubles = DoubleSum()
    private var decimals = DecimalSum()
    private var count = 0
    private var least: (key: ComparisonKey, value: AttributeValue)?
    private var greatest: (key: ComparisonKey, value: AttributeValue)?
    private var seen: Set<ComparisonKey>?

    /// - Parameter isDistinct: whether equal values count once.
    init(isDistinct: Bool) {
        seen = isDistinct ? [] : nil
    }

    /// Adds a value. `.null` does not count.
    mutating func add(_ value: AttributeValue) {
        guard let key = ComparisonKey(value) else { return }
        if seen?.insert(key).inserted == false { return }
        count += 1
        if least.map({ key < $0.key }) ?? true { least = (key, value) }
        if greatest.map({ $0.key < key }) ?? true { greatest = (key, value) }
        switch value {
        case .integer(let number): integers += Int128(number)
        case .boolean(let flag): integers += flag ? 1 : 0
        case .double(let number): doubles.add(number)
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

    /// Returns the result. The sum of no decimals is a decimal, too.
    func result(
        of operation: FetchPredicate.CollectionOperator, ofDecimals isDecimal: Bool
    ) -> AttributeValue {
        isDecimal && operation == .sum && count == 0 ? .decimal("0") : result(of: operation)
    }

    /// The sum of the values, or 0 if there are none.
    private var sum: AttributeValue {
        if !decimals.isEmpty { return .decimal(decimals.text) }
        if doubles.isEmpty {
            return Int64(exactly: integers).map { .integer($0) } ?? .double(Double(integers))
        }
        var all = doubles
        if integers != 0 { all.add(Double(integers)) }
        return PredicateArithmetic.number(all.value)
    }

    /// The average of the values, or `.null` if there are none.
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
