/// The values of one row, in the order of the entity's columns.
///
/// A row is a reference: a change of a value is seen through all copies of the row.
public struct RowValues {
    private let storage: RowStorage
    /// The position of the first value in the storage.
    private let start: UInt16
    /// The number of values, or the largest number of the type if the row fills the storage.
    private let width: UInt16

    init(_ storage: RowStorage, start: Int, count: Int) {
        self.storage = storage
        self.start = UInt16(truncatingIfNeeded: start)
        width = UInt16(clamping: count)
    }

    private init(_ storage: RowStorage, start: UInt16, width: UInt16) {
        self.storage = storage
        self.start = start
        self.width = width
    }

    /// Creates a row of `count` values. `fill` has to append exactly that many.
    public static func make(
        count: Int, _ fill: (inout OutputSpan<AttributeValue>) throws -> Void
    ) rethrows -> RowValues {
        try RowStorage.make(capacity: count, isShared: false).addRow(count: count, fill)
    }

    /// Creates a row of these values.
    public static func make(_ values: some Collection<AttributeValue>) -> RowValues {
        make(count: values.count) { row in
            for value in values { row.append(value) }
        }
    }

    /// The number of columns.
    public var count: Int { width == .max ? storage.valueCount : Int(width) }

    /// The value in a column of the entity.
    public internal(set) subscript(column: Int) -> AttributeValue {
        get {
            guard column >= 0, column < count else { Self.failAccess(to: column, of: count) }
            return storage.withUnsafeMutablePointerToElements { $0[Int(start) &+ column] }
        }
        nonmutating set {
            guard column >= 0, column < count else { Self.failAccess(to: column, of: count) }
            storage.withUnsafeMutablePointerToElements { $0[Int(start) &+ column] = newValue }
        }
    }

    // Not inlined, so that the access to a value stays short.
    @inline(never)
    private static func failAccess(to column: Int, of count: Int) -> Never {
        fatalError("there is no column \(column); the entity has \(count) columns")
    }

    /// Calls `body` with the value of each column, in order.
    public func forEach(_ body: (AttributeValue) throws -> Void) rethrows {
        for column in 0..<count { try body(self[column]) }
    }

    /// Calls `body` with the values in memory, in the order of the columns. The row must not
    /// change during the call, and the memory is valid only until it ends.
    @inline(__always)
    func withValues<Result>(_ body: (UnsafeBufferPointer<AttributeValue>) throws -> Result) rethrows -> Result
    {
        try storage.withUnsafeMutablePointerToElements {
            try body(UnsafeBufferPointer(start: $0 + Int(start), count: count))
        }
    }

    /// Replaces all values with those of another row of the same entity.
    func assign(_ other: RowValues) {
        for column in 0..<count { self[column] = other[column] }
    }

    func copy() -> RowValues {
        RowValues.make(count: count) { row in
            for column in 0..<count { row.append(self[column]) }
        }
    }

    /// Whether both are copies of one row, so that they always have the same values.
    func isSameRow(as other: RowValues) -> Bool {
        storage === other.storage && start == other.start
    }

    /// Releases the values of the row if other rows may keep its storage in memory.
    ///
    /// The owner of the row calls this once, when it no longer needs the row. Texts and bytes are nil afterwards.
    @inline(__always)
    func releaseShared() {
        // The row itself keeps the storage, which need not be retained again.
        RowStorage.releaseRow(of: .passUnretained(storage), at: Int(start), count: count)
    }
}

// MARK: - Passing a row on

extension RowValues {
    /// A row on its way to its owner, with one reference that is neither retained nor released on the way.
    struct Passed {
        private let storage: Unmanaged<RowStorage>
        private let start: UInt16
        private let width: UInt16

        init(_ row: RowValues) {
            storage = .passRetained(row.storage)
            (start, width) = (row.start, row.width)
        }

        /// Returns the row. This is called exactly once.
        func take() -> RowValues {
            RowValues(storage.takeRetainedValue(), start: start, width: width)
        }
    }
}
