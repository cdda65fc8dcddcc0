import CivilTime
import Dispatch
import ObjectStore
import Reminders
import Synchronization
import TestBus
import TestSupport
import Testing
import TodoAPI
import Varlink
import VarlinkServer

@testable import Alerts
@testable import TodoService

/// The methods over a store in memory, without a daemon and without sockets.
@Suite struct TodoServiceTests {
    private let host: TestService
    private var clock: ManualClock { host.clock }
    private var sink: ManualSink { host.sink }
    private var service: TodoService { host.service }
    private var queue: DispatchQueue { host.queue }
    private var buttons: TestService.Buttons { host.buttons }

    init() throws { host = try TestService() }

    private func call<M: TodoAPI.Method>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply {
        try host.call(method, parameters)
    }

    private func add(_ name: String, due: String) throws -> Item {
        var parameters = AddItem.Parameters()
        parameters.name = name
        parameters.due = due
        return try call(AddItem.self, parameters).item
    }

    @Test func everyMethodOfTheInterfaceHasAHandler() {
        let methods = InterfaceText(TodoInterface.description).methods.keys
        #expect(service.methods == methods.map { "\(TodoInterface.name).\($0)" }.sorted())
    }

    @Test func addedItemIsListedAndAlerted() throws {
        let item = try add("Pay the rent", due: "in 3 minutes")
        #expect(item.due == .moment(clock.now + 180))
        #expect(try call(ListItems.self, ListItems.Parameters()).items.map(\.name) == ["Pay the rent"])
        #expect(sink.sentNames == ["Pay the rent"])
    }

    @Test func undoRemovesTheItem() throws {
        let item = try add("x", due: "tomorrow")
        _ = try call(Undo.self, ChangeCount())
        #expect {
            try call(GetItem.self, GetItem.Parameters(id: item.id))
        } throws: { ($0 as? TestService.ErrorReply)?.name == "\(TodoInterface.name).ItemNotFound" }
    }

    @Test func actionChosenOnTheDesktopChangesTheItem() throws {
        let item = try add("x", due: "in 3 minutes")
        buttons.perform.withLock { $0?(.done, item.id) }
        #expect(try call(GetItem.self, GetItem.Parameters(id: item.id)).item.completed)
    }

    @Test func statusContainsTheReportOfTheHost() throws {
        _ = try add("x", due: "tomorrow")
        let status = try call(Status.self, Empty())
        #expect(status.processID == 7)
        #expect(status.storeKind == "memory")
        #expect(status.items == 1)
        #expect(try call(TakeWarnings.self, Empty()).warnings == ["line 3 is wrong"])
    }

    @Test func settingsApplyToTheNextCall() throws {
        var settings = ServiceSettings()
        settings.defaultTime = 20 * 3_600
        queue.sync { service.apply(settings) }
        let alert = try #require(try add("x", due: "tomorrow").nextAlert)
        #expect(TimeZoneRules.utc.civil(at: alert)?.secondOfDay == 20 * 3_600)
    }

    /// Replies are made from objects, from rows with all columns, and from rows with some columns.
    @Test func everyFieldHasTheSameValueInEveryReply() throws {
        _ = try call(AddCategory.self, .init(name: "Home"))
        var category = UpdateCategory.Parameters()
        category.name = "Home"
        category.muted = true
        _ = try call(UpdateCategory.self, category)
        var parameters = AddItem.Parameters()
        parameters.name = "Water the plants"
        for text in ItemField.plainTexts {
            parameters.details[keyPath: text.detail] = "test:\(text.field.rawValue)"
        }
        parameters.estimate = "1h30m"
        parameters.percent = 60
        parameters.links = [ItemLink(typed: "https://example.com The offer"), ItemLink(typed: "test:b")]
        parameters.due = "tomorrow 9am"
        parameters.every = "day, 10 times"
        parameters.afterDone = true
        parameters.timeZone = "Europe/Berlin"
        parameters.category = "Home"
        parameters.tags = ["post", "errand"]
        parameters.priority = 3
        parameters.leads = "2h, 1h"
        let added = try call(AddItem.self, parameters).item
        #expect(added.afterDone == true && added.occurrencesDone == 0 && added.categoryMuted == true)
        #expect(added.tags == ["errand", "post"] && added.leads == [7_200, 3_600] && added.nextAlert != nil)
        #expect(added.estimate == 5_400 && added.percent == 60 && added.links == parameters.links)
        for text in ItemField.plainTexts {
            #expect(added[keyPath: text.property] == "test:\(text.field.rawValue)")
        }
        #expect(try call(GetItem.self, .init(id: added.id)).item == added)
        for field in ItemField.allCases {
            var expected = Item()
            for copied in ItemField.allCases where copied == field || copied.traits.property.isRequired {
                copied.traits.property.copy(from: added, to: &expected)
            }
            var list = ListItems.Parameters()
            list.fields = [field.rawValue]
            #expect(try call(ListItems.self, list).items == [expected], "\(field)")
        }
    }
}

extension ItemField.Property {
    fileprivate func copy(from item: Item, to copy: inout Item) {
        switch self {
        case .text(let path): copy[keyPath: path] = item[keyPath: path]
        case .optionalText(let path): copy[keyPath: path] = item[keyPath: path]
        case .number(let path): copy[keyPath: path] = item[keyPath: path]
        case .optionalNumber(let path): copy[keyPath: path] = item[keyPath: path]
        case .flag(let path): copy[keyPath: path] = item[keyPath: path]
        case .optionalFlag(let path): copy[keyPath: path] = item[keyPath: path]
        case .numbers(let path), .items(let path): copy[keyPath: path] = item[keyPath: path]
        case .texts(let path), .alertTimes(let path): copy[keyPath: path] = item[keyPath: path]
        case .links(let path): copy[keyPath: path] = item[keyPath: path]
        case .duration(let path), .percentage(let path): copy[keyPath: path] = item[keyPath: path]
        case .moment(let path): copy[keyPath: path] = item[keyPath: path]
        case .time(let path): copy[keyPath: path] = item[keyPath: path]
        }
    }
}
