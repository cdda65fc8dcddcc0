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
    private let queue = DispatchQueue(label: "test.service")
    private let clock = ManualClock()
    private let sink = ManualSink()
    private let buttons = Buttons()
    private let service: TodoService

    /// Keeps the action that a real sink performs when the user chooses it.
    private final class Buttons: Sendable {
        let perform = Mutex<AlertAction.Perform?>(nil)
    }

    private final class Host: ServiceHost {
        var status: Status.Reply {
            var status = Status.Reply()
            status.processID = 7
            return status
        }
        var configuration: GetConfig.Reply { GetConfig.Reply() }
        func checkConfiguration() -> CheckConfig.Reply { CheckConfig.Reply() }
        func takeWarnings() -> [String] { ["line 3 is wrong"] }
    }

    /// Collects the replies to one call.
    private final class Replies: ReplyDestination {
        let last = Mailbox<[UInt8]>()
        var attachment: AnyObject?
        private var source: (any ReplySource)?

        var room: Int { .max }
        func beginTurn() {}
        func endTurn(failure: [UInt8]?) {}

        func reply(_ message: [UInt8], continues: Bool, isRefusable: Bool) {
            if !continues { last.put(message) }
        }

        func stream(_ source: any ReplySource, until end: DispatchTime?) {
            self.source = source
            resume()
        }

        func resume() {
            while let source {
                switch source.next() {
                case .reply: continue
                case .last(let message):
                    self.source = nil
                    last.put(message)
                case .later: return
                }
            }
        }
    }

    private struct ErrorReply: Error {
        let name: String
    }

    init() throws {
        let (clock, sink, buttons, queue) = (clock, sink, buttons, queue)
        service = try queue.sync {
            let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
            try coordinator.addStore(.memory)
            return try TodoService(
                TodoService.Dependencies(
                    queue: queue, schedule: .minutes,
                    makeSink: { perform in
                        buttons.perform.withLock { $0 = perform }
                        return sink
                    }, log: Log(to: { _ in true }), zone: LocalZone(.utc), now: { clock.now }),
                coordinator: coordinator, store: .memory, settings: ServiceSettings(), host: Host())
        }
    }

    /// Calls a method, and returns its last reply.
    private func call<M: TodoAPI.Method>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply {
        let replies = Replies()
        try queue.sync {
            let message = MethodCall.bytes(M.qualifiedName) { FieldWriter.write(parameters, to: &$0) }
            let responder = Responder(to: replies, call: try MethodCall(message: message))
            let failure = service.carryOut { service.handle(responder) {} }
            #expect(failure == nil)
        }
        let reply = try MethodReply(message: replies.last.next())
        if let error = reply.error { throw ErrorReply(name: error) }
        return try FieldReader.read(M.Reply.self, from: reply.parameters)
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
        } throws: { ($0 as? ErrorReply)?.name == "\(TodoInterface.name).ItemNotFound" }
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
