internal import Alerts
internal import CivilTime
internal import ObjectStore
internal import ObjectStoreXML
internal import Platform
internal import Reminders
internal import TodoAPI

struct StatusHandler: Handler {
    let service: ServiceContext
    let alerts: AlertLoop
    let sink: any AlertSink
    let hub: WatchHub
    let host: any ServiceHost

    func handle(_ parameters: Empty, _ answer: Answer<Status>) throws {
        let handler = self
        answer.stream(in: service) { try StatusChunks(try handler.status(), handler.service) }
    }

    private func status() throws -> Status.Reply {
        var status = host.status
        let store = service.store.configuration
        status.storeKind = store.kind.title
        status.storePath = store.path ?? ""
        status.storeBytes = store.path.map(Self.bytes(of:))
        status.modelVersion = service.store.context.model.versionIdentifiers.joined(separator: ", ")
        let now = service.times.now()
        let next = ToDo.where { !$0.completed && $0.dueDate >= now }.ordered(by: \.dueDate).limit(1)
        // A row, because an object of an incomplete item cannot be made.
        let due = try service.store.context.rows(next, of: \.dueDate, \.dueLocal).first
        status.nextDue = due.flatMap { CalendarTime(moment: $0.0, local: $0.1.flatMap(LocalTime.init)) }
        let alert = try alerts.nextAlert()
        status.nextAlert = alert?.moment
        status.nextAlertID = alert?.itemID
        status.nextAlertName = alert?.name
        status.lastTick = alerts.lastTick
        status.lastTickMicroseconds = alerts.lastTickDuration.map { Int64($0 / .microseconds(1)) }
        status.quietUntil = alerts.quietPeriod?.until
        status.places = sink.states.map {
            PlaceState(name: $0.name, state: $0.condition.rawValue, waiting: Int64($0.waiting))
        }
        status.watchers = Int64(hub.count)
        var warnings = (status.warnings ?? []) + alerts.failures
        if let error = service.store.context.coordinator.openingError {
            warnings.append(
                "the disk of the store was full at the start: changes are not saved until there is space; free space, then restart todod (\(error))"
            )
        }
        status.warnings = warnings
        return status
    }

    /// Returns the size of the store on disk, including its write-ahead log.
    private static func bytes(of path: String) -> Int64 {
        ["", "-wal"].reduce(0) { total, suffix in
            total + ((try? FileStatus(of: path + suffix))?.size ?? 0)
        }
    }
}

extension StoreKind {
    /// The usual name of the kind.
    fileprivate var title: String {
        switch self {
        case .sqlite: "SQLite"
        case .xml: "XML"
        default: name
        }
    }
}
