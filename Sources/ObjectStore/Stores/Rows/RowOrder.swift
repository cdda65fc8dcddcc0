/// A sort order with resolved keys. Rows that are equal in all keys are in the order of their IDs.
struct RowOrder {
    private struct Term {
        let key: FetchKey
        let options: StringOptions
        let isAscending: Bool
        /// Whether a row without a value comes before a row with one.
        let nilIsFirst: Bool
        let zeroIsNil: Bool

        /// Returns the sort key of a value, or `nil` if the value counts as missing.
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
            // The options, such as ignoring case, apply to strings only.
            let options = key.type == .string ? order.options : []
            terms.append(
                Term(
                    key: key, options: options, isAscending: order.isAscending,
                    nilIsFirst: order.isAscending && !order.nilIsLast, zeroIsNil: order.zeroIsNil))
        }
        self.terms = terms
    }

    /// Whether this is the ascending order of the IDs, in which rows are found anyway.
    var isByAscendingID: Bool {
        guard let first = terms.first else { return true }
        return first.key.hops.isEmpty && first.key.column == nil && first.isAscending
    }

    /// The number of keys.
    var count: Int { terms.count }

    /// Returns the sort keys of a row, made from its values for the keys of the order.
    func keys(of values: ArraySlice<AttributeValue>) -> [ComparisonKey?] {
        zip(terms, values).map { $0.comparisonKey($1) }
    }

    /// Returns the sort keys of a row. `value` returns its value for a key of the order.
    func keys(_ value: (FetchKey) -> AttributeValue) -> [ComparisonKey?] {
        terms.map { $0.comparisonKey(value($0.key)) }
    }

    /// Returns the sort keys of a row.
    func keys(of subject: RowSubject<some RowSource>) throws -> [ComparisonKey?] {
        try terms.map { $0.comparisonKey(try subject.value(of: $0.key)) }
    }

    /// Whether the first row comes before the second, or `nil` if all keys are equal.
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
