import Foundation
import ObjectStore
import ObjectStoreFoundation
import Testing

@Suite struct FoundationTests {
    final class Record: ManagedObject {
        @Attribute("when") var when: Date?
        @Attribute("token") var token: UUID?
        @Attribute("data") var data: Data?
        @Attribute("link") var link: URL?
        @Attribute("price") var price: Decimal?
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "Record", class: Record.self,
                attributes: [.date("when"), .uuid("token"), .binary("data"), .uri("link"), .decimal("price")])
        ])
    }

    @Test func foundationTypesCanBePropertyTypes() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("foundation-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appendingPathComponent("records.sqlite").path
        let when = Date(timeIntervalSince1970: 1_700_000_000.25)
        let token = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let link = try #require(URL(string: "https://example.org/a?b=c"))
        let price = try #require(Decimal(string: "-1234567890.0500"))
        do {
            let coordinator = PersistentStoreCoordinator(model: try Self.model())
            try coordinator.addStore(.sqlite(path: path))
            let context = ManagedObjectContext(coordinator: coordinator)
            let record = try context.insert(Record.self)
            record.when = when
            record.token = token
            record.data = Data([1, 2])
            record.link = link
            record.price = price
            try context.save()
        }
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: path))
        let context = ManagedObjectContext(coordinator: coordinator)
        let match = try FetchPredicate(
            "when == %@ AND token == %@ AND link == %@ AND price == %@", when, token, link, price)
        let record = try #require(try context.fetch(FetchRequest<Record>(matching: match)).first)
        #expect(record.when == when)
        #expect(record.token == token)
        #expect(record.data == Data([1, 2]))
        #expect(record.link == link)
        #expect(record.price == price)
        #expect(try context.rows(Record.all, of: .sum(\.price)) == [price])
        #expect(try record.value(of: "token") == .uuid(#require(UUIDValue(token.uuidString))))
        #expect(try record.value(of: "price") == .decimal("-1234567890.05"))
    }

    @Test(arguments: ["0", "-0.5", "100", "12345678901234567890123456789012345678", "0.000000000000000001"])
    func decimalsKeepTheirDigits(_ text: String) throws {
        let value = AttributeValue.decimal(text)
        #expect(Decimal(attributeValue: value)?.attributeValue == value)
    }

    @Test func numberOutsideDecimalIsNil() {
        #expect(Decimal(attributeValue: .decimal("1234567890123456789012345678901234567890123.5")) == nil)
    }

    struct Measurement: JSONAttribute, Equatable { var value: Double }

    final class Reading: ManagedObject {
        @Attribute var cost: Decimal? = 1
        @Attribute var measurement: Measurement? = Measurement(value: 1)
    }

    /// A value that cannot be stored once became nil, which erased the attribute.
    @Test func valueThatCannotBeStoredIsRefusedBySave() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Reading.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let reading = try context.insert(Reading.self)
        try context.save()
        reading.cost = .nan
        #expect(reading.cost?.isNaN == true)
        reading.measurement = Measurement(value: .infinity)
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property) == ["cost", "measurement"])
        #expect(error?.failures.map(\.entity) == ["Reading", "Reading"])
        #expect(error?.failures.last?.detail == "the value cannot be encoded")
        context.rollback()
        #expect(reading.cost == 1 && reading.measurement == Measurement(value: 1))
        #expect(throws: ValidationError.self) {
            try context.updateAll(Reading.all) { $0.measurement = Measurement(value: .infinity) }
        }
    }
}
