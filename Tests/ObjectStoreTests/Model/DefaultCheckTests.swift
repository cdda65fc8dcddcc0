import ObjectStore
import Testing

/// Defaults and bounds that no object could be saved with.
@Suite struct DefaultCheckTests {
    private func error(_ attribute: AttributeDescription) -> ModelError? {
        #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [EntityDescription("Item", attributes: [attribute])])
        }
    }

    @Test(
        arguments: [
            (.string("value", .length(1...), default: ""), "length: 0 is less than 1"),
            (.string("value", .required, .length(...3), default: "four"), "length: 4 is more than 3"),
            (.integer64("value", .range(0...), default: -1), "range: less than the lower bound"),
            (.integer16("value", .range(...5), default: 6), "range: more than the upper bound"),
            (.double("value", .range(0.0...1.0), default: 1.5), "range: more than the upper bound"),
            (
                .decimal("value", .range(1...9), default: DecimalValue("0.5")),
                "range: less than the lower bound"
            ),
            (.string("value", .pattern("[a-z]+"), default: "A"), "pattern: the text does not match"),
            (.binary("value", .length(...1), default: [1, 2]), "length: 2 is more than 1"),
        ] as [(AttributeDescription, String)])
    func defaultThatBreaksItsRuleIsRefused(_ attribute: AttributeDescription, _ problem: String) {
        let error = error(attribute)
        #expect(error?.code == .invalidDefault)
        #expect(error?.entity == "Item" && error?.property == "value")
        #expect(error?.message.contains("the default breaks the rule \(problem)") == true)
    }

    @Test(
        arguments: [
            .integer64("value", .range(lower: .integer(9), upper: .integer(1))),
            .double("value", .range(lower: .double(1), upper: .double(0))),
            .decimal("value", .range(lower: .decimal("1.5"), upper: .integer(1))),
            .string("value", .range(lower: .string("b"), upper: .string("a"))),
            .integer16("value", .length(minimum: 2, maximum: 1)),
        ] as [AttributeDescription])
    func boundsWithoutValuesAreRefused(_ attribute: AttributeDescription) {
        #expect(error(attribute)?.code == .invalidRule)
    }

    @Test func validDefaultsAndBoundsAreAccepted() throws {
        _ = try ManagedObjectModel(entities: [
            EntityDescription(
                "Item",
                attributes: [
                    .string("a", .required, .length(1...)), .string("b", .length(0...), default: ""),
                    .integer64("c", .range(1...1), default: 1), .string("d", .pattern("[a-z]*"), default: ""),
                    .decimal("e", .range(0...9), default: DecimalValue("0.5")),
                ])
        ])
    }

    final class Labelled: ManagedObject {
        @Attribute(.length(1...20)) var label: String = ""
    }

    @Test func defaultOfPropertyIsChecked() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [EntityDescription(Labelled.self)])
        }
        #expect(error?.entity == "Labelled" && error?.property == "label")
    }
}
