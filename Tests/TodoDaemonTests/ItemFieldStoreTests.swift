import CivilTime
import ObjectStore
import TestSupport
import Testing
import TodoAPI
import Varlink

@testable import Reminders
@testable import TodoService

/// Compares the table of the fields with the model and with the words for changes.
@Suite struct ItemFieldStoreTests {
    @Test(arguments: ItemField.allCases)
    func keyIsPropertyOfFittingType(field: ItemField) throws {
        let model = try ReminderModel.current()
        let entity = try #require(model.entity(of: ToDo.self))
        let keys = field.key.split(separator: ".").map(String.init)
        let category = try #require(model.entity(of: Category.self))
        let tag = try #require(model.entity(of: Tag.self))
        if field == .children { return #expect(keys == ["children", "@count"]) }
        if [.childrenDone, .blockedBy, .blocks, .blocked].contains(field) {
            guard case .toMany = entity.property(named: keys[0]) else { throw Missing() }
            return #expect(keys[1] == "id" || entity.column(named: keys[1]) != nil)
        }
        let owner = keys.first == "category" ? category : keys.first == "tags" ? tag : entity
        if [.leads, .alerts, .links].contains(field) {
            let name = try #require(keys.first)
            #expect(keys == [name, "@count"] && entity.property(named: name) != nil)
        } else if field != .id {
            let column = try #require(owner.column(named: keys.last ?? ""), "\(field.key)")
            #expect(field.traits.property.attributeTypes.contains(owner.columns[column].type), "\(field)")
        }
    }

    private struct Missing: Error {}

    @Test func exportHasFieldsOfTable() throws {
        let names = try FieldLister.fields(of: ExportedItem()).map { String($0.prefix { $0 != ":" }) }
        let table = ItemField.allCases.filter(\.traits.isExported).map(\.rawValue)
        let others = [
            "told", "recurrenceStart", "history", "remainder", "excludedDates", "addedDates", "occurrences",
            "cancelled", "acknowledgedDate",
        ]
        #expect(Set(names) == Set(table + others) && Set(names).count == names.count)
    }

    @Test func exportHasEveryAttributeOfItems() throws {
        let entity = try #require(try ReminderModel.current().entity(of: ToDo.self))
        let exported = Set(ExportedItem.columns())
        // The category is exported by its name, and the parent by its identifier.
        for column in entity.columns where !["category", "parent"].contains(column.name) {
            #expect(exported.contains(.key(column.name)), "\(column.name)")
        }
    }

    @Test(arguments: ItemField.allCases)
    func changeIsDescribedByPhraseOfField(field: ItemField) {
        // A change of a category has words of its own, and the other two are no properties of an item.
        guard ![.categoryMuted, .nextAlert, .heldUntil].contains(field) else { return }
        let key = String(field.key.prefix { $0 != "." })
        let words = ChangeWords.list(ChangeWords.phrases(of: [key]), before: "the")
        #expect(words == "the \(field.phrase)")
    }
}

extension ItemField.Property {
    fileprivate var attributeTypes: Set<AttributeType> {
        switch self {
        case .text, .optionalText: [.string]
        case .number, .optionalNumber, .duration, .percentage: [.integer16, .integer32, .integer64]
        case .flag, .optionalFlag: [.boolean]
        case .numbers, .items, .links, .alertTimes: []
        case .texts: [.string]
        case .moment, .time: [.date]
        }
    }
}
