internal import CSystemd
internal import Dispatch
internal import Glibc

/// One connection to a bus, driven by Dispatch sources in place of the event loop of sd-bus.
final class BusConnection {
    private let bus: OpaquePointer
    private let subscriptions: [BusSubscription]
    private let ended: () -> Void

    private let input: any DispatchSourceRead
    private let output: any DispatchSourceWrite
    private let timer: any DispatchSourceTimer
    private var waitsForOutput = false
    /// sd-bus calls back while it is at work, and must not be set to work again from there.
    private var isAtWork = false
    private var isClosed = false

    /// Begins to connect, which goes on with the first call; nil when there is nothing to connect to. `ended` is called
    /// when the bus goes away.
    init?(
        queue: DispatchQueue, address: String?, subscriptions: [BusSubscription],
        ended: @escaping () -> Void
    ) {
        guard let bus = Self.open(address) else { return nil }
        self.bus = bus
        self.subscriptions = subscriptions
        self.ended = ended
        let descriptor = sd_bus_get_fd(bus)
        input = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        output = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        for source in sources {
            source.setEventHandler { [weak self] in self?.work() }
            // The descriptor must stay open until Dispatch lets go of it: it is closed with this object.
            source.setCancelHandler { withExtendedLifetime(self) {} }
        }
        input.resume()
        timer.schedule(deadline: .distantFuture)
        timer.resume()
        for subscription in subscriptions { listen(subscription) }
    }

    deinit {
        sd_bus_close_unref(bus)
    }

    private static func open(_ address: String?) -> OpaquePointer? {
        var bus: OpaquePointer?
        guard let address else { return sd_bus_open_user(&bus) >= 0 ? bus : nil }
        guard sd_bus_new(&bus) >= 0 else { return nil }
        guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0,
            sd_bus_start(bus) >= 0
        else {
            sd_bus_unref(bus)
            return nil
        }
        return bus
    }

    private var sources: [any DispatchSourceProtocol] { [input, output, timer] }

    /// Ends the connection; calls that are open fail when Dispatch has let go of it.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        // A source that is suspended cannot be cancelled.
        if !waitsForOutput { output.resume() }
        for source in sources { source.cancel() }
    }

    // MARK: - The event loop

    /// Lets sd-bus do what there is to do, and arranges to be called when there is more.
    private func work() {
        guard !isAtWork, !isClosed else { return }
        isAtWork = true
        var result: Int32
        repeat { result = sd_bus_process(bus, nil) } while result > 0 && !isClosed
        isAtWork = false
        guard !isClosed else { return }
        if result < 0 {
            close()
            ended()
        } else {
            waitForMore()
        }
    }

    private func waitForMore() {
        let wantsOutput = sd_bus_get_events(bus) & Int32(POLLOUT) != 0
        if wantsOutput != waitsForOutput {
            waitsForOutput = wantsOutput
            if wantsOutput { output.resume() } else { output.suspend() }
        }
        // A moment of CLOCK_MONOTONIC, which is also what Dispatch counts by.
        var microseconds = UInt64.max
        sd_bus_get_timeout(bus, &microseconds)
        let (nanoseconds, isNever) = microseconds.multipliedReportingOverflow(by: 1_000)
        timer.schedule(
            deadline: isNever ? .distantFuture : DispatchTime(uptimeNanoseconds: max(1, nanoseconds)))
    }

    // MARK: - Calls

    func send(_ call: BusCall, timeoutSeconds: Double, reply: @escaping Bus.Reply) {
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        let made = sd_bus_message_new_method_call(
            bus, &message, call.destination, call.path, call.interface, call.member)
        guard made >= 0, let message, BusMessage(pointer: message).append(call.arguments) else {
            return reply(.failure(.malformed))
        }
        let pending = Unmanaged.passRetained(PendingReply(reply))
        var slot: OpaquePointer?
        let sent = sd_bus_call_async(
            bus, &slot, message, PendingReply.received, pending.toOpaque(), UInt64(timeoutSeconds * 1e6))
        guard sent >= 0 else {
            pending.takeRetainedValue().end(.failure(.lost))
            return
        }
        // From here on sd-bus owns the slot, and the slot the pending reply.
        sd_bus_slot_set_destroy_callback(slot, PendingReply.abandoned)
        sd_bus_slot_set_floating(slot, 1)
        sd_bus_slot_unref(slot)
        work()
    }

    // MARK: - Signals

    private func listen(_ subscription: BusSubscription) {
        sd_bus_add_match_async(
            bus, nil, subscription.rule,
            { message, subscription, _ in
                guard let message, let subscription,
                    let values = BusMessage(pointer: message).values()
                else { return 0 }
                Unmanaged<BusSubscription>.fromOpaque(subscription).takeUnretainedValue().handler(values)
                return 0
            }, nil, Unmanaged.passUnretained(subscription).toOpaque())
    }
}

/// Somebody who waits for the reply to a call, and is told once.
private final class PendingReply {
    private var reply: Bus.Reply?

    init(_ reply: @escaping Bus.Reply) {
        self.reply = reply
    }

    func end(_ result: Result<[BusValue], BusFailure>) {
        let reply = reply
        self.reply = nil
        reply?(result)
    }

    static let received:
        @convention(c) (
            OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<sd_bus_error>?
        ) -> Int32 = { message, pending, _ in
            guard let message, let pending else { return 0 }
            Unmanaged<PendingReply>.fromOpaque(pending).takeUnretainedValue().end(result(of: message))
            return 0
        }

    /// The slot of the call goes: after the reply, or because none can come any more.
    static let abandoned: @convention(c) (UnsafeMutableRawPointer?) -> Void = { pending in
        guard let pending else { return }
        Unmanaged<PendingReply>.fromOpaque(pending).takeRetainedValue().end(.failure(.lost))
    }

    private static func result(of message: OpaquePointer) -> Result<[BusValue], BusFailure> {
        if let error = sd_bus_message_get_error(message)?.pointee {
            let name = error.name.map { String(cString: $0) } ?? ""
            // What sd-bus itself says when time is up or the connection ends.
            if name == SD_BUS_ERROR_NO_REPLY || name == SD_BUS_ERROR_TIMEOUT {
                let isOpen = sd_bus_is_open(sd_bus_message_get_bus(message)) > 0
                return .failure(isOpen ? .noAnswer : .lost)
            }
            return .failure(
                .refused(name: name, message: error.message.map { String(cString: $0) } ?? ""))
        }
        guard let values = BusMessage(pointer: message).values() else { return .failure(.malformed) }
        return .success(values)
    }
}
