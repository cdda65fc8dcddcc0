/// The values of one row, in the order of its entity's columns: one piece of memory.
///
/// A fetch makes one for each object, which is why it is not an array: making an array costs several
/// times as much.
public final class RowValues: ManagedBuffer<Int, AttributeValue> {
    /// A row of `count` values, all of which `fill` has to append.
    public static func make(
        count: Int, _ fill: (inout OutputSpan<AttributeValue>) throws -> Void
    ) rethrows -> RowValues {
        // The header counts what is initialised; it stays 0 when `fill` throws.
        let row = unsafeDowncast(RowValues.create(minimumCapacity: count) { _ in 0 }, to: RowValues.self)
        try row.withUnsafeMutablePointers { header, elements in
            let memory = UnsafeMutableBufferPointer(start: elements, count: count)
            var span = OutputSpan(buffer: memory, initializedCount: 0)
            try fill(&span)
            header.pointee = span.finalize(for: memory)
        }
        precondition(row.header == count, "a row has a value for each column")
        return row
    }

    /// A row of these values.
    public static func make(_ values: some Collection<AttributeValue>) -> RowValues {
        make(count: values.count) { row in
            for value in values { row.append(value) }
        }
    }

    deinit {
        withUnsafeMutablePointers { header, elements in
            // Moved out one by one, most of them cost a look at their kind, where to deinitialize many is a
            // call for each.
            for column in 0..<header.pointee { _ = (elements + column).move() }
        }
    }

    public var count: Int { header }

    public internal(set) subscript(column: Int) -> AttributeValue {
        get {
            withUnsafeMutablePointers { header, elements in
                precondition(column >= 0 && column < header.pointee, "the entity has no such column")
                return elements[column]
            }
        }
        set {
            withUnsafeMutablePointers { header, elements in
                precondition(column >= 0 && column < header.pointee, "the entity has no such column")
                elements[column] = newValue
            }
        }
    }

    public func forEach(_ body: (AttributeValue) throws -> Void) rethrows {
        try withUnsafeMutablePointers { header, elements in
            for column in 0..<header.pointee { try body(elements[column]) }
        }
    }

    /// Takes all values over from another row of the same entity.
    func assign(_ other: RowValues) {
        for column in 0..<count { self[column] = other[column] }
    }

    func copy() -> RowValues {
        withUnsafeMutablePointers { header, elements in
            RowValues.make(UnsafeMutableBufferPointer(start: elements, count: header.pointee))
        }
    }
}
