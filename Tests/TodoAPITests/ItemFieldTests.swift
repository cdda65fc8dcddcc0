import CivilTime
import TestSupport
import Testing
import Varlink

@testable import TodoAPI

/// Compares the table of the fields with the types and the interface text.
@Suite struct ItemFieldTests {
    @Test func tableHasFieldsOfItemInOrder() throws {
        let interface = InterfaceText(TodoInterface.description)
        let table = ItemField.allCases.map { "\($0.rawValue): \($0.traits.property.varlinkType)" }
        #expect(try FieldLister.fields(of: Item()) == table)
        #expect(interface.types[Item.varlinkType] == table)
    }

    @Test func listedFieldsAreThoseOfInterfaceText() {
        let text = TodoInterface.description.replacing("\n# ", with: " ")
        let others = ItemField.allCases.filter { !$0.traits.isListed }.map(\.rawValue)
        let names = text.split(separator: "Without 'fields', lists omit ").dropFirst().first?
            .prefix { $0 != "." }.replacing(" and ", with: ", ").split(separator: ", ").map(String.init)
        #expect(names.map(Set.init) == Set(others))
    }

    @Test(arguments: ItemField.allCases)
    func propertyIsCodedUnderNameOfField(field: ItemField) throws {
        var item = Item()
        field.traits.property.fill(&item)
        #expect(try changedNames(from: Item(), to: item) == [field.rawValue])
    }

    @Test(arguments: ItemField.allCases)
    func detailIsParameterWithNameOfField(field: ItemField) throws {
        guard let detail = field.traits.detail else { return }
        var (add, update) = (AddItem.Parameters(), UpdateItems.Parameters())
        detail.fill(&add.name, &add.details)
        var name = ""
        detail.fill(&name, &update.details)
        if !name.isEmpty { update.name = name }
        #expect(try changedNames(from: AddItem.Parameters(), to: add) == [field.rawValue])
        #expect(try changedNames(from: UpdateItems.Parameters(), to: update) == [field.rawValue])
    }

    @Test func everyParameterOfAddItemIsFieldOrKnown() throws {
        let settable = Set(ItemField.allCases.filter { $0.traits.detail != nil }.map(\.rawValue))
        #expect(
            try FieldLister.names(of: AddItem.Parameters())
                == settable.union(["between", "dryRun", "floating", "newCategory", "past", "quick"]))
    }

    @Test func everyLabelIsPrintedOnce() {
        let labelled = ItemField.allCases.filter { $0.traits.label != nil }
        #expect(ItemField.shown.count == labelled.count && Set(ItemField.shown) == Set(labelled))
        let edited = ItemField.allCases.filter { $0.traits.formLabel != nil }
        #expect(ItemField.edited.count == edited.count && Set(ItemField.edited) == Set(edited))
        #expect(edited.allSatisfy { $0.traits.detail != nil })
        // The form reads all lines below the label of the notes as their text.
        #expect(ItemField.edited.last == .notes)
    }

    /// Returns the names of the members that differ in the JSON of two bodies.
    private func changedNames(from old: some MessageBody, to new: some MessageBody) throws -> [String] {
        let (old, new) = (try json(old), try json(new))
        return Set((old.members + new.members).map(\.name)).filter { old[$0]?.text != new[$0]?.text }.sorted()
    }

    private func json(_ body: some MessageBody) throws -> JSONObject {
        var writer = JSONWriter()
        writer.object { FieldWriter.write(body, to: &$0) }
        guard case .object(let object) = try JSONParser.parse(writer.bytes) else { return JSONObject() }
        return object
    }
}

extension ItemField.Property {
    fileprivate var varlinkType: String {
        switch self {
        case .text: "string"
        case .optionalText, .moment, .time: "?string"
        case .number: "int"
        case .optionalNumber, .duration, .percentage: "?int"
        case .flag: "bool"
        case .optionalFlag: "?bool"
        case .numbers, .items: "?[]int"
        case .texts, .alertTimes: "?[]string"
        case .links: "?[]Link"
        }
    }

    /// Sets the property to a value other than that of a new item.
    fileprivate func fill(_ item: inout Item) {
        switch self {
        case .text(let path): item[keyPath: path] = "x"
        case .optionalText(let path): item[keyPath: path] = "x"
        case .number(let path): item[keyPath: path] = 7
        case .optionalNumber(let path), .duration(let path), .percentage(let path): item[keyPath: path] = 7
        case .flag(let path): item[keyPath: path] = true
        case .optionalFlag(let path): item[keyPath: path] = true
        case .numbers(let path), .items(let path): item[keyPath: path] = [7]
        case .texts(let path), .alertTimes(let path): item[keyPath: path] = ["x"]
        case .links(let path): item[keyPath: path] = [ItemLink(url: "test:x")]
        case .moment(let path): item[keyPath: path] = Timestamp(secondsSince1970: 60)
        case .time(let path): item[keyPath: path] = CalendarTime("2026-11-27")
        }
    }
}

extension ItemField.Detail {
    fileprivate func fill(_ name: inout String, _ details: inout ItemDetails) {
        switch self {
        case .name: name = "x"
        case .typedText(let path), .plainText(let path, _, _, _), .duration(let path, _, _):
            details[keyPath: path] = "x"
        case .percentage(let path, _, _): details[keyPath: path] = 7
        case .flag(let path): details[keyPath: path] = true
        case .priority(let path), .item(let path): details[keyPath: path] = 7
        case .items(let path): details[keyPath: path] = [7]
        case .texts(let path), .alertTimes(let path): details[keyPath: path] = ["x"]
        case .links(let path): details[keyPath: path] = [ItemLink(url: "test:x")]
        }
    }
}
