/// The values of one row, in the order of the entity's columns, in a single allocation.
///
/// A fetch makes one for each object. It is not an array because making an array costs several times as much.
public final class RowValues: ManagedBuffer<Int, AttributeValue> {
    /// Creates a row of `count` values. `fill` has to append exactly that many.
    public static func make(
        count: Int, _ fill: (inout OutputSpan<AttributeValue>) throws -> Void
    ) rethrows -> RowValues {
        // The header counts the initialized values, so it stays 0 if `fill` throws.
        let row = unsafeDowncast(RowValues.create(minimumCapacity: count) { _ in 0 }, to: RowValues.self)
        try row.withUnsafeMutablePointers { header, elements in
            let memory = UnsafeMutableBufferPointer(start: elements, count: count)
            var span = OutputSpan(buffer: memory, initializedCount: 0)
            try fill(&span)
            header.pointee = span.finalize(for: memory)
        }
        guard row.header == count else { fatalError("a row of \(count) columns got \(row.header) values") }
        return row
    }

    /// Creates a row of these values.
    public static func make(_ values: some Collection<AttributeValue>) -> RowValues {
        make(count: values.count) { row in
            for value in values { row.append(value) }
        }
    }

    deinit {
        withUnsafeMutablePointers { header, elements in
            // For most values, a move only checks the case. This is faster than `deinitialize(count:)`, which calls
            // a function for each value.
            for column in 0..<header.pointee { _ = (elements + column).move() }
        }
    }

    /// The number of columns.
    public var count: Int { header }

    /// The value in a column of the entity.
    public internal(set) subscript(column: Int) -> AttributeValue {
        get {
            withUnsafeMutablePointers { header, elements in
                guard column >= 0, column < header.pointee else {
                    Self.failAccess(to: column, of: header.pointee)
                }
                return elements[column]
            }
        }
        set {
            withUnsafeMutablePointers { header, elements in
                guard column >= 0, column < header.pointee else {
                    Self.failAccess(to: column, of: header.pointee)
                }
                elements[column] = newValue
            }
        }
    }

    // Not inlined, so that the access to a value stays short.
    @inline(never)
    private static func failAccess(to column: Int, of count: Int) -> Never {
        fatalError("there is no column \(column); the entity has \(count) columns")
    }

    /// Calls `body` with the value of each column, in order.
    public func forEach(_ body: (AttributeValue) throws -> Void) rethrows {
        try withUnsafeMutablePointers { header, elements in
            for column in 0..<header.pointee { try body(elements[column]) }
        }
    }

    /// Replaces all values with those of another row of the same entity.
    func assign(_ other: RowValues) {
        for column in 0..<count { self[column] = other[column] }
    }

    func copy() -> RowValues {
        withUnsafeMutablePointers { header, elements in
            RowValues.make(UnsafeMutableBufferPointer(start: elements, count: header.pointee))
        }
    }
}
