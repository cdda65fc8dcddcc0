/// An order of rows, every key found; what all keys leave equal comes in the order of the ids.
struct RowOrder {
    private struct Term {
        let key: FetchKey
        let options: FetchPredicate.StringOptions
        let isAscending: Bool
        /// Whether a row without a value comes before one that has it.
        let nilIsFirst: Bool
        let zeroIsNil: Bool

        /// What has to be compared of a value; nil when it counts as none.
        func comparisonKey(_ value: AttributeValue) -> ComparisonKey? {
            let key = ComparisonKey(value, options)
            return zeroIsNil && (key == .integer(0) || value == .decimal("0")) ? nil : key
        }
    }

    private let terms: [Term]

    init(_ order: [FetchOrder], of entity: Entity, in model: ManagedObjectModel) throws(FetchError) {
        var terms: [Term] = []
        for order in order {
            let key = try FetchKey(order.key, of: entity, in: model)
            // Only strings have letters to overlook something in.
            let options = key.type == .string ? order.options : []
            terms.append(
                Term(
                    key: key, options: options, isAscending: order.isAscending,
                    nilIsFirst: order.isAscending && !order.nilIsLast, zeroIsNil: order.zeroIsNil))
        }
        self.terms = terms
    }

    /// Whether it is the order of the ids, in which rows come by themselves.
    var isByAscendingID: Bool {
        guard let first = terms.first else { return true }
        return first.key.hops.isEmpty && first.key.column == nil && first.isAscending
    }

    /// How many keys there are.
    var count: Int { terms.count }

    /// What has to be compared of a row, made of its values of the keys.
    func keys(of values: ArraySlice<AttributeValue>) -> [ComparisonKey?] {
        zip(terms, values).map { $0.comparisonKey($1) }
    }

    /// What has to be compared of a row.
    func keys(of subject: RowSubject<some RowSource>) throws -> [ComparisonKey?] {
        try terms.map { $0.comparisonKey(try subject.value(of: $0.key)) }
    }

    /// Whether the first comes before the second; nil when all keys are equal.
    func precedes(_ left: [ComparisonKey?], _ right: [ComparisonKey?]) -> Bool? {
        for (position, term) in terms.enumerated() {
            switch (left[position], right[position]) {
            case (nil, nil): continue
            case (nil, _?): return term.nilIsFirst
            case (_?, nil): return !term.nilIsFirst
            case (let first?, let second?):
                if first < second { return term.isAscending }
                if second < first { return !term.isAscending }
            }
        }
        return nil
    }
}
