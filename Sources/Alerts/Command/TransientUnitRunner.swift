internal import CivilTime
internal import Dispatch
internal import Systemd

/// Runs each command as a transient service of the user's systemd.
///
/// The command runs outside the daemon's sandbox, in the environment of the session. Its output goes to the journal,
/// and all processes that it started end with it.
///
/// The unit is of type oneshot, so its start job ends when the command ends. A reference keeps the unit until its
/// exit status has been read. The connection to the bus is open while commands run.
final class TransientUnitRunner: CommandRunner {
    static let identifier = "todod-command"

    private static let systemd = "org.freedesktop.systemd1"
    private static let path = "/org/freedesktop/systemd1"
    private static let manager = "org.freedesktop.systemd1.Manager"
    private static let callSeconds = 5.0

    private static let lost = CommandOutcome.failed("the session bus was lost while it ran")

    private let bus: Bus
    private let queue: DispatchQueue
    /// The current runs, by the names of their units.
    private var running: [String: Running] = [:]
    private var isSubscribed = false

    private struct Running {
        let run: CommandRun
        let ended: (CommandOutcome) -> Void
    }

    /// Creates a runner, which connects to the bus with the first command.
    ///
    /// - Parameter busAddress: the address of the bus, or `nil` to use the environment.
    init(queue: DispatchQueue, busAddress: String?) {
        self.queue = queue
        bus = Bus(queue: queue, address: busAddress)
        bus.subscribe(sender: Self.systemd, interface: Self.manager, member: "JobRemoved") {
            [weak self] values in
            guard values.count == 4, let unit = values[2].asString, let result = values[3].asString else {
                return
            }
            self?.jobEnded(unit: unit, result: result)
        }
        bus.didDisconnect = { [weak self] in self?.loseAll() }
    }

    func releaseResources() {
        dispatchPrecondition(condition: .onQueue(queue))
        bus.close()
        isSubscribed = false
    }

    func start(_ run: CommandRun, ended: @escaping (CommandOutcome) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        let unit = "\(Self.identifier)-\(String(UInt64.random(in: .min ... .max), radix: 16)).service"
        running[unit] = Running(run: run, ended: ended)
        subscribe()
        let arguments: [BusValue] = [
            .string(unit), .string("fail"), .array(of: "(sv)", Self.properties(of: run)),
            .array(of: "(sa(sv))", []),
        ]
        call("StartTransientUnit", arguments) { [weak self] result in
            switch result {
            // `jobEnded` handles the signal at the end of its job.
            case .success: self?.expectEnd(of: unit, run)
            // The command may be running, so no other runner may start it.
            case .failure(.noAnswer): self?.end(unit, .failed("systemd did not answer"))
            case .failure(.lost): self?.end(unit, Self.lost)
            case .failure: self?.end(unit, .notStarted)
            }
        }
    }

    /// Asks the manager to send signals, once for each connection.
    private func subscribe() {
        guard !isSubscribed else { return }
        isSubscribed = true
        call("Subscribe", []) { [weak self] result in
            if case .failure = result { self?.isSubscribed = false }
        }
    }

    private static func properties(of run: CommandRun) -> [BusValue] {
        let command: BusValue = .structure([
            .string(run.program), .strings([run.program] + run.arguments), .strings(["no-env-expand"]),
        ])
        let properties: [(String, BusValue)] = [
            ("Description", .string("Alert command of todod")),
            ("Type", .string("oneshot")),
            ("ExecStartEx", .array(of: "(sasas)", [command])),
            ("Environment", .strings(run.variables.map { "\($0.name)=\($0.value)" })),
            ("StandardInputFileDescriptor", .descriptor(run.input)),
            ("SyslogIdentifier", .string(identifier)),
            ("TimeoutStartUSec", .uint64(UInt64(run.timeout.microseconds))),
            ("TimeoutStopUSec", .uint64(UInt64(commandGraceSeconds) * 1_000_000)),
            ("CollectMode", .string("inactive-or-failed")),
            ("AddRef", .boolean(true)),
        ]
        return properties.map { .structure([.string($0.0), .variant($0.1)]) }
    }

    // MARK: - The end of a run

    /// Ends the run if systemd does not report its end in time.
    private func expectEnd(of unit: String, _ run: CommandRun) {
        let seconds = run.timeout.seconds + Double(commandGraceSeconds) + Self.callSeconds
        let runner = QueueConfined(self, to: queue)
        runner.async(afterSeconds: seconds) { $0.end(unit, .failed("systemd did not say how it ended")) }
    }

    private func jobEnded(unit: String, result: String) {
        guard let run = running[unit]?.run else { return }
        if result == "done" { return release(unit, .succeeded) }
        call("GetUnit", [.string(unit)]) { [weak self] reply in
            guard let self, case .success(let values) = reply, let path = values.first?.asString else {
                self?.release(unit, .failed("systemd calls it '\(result)'"))
                return
            }
            let properties = BusCall(
                to: Self.systemd, path: path, interface: "org.freedesktop.DBus.Properties", member: "GetAll",
                arguments: [.string("org.freedesktop.systemd1.Service")])
            bus.call(properties, timeoutSeconds: Self.callSeconds) { [weak self] reply in
                self?.release(unit, Self.outcome(reply, result: result, run: run))
            }
        }
    }

    private static func outcome(
        _ reply: Result<[BusValue], BusFailure>, result: String, run: CommandRun
    ) -> CommandOutcome {
        guard case .success(let values) = reply, case .array(_, let entries)? = values.first else {
            return .failed("systemd calls it '\(result)'")
        }
        var properties: [String: BusValue] = [:]
        for case .entry(let name, let value) in entries {
            if let name = name.asString { properties[name] = value.unwrapped }
        }
        guard case .int32(let status)? = properties["ExecMainStatus"] else {
            return .failed("systemd calls it '\(result)'")
        }
        switch properties["Result"]?.asString {
        case "exit-code": return .exited(status)
        case "signal", "core-dump": return .killed(by: status)
        case "timeout": return .tookLonger(than: run.timeout)
        case let other: return .failed("systemd calls it '\(other ?? result)'")
        }
    }

    /// Releases the reference, so that systemd can unload the unit, and ends the run.
    private func release(_ unit: String, _ outcome: CommandOutcome) {
        guard running[unit] != nil else { return }
        call("UnrefUnit", [.string(unit)]) { _ in }
        end(unit, outcome)
    }

    private func end(_ unit: String, _ outcome: CommandOutcome) {
        running.removeValue(forKey: unit)?.ended(outcome)
    }

    /// Ends all runs, because their results can no longer be received.
    private func loseAll() {
        isSubscribed = false
        let all = running
        running = [:]
        for entry in all.values { entry.ended(Self.lost) }
    }

    private func call(_ member: String, _ arguments: [BusValue], reply: @escaping Bus.Reply) {
        bus.call(
            BusCall(
                to: Self.systemd, path: Self.path, interface: Self.manager, member: member,
                arguments: arguments),
            timeoutSeconds: Self.callSeconds, reply: reply)
    }
}
