/// A cursor that merges the rows of several sources, each of them sorted, into one sorted sequence.
final class MergedRows: StoreCursor {
    private typealias Head = (row: [AttributeValue], keys: [ComparisonKey?])

    private let sources: [any StoreCursor]
    /// The number of values to return from each row. The values for the order follow them.
    private let width: Int
    /// The order of the rows, or `nil` if the sources are read one after the other.
    private let order: RowOrder?
    private var heads: [Head?] = []
    private var isBegun = false
    /// The source that is being read if there is no order.
    private var current = 0
    private var offset: Int
    private var limit: Int?

    init(
        _ sources: [any StoreCursor], width: Int, order: RowOrder? = nil, offset: Int = 0, limit: Int? = nil
    ) {
        self.sources = sources
        self.width = width
        self.order = order
        self.offset = offset
        self.limit = limit
    }

    var interruption: @Sendable () -> Void {
        let all = sources.map(\.interruption)
        return { for interrupt in all { interrupt() } }
    }

    func next() throws -> [AttributeValue]? {
        try nextRow().map { Array($0.row) }
    }

    /// Returns the next row and the position of its source, or `nil` after the last row.
    func nextRow() throws -> (source: Int, row: ArraySlice<AttributeValue>)? {
        guard let order else { return try nextOfCurrent() }
        while offset > 0 {
            offset -= 1
            guard try first(by: order) != nil else { return nil }
        }
        if let limit {
            guard limit > 0 else { return nil }
            self.limit = limit - 1
        }
        return try first(by: order).map { ($0, $1.prefix(width)) }
    }

    private func nextOfCurrent() throws -> (source: Int, row: ArraySlice<AttributeValue>)? {
        while current < sources.count {
            if let row = try sources[current].next() { return (current, row[...]) }
            current += 1
        }
        return nil
    }

    /// Removes and returns the first of the sources' next rows.
    private func first(by order: RowOrder) throws -> (source: Int, row: [AttributeValue])? {
        if !isBegun {
            isBegun = true
            heads = try sources.map { try head(of: $0, order) }
        }
        var first: (source: Int, head: Head)?
        for (source, head) in heads.enumerated() {
            guard let head else { continue }
            if let first, order.precedes(head.keys, first.head.keys) != true { continue }
            first = (source, head)
        }
        guard let first else { return nil }
        heads[first.source] = try head(of: sources[first.source], order)
        return (first.source, first.head.row)
    }

    private func head(of source: any StoreCursor, _ order: RowOrder) throws -> Head? {
        try source.next().map { ($0, order.keys(of: $0.dropFirst(width))) }
    }
}
