internal import CivilTime
internal import TodoAPI

/// The `status` command.
struct StatusCommand: Command {
    static let verb = "status"
    static let summary = "Show the state of the daemon and its store"
    static let examples = ["todoctl status --json"]
    static let warnings = WarningUse.dropped

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        let status = try daemon.call(Status.self, .init())
        if try session.printJSON(status) { return }
        var entries = entries(status, session.words)
        // An older daemon may not know the call, and an error here must not hide the rest.
        do throws(ClientError) {
            if let text = try SyncReport(session, daemon).shortText { entries.append(("Synchronized", text)) }
        } catch {
            if status.version == tododVersion { entries.append(("Synchronized", error.message)) }
        }
        try Output.print(LabelledText(entries: entries).text(for: session.page))
        if status.version != tododVersion {
            try Output.print(
                "This todoctl is \(tododVersion). Restart the daemon:  systemctl --user restart todod.service"
            )
        }
    }

    private func entries(_ status: Status.Reply, _ words: TimeInWords) -> [(label: String, text: String)] {
        let categories = "\(status.categories) \(status.categories == 1 ? "category" : "categories")"
        var entries: [(label: String, text: String)] = [
            ("Daemon", daemon(status, words)), ("Store", store(status)),
            ("Items", "\(status.openItems) open of \(status.items), in \(categories)"),
            (
                "Next due",
                status.nextDue.map { words.momentWithDistance($0) } ?? "nothing"
            ),
            ("Next alert", nextAlert(status, words)), ("Last check", lastCheck(status, words)),
            (
                "Alerts go to",
                status.journal ? "the journal; read them with: journalctl --user -t todod" : "standard error"
            ),
        ]
        entries += (status.places ?? []).compactMap(entry)
        entries.append(("Clients", "\(status.connections) connected, \(status.watchers) watching"))
        if let end = status.quietUntil {
            entries.append(("Held back", "until \(words.moment(end)); end it with: todoctl quiet off"))
        }
        let configuration = configuration(status)
        if !configuration.isEmpty {
            entries.append(("Configuration", configuration.joined(separator: "\n")))
        }
        if let warnings = status.warnings {
            entries.append(("Warning", warnings.map { $0.oneLine() }.joined(separator: "\n")))
        }
        return entries
    }

    /// Returns the wrong lines in the configuration files, and a note if the daemon does not use the current files.
    private func configuration(_ status: Status.Reply) -> [String] {
        let wrong = (status.wrongLines ?? []).map(\.text)
        let isChanged = status.isConfigurationChanged ?? false
        switch (wrong.isEmpty, isChanged) {
        case (true, false): return []
        case (true, true):
            return ["changed since todod read it; apply it with: systemctl --user reload todod"]
        case (false, false): return wrong + ["todod ignores this; all settings: todoctl config"]
        case (false, true):
            return wrong + ["todod still uses the settings that it read before; all settings: todoctl config"]
        }
    }

    /// Returns a text such as `todod 0.1.0, process 812, since today 08:00, for 3 h`.
    private func daemon(_ status: Status.Reply, _ words: TimeInWords) -> String {
        let start =
            "todod \(status.version), process \(status.processID), since \(words.moment(status.startedAt))"
        return start + (status.uptimeSeconds.map { ", for \(TimeInWords.length(Double($0)))" } ?? "")
    }

    /// Returns a text such as `/home/ada/.local/share/todod/todo.sqlite (SQLite, model 3, 1.2 MB)`.
    private func store(_ status: Status.Reply) -> String {
        let megabytes = status.storeBytes.map { bytes in
            let tenths = (bytes + 50_000) / 100_000
            return ", \(tenths / 10).\(tenths % 10) MB"
        }
        let kind = "\(status.storeKind), model \(status.modelVersion)\(megabytes ?? "")"
        return "\(status.storePath.oneLine()) (\(kind))"
    }

    /// Returns a text such as `today 16:55, in 5 min: 3  Pay the rent`.
    private func nextAlert(_ status: Status.Reply, _ words: TimeInWords) -> String {
        guard let moment = status.nextAlert else { return "nothing" }
        let item = [status.nextAlertID.map { String($0) }, status.nextAlertName?.oneLine()].compactMap { $0 }
        return "\(words.moment(moment)), \(words.distance(to: moment)): \(item.joined(separator: "  "))"
    }

    /// Returns a text such as `12 s ago, it took 0.4 ms`.
    private func lastCheck(_ status: Status.Reply, _ words: TimeInWords) -> String {
        guard let moment = status.lastTick else { return "not yet" }
        let duration = status.lastTickMicroseconds.map { microseconds in
            let tenths = (microseconds + 50) / 100
            return ", it took \(tenths / 10).\(tenths % 10) ms"
        }
        return words.distance(to: moment) + (duration ?? "")
    }

    /// Returns an entry such as `Desktop: it does not answer; 3 alerts wait for it`, or `nil` if there is nothing to
    /// report.
    private func entry(_ place: PlaceState) -> (label: String, text: String)? {
        let waiting =
            switch place.waiting {
            case 0: ""
            case 1: "; 1 alert waits for it"
            default: "; \(place.waiting) alerts wait for it"
            }
        let label = place.name.prefix(1).uppercased() + place.name.dropFirst()
        switch place.state {
        case "ready": return place.name == "journal" && place.waiting == 0 ? nil : (label, "ready\(waiting)")
        case "off": return nil
        case "absent": return place.name == "journal" ? nil : (label, "there is none\(waiting)")
        case "unknown": return (label, "not needed yet\(waiting)")
        case "failing" where place.name == "journal":
            return (label, "it accepts no alerts; they are sent once it does\(waiting)")
        case "failing": return (label, "failing, see: journalctl --user -t todod -p warning\(waiting)")
        case "held-up": return (label, "it does not answer\(waiting)")
        default: return (label, place.state + waiting)
        }
    }
}
