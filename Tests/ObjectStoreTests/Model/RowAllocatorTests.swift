import Testing

@testable import ObjectStore

/// Rows that share an allocation.
@Suite struct RowAllocatorTests {
    /// A text that is too long to be stored without a reference.
    private static func text(_ number: Int) -> AttributeValue {
        .string("the text of the row with the number \(number)")
    }

    private static func rows(_ count: Int) -> [RowValues] {
        var allocator = RowAllocator(columns: 2)
        return (0..<count).map { number in
            allocator.makeRow {
                $0.append(.integer(Int64(number)))
                $0.append(text(number))
            }
        }
    }

    @Test func rowsKeepTheirOwnValues() {
        let rows = Self.rows(100)
        rows[50][1] = .string("changed")
        for (number, row) in rows.enumerated() {
            #expect(row.count == 2)
            #expect(row[0] == .integer(Int64(number)))
            #expect(row[1] == (number == 50 ? .string("changed") : Self.text(number)))
        }
    }

    /// A program that keeps one object of a fetch does not keep the texts of the others.
    @Test func releasedRowLosesItsTextsAndNoOther() {
        let rows = Self.rows(100)
        for number in stride(from: 1, to: 100, by: 2) { rows[number].releaseShared() }
        for number in 1..<100 {
            #expect(rows[number][1] == (number.isMultiple(of: 2) ? Self.text(number) : .null))
        }
    }

    /// A fetch reads the rows of known objects again, and a new object shares the memory of these rows.
    @Test func newObjectKeepsNoValuesOfRefreshedObjects() throws {
        let directory = TemporaryStore()
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [
                EntityDescription("Page", attributes: [.binary("image")])
            ]))
        try coordinator.addStore(.sqlite(path: directory.path))
        let (writer, reader) = (
            ManagedObjectContext(coordinator: coordinator), ManagedObjectContext(coordinator: coordinator)
        )
        let image = AttributeValue.binary(Array(repeating: 1, count: 100))
        let all = FetchRequest<ManagedObject>(entity: "Page", orderedBy: [FetchOrder("id")])
        for _ in 0..<40 { try writer.insert(entity: "Page").setValue(image, of: "image") }
        try writer.save()
        weak var bytes: AnyObject?
        let new = try {
            let known = try reader.fetch(all)
            for page in try writer.fetch(all) {
                try page.setValue(.binary(Array(repeating: 2, count: 100)), of: "image")
            }
            try writer.insert(entity: "Page").setValue(image, of: "image")
            try writer.save()
            let pages = try reader.fetch(all)
            #expect(pages.dropLast().elementsEqual(known, by: ===))
            if case .binary(let image) = try known[39].value(of: "image") {
                #expect(image == Array(repeating: 2, count: 100))
                bytes = unsafeBitCast(image, to: AnyObject.self)
            }
            return pages[40]
        }()
        #expect(bytes == nil)
        #expect(try new.value(of: "image") == image)
    }

    /// The only row of an allocation is released with it.
    @Test func releasedRowWithoutOthersKeepsItsValues() {
        let row = RowValues.make([Self.text(1)])
        row.releaseShared()
        #expect(row[0] == Self.text(1))
    }

    @Test func failedRowLeavesNoValues() throws {
        struct Failure: Error {}
        var allocator = RowAllocator(columns: 2)
        var rows: [RowValues] = []
        for number in 0..<20 {
            let row = try? allocator.makeRow {
                $0.append(Self.text(number))
                if number.isMultiple(of: 3) { throw Failure() }
                $0.append(.null)
            }
            if let row { rows.append(row) }
        }
        #expect(rows.map { $0[0] } == (0..<20).filter { !$0.isMultiple(of: 3) }.map(Self.text))
    }

    /// The number of values is kept in 16 bits for most rows.
    @Test(arguments: [
        1, RowAllocator.valuesAtOnce, RowAllocator.valuesAtOnce + 1, 65_534, 65_535, 65_536, 70_000,
    ])
    func rowHasAllItsValues(_ count: Int) {
        var allocator = RowAllocator(columns: count)
        for _ in 0..<3 {
            let row = allocator.makeRow { row in
                for number in 0..<count { row.append(.integer(Int64(number))) }
            }
            #expect(row.count == count)
            #expect(row[count - 1] == .integer(Int64(count - 1)))
        }
    }

    @Test func rowWithoutColumnsHasNoValues() {
        var allocator = RowAllocator(columns: 0)
        for _ in 0..<40 { #expect(allocator.makeRow { _ in }.count == 0) }
    }

    /// A cursor must give a value for each column.
    @Test func rowWithMissingValuesEndsProgram() async {
        await #expect(processExitsWith: .failure) {
            var rows = FetchedRows(columns: ["id", "title"])
            rows.appendRow { $0.append(.integer(1)) }
        }
    }
}
