/// The memory of one row, or of several rows of a fetch, in a single allocation.
///
/// It is not an array because making an array costs several times as much.
final class RowStorage: ManagedBuffer<RowStorageHeader, AttributeValue> {
    static func make(capacity: Int, isShared: Bool) -> RowStorage {
        let made = RowStorage.create(minimumCapacity: capacity) { _ in RowStorageHeader(isShared: isShared) }
        return unsafeDowncast(made, to: RowStorage.self)
    }

    deinit {
        withUnsafeMutablePointers { header, elements in
            // For most values, a move only checks the case. This is faster than `deinitialize(count:)`, which calls
            // a function for each value.
            guard header.pointee.released < header.pointee.count else { return }
            for position in 0..<Int(header.pointee.count) { _ = (elements + position).move() }
        }
    }

    /// The number of values of all rows.
    var valueCount: Int { Int(header.count) }

    /// Adds a row of `count` values after the others. `fill` has to append exactly that many.
    ///
    /// The storage must have the capacity for them.
    @inline(__always)
    func addRow(
        count: Int, _ fill: (inout OutputSpan<AttributeValue>) throws -> Void
    ) rethrows -> RowValues {
        RowValues(self, start: try addValues(count: count, fill), count: count)
    }

    /// Does the same as `addRow`, and returns the position of the first value.
    @inline(__always)
    @discardableResult
    func addValues(
        count: Int, _ fill: (inout OutputSpan<AttributeValue>) throws -> Void
    ) rethrows -> Int {
        try withUnsafeMutablePointers { header, elements in
            let start = Int(header.pointee.count)
            let memory = UnsafeMutableBufferPointer(start: elements + start, count: count)
            var span = OutputSpan(buffer: memory, initializedCount: 0)
            // If `fill` throws, the span releases the values that it has.
            try fill(&span)
            let filled = span.finalize(for: memory)
            guard filled == count else { Self.failFilling(filled, of: count) }
            header.pointee.count &+= Int32(truncatingIfNeeded: filled)
            return start
        }
    }

    /// Returns a value. The position must be that of one.
    @inline(__always)
    func value(at position: Int) -> AttributeValue {
        withUnsafeMutablePointerToElements { $0[position] }
    }

    /// Adds all values of another storage after the others.
    ///
    /// The storage must have the capacity for them.
    ///
    /// - Parameter isLast: whether the other storage loses its values, because nothing uses them any longer.
    func add(valuesOf other: RowStorage, isLast: Bool) {
        withUnsafeMutablePointers { header, elements in
            other.withUnsafeMutablePointers { otherHeader, otherElements in
                let (start, count) = (Int(header.pointee.count), Int(otherHeader.pointee.count))
                if isLast {
                    (elements + start).moveInitialize(from: otherElements, count: count)
                    otherHeader.pointee.count = 0
                } else {
                    (elements + start).initialize(from: otherElements, count: count)
                }
                header.pointee.count += Int32(count)
            }
        }
    }

    @inline(never)
    static func failFilling(_ filled: Int, of count: Int) -> Never {
        fatalError("a row of \(count) columns got \(filled) values")
    }

    /// Releases the values of a row if several rows share the storage. The texts and bytes in it are nil afterwards.
    ///
    /// This is called at most once for a row.
    @inline(never)
    static func releaseRow(of storage: Unmanaged<RowStorage>, at start: Int, count: Int) {
        storage._withUnsafeGuaranteedRef { storage in
            storage.withUnsafeMutablePointers { header, elements in
                guard header.pointee.isShared else { return }
                for position in start..<start &+ count {
                    switch elements[position] {
                    case .string, .decimal, .uri, .binary: elements[position] = .null
                    case .null, .boolean, .integer, .double, .date, .uuid: break
                    }
                }
                header.pointee.released &+= Int32(truncatingIfNeeded: count)
            }
        }
    }
}

struct RowStorageHeader {
    /// The number of values in the storage.
    var count: Int32 = 0
    /// The number of values in rows that were released.
    var released: Int32 = 0
    /// Whether several rows share the storage.
    let isShared: Bool
}
