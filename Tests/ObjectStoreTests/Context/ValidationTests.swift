import ObjectStore
import Testing

@Suite struct ValidationTests {
    final class Form: ManagedObject {
        @Attribute("code") var code: String?
        @Attribute("text") var text: String?
        @Attribute("size") var size: Int?
        @Attribute("name") var name: String?
        @Attribute("grade") var grade: Int?
        @Attribute("ratio") var ratio: Double?
        @Attribute("data") var data: [UInt8]?
        @Attribute("when") var when: Timestamp?
        @Attribute("price") var price: DecimalValue?
        @ToOne("owner") var owner: Form?
        @ToMany("owned") var owned: RelatedObjects<Form>
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "Form", class: Form.self,
                attributes: [
                    .string("code", .pattern("[A-Z]{2}[0-9]+"), .unique),
                    .string("text", .length(2...4)),
                    .integer16("size", .range(1...)),
                    .string("name", .length(1...4)),
                    .integer16("grade", .range(1...6)),
                    .double("ratio", .range(0.0...1.0)),
                    .binary("data", .length(...3)),
                    .date("when", .range(Timestamp(secondsSince1970: 0)...Timestamp(secondsSince1970: 10))),
                    .decimal("price", .range(9...), .range(-5...(DecimalValue("10.5") ?? 0))),
                ],
                relationships: [
                    .toOne("owner", destination: "Form", inverse: "owned", optional: false),
                    .toMany("owned", destination: "Form", inverse: "owner", deleteRule: .noAction),
                ])
        ])
    }

    struct Case: Sendable {
        let complaint: String?
        let change: @Sendable (Form) -> Void

        init(_ complaint: String?, _ change: @escaping @Sendable (Form) -> Void) {
            self.complaint = complaint
            self.change = change
        }
    }

    @Test(arguments: [
        Case(nil) { $0.code = "AB12" },
        Case("code: pattern: the text does not match") { $0.code = "ab12" },
        Case("code: pattern: the text does not match") { $0.code = "AB12 " },
        Case(nil) { $0.text = "a\u{301}b\u{301}c\u{301}d\u{301}" },
        Case("text: length: 1 is less than 2") { $0.text = "a\u{301}" },
        Case("text: length: 5 is more than 4") { $0.text = "abcde" },
        Case(nil) { $0.size = 1 },
        Case("size: range: less than the lower bound") { $0.size = 0 },
        Case("size: type: the integer value does not fit integer16") { $0.size = 32_768 },
        Case(nil) { $0.name = "abcd" },
        Case(nil) { $0.name = "a\u{301}b\u{301}c\u{301}d\u{301}" },
        Case("name: length: 0 is less than 1") { $0.name = "" },
        Case("name: length: 5 is more than 4") { $0.name = "abcde" },
        Case("name: length: 5 is more than 4") { $0.name = "a\u{301}bcde" },
        Case(nil) { $0.grade = 1 },
        Case(nil) { $0.grade = 6 },
        Case("grade: range: less than the lower bound") { $0.grade = 0 },
        Case("grade: range: more than the upper bound") { $0.grade = 7 },
        Case("grade: type: the integer value does not fit integer16") { $0.grade = 65_537 },
        Case(nil) { $0.ratio = 1 },
        Case("ratio: range: more than the upper bound") { $0.ratio = 1.5 },
        Case("ratio: type: the double value is not a number") { $0.ratio = .nan },
        Case(nil) { $0.data = [1, 2, 3] },
        Case("data: length: 4 is more than 3") { $0.data = [1, 2, 3, 4] },
        Case(nil) { $0.when = Timestamp(secondsSince1970: 10) },
        Case("when: range: more than the upper bound") { $0.when = Timestamp(secondsSince1970: 11) },
        Case("when: type: the date value is infinite or not a number") {
            $0.when = Timestamp(secondsSince1970: .infinity)
        },
        Case(nil) { $0.price = DecimalValue("10.50") },
        Case("price: range: more than the upper bound") { $0.price = DecimalValue("10.51") },
        Case("price: range: less than the lower bound") { $0.price = DecimalValue("8.9999") },
        Case("owner: required: there is no value") { $0.owner = nil },
    ])
    func validationEnforcesEveryRule(_ test: Case) throws {
        let store = TemporaryStore()
        let context = try store.context(Self.model())
        let form = try context.insert(Form.self)
        form.owner = form
        test.change(form)
        if let complaint = test.complaint {
            let error = #expect(throws: ValidationError.self) { try context.save() }
            #expect(error?.description == "Form 1." + complaint)
            #expect(try store.rows("SELECT * FROM Form").isEmpty)
        } else {
            try context.save()
            #expect(try store.rows("SELECT count(*) FROM Form") == ["1"])
        }
    }

    @Test func invalidValueSetByNameNamesExpectedType() throws {
        let context = try TemporaryStore().context()
        let book = try context.insert(Book.self)
        let cover = try context.insert(Cover.self)
        let cases: [(ManagedObject, String, AttributeValue, String)] = [
            (book, "pages", .string("7"), "Book 1.pages: type: the string value does not fit integer32"),
            (
                book, "pages", .integer(1 << 40),
                "Book 1.pages: type: the integer value does not fit integer32"
            ),
            (book, "rating", .double(.nan), "Book 1.rating: type: the double value is not a number"),
            (
                cover, "price", .decimal("1,50"),
                "Cover 1.price: type: the decimal value is not the text of a DecimalValue"
            ),
        ]
        for (object, name, value, complaint) in cases {
            let error = #expect(throws: ValidationError.self) { try object.setValue(value, of: name) }
            #expect(error?.description == complaint)
        }
    }

    @Test func everySpellingOfDecimalIsStoredInOneForm() throws {
        let context = try TemporaryStore().context()
        let cover = try context.insert(Cover.self)
        try cover.setValue(.decimal("+01.50"), of: "price")
        #expect(try cover.value(of: "price") == .decimal("1.5"))
    }

    @Test func allFailuresAreReportedTogether() throws {
        let context = try TemporaryStore().context(Self.model())
        let first = try context.insert(Form.self)
        first.owner = first
        first.code = "x"
        first.size = 0
        let second = try context.insert(Form.self)
        second.text = "a"
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(
            error?.failures.map { "\($0.id ?? 0).\($0.property) \($0.rule)" }
                == ["1.code pattern", "1.size range", "2.text length", "2.owner required"])
    }

    @Test func validationFindsFailuresOfSaveWithoutSaving() throws {
        let store = TemporaryStore()
        let context = try store.context(Self.model())
        for code in ["AB1", "AB2"] {
            let form = try context.insert(Form.self)
            form.owner = form
            form.code = code
        }
        try context.validateChanges()
        let twice = try context.insert(Form.self)
        twice.owner = twice
        twice.code = "AB2"
        let error = #expect(throws: ValidationError.self) { try context.validateChanges() }
        #expect(error?.failures.map(\.rule) == [.unique, .unique])
        twice.code = "AB3"
        try context.validateChanges()
        context.rollback()
        #expect(try context.count(FetchRequest<Form>()) == 0)
    }

    @Test func validationErrorNeverContainsValue() throws {
        let context = try TemporaryStore().context(Self.model())
        let form = try context.insert(Form.self)
        form.owner = form
        form.code = "secret"
        form.text = "secret"
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error.map { "\($0)" }?.contains("secret") == false)
    }

    @Test func rangesAreOpenAtOneEnd() throws {
        let moment = Timestamp(secondsSince1970: 5)
        let price = try #require(DecimalValue("1.5"))
        #expect(ValidationRule.range(0.5...) == .range(lower: .double(0.5), upper: .null))
        #expect(ValidationRule.range(...0.5) == .range(lower: .null, upper: .double(0.5)))
        #expect(ValidationRule.range(moment...) == .range(lower: .date(moment), upper: .null))
        #expect(ValidationRule.range(...moment) == .range(lower: .null, upper: .date(moment)))
        #expect(ValidationRule.range(price...) == .range(lower: .decimal("1.5"), upper: .null))
        #expect(ValidationRule.range(...price) == .range(lower: .null, upper: .decimal("1.5")))
        #expect(ValidationRule.range(1...) == .range(lower: .integer(1), upper: .null))
        #expect(ValidationRule.range(...1) == .range(lower: .null, upper: .integer(1)))
        let entity = EntityDescription(
            "Sample",
            attributes: [
                .double("ratio", .range(0.0...)), .date("from", .range(...moment)),
                .decimal("price", .range(price...)),
            ])
        let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(entities: [entity]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let object = try context.insert(entity: "Sample")
        try object.setValue(.double(-1), of: "ratio")
        try object.setValue(.date(Timestamp(secondsSince1970: 6)), of: "from")
        try object.setValue(.decimal("1.4"), of: "price")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property) == ["ratio", "from", "price"])
    }
}
