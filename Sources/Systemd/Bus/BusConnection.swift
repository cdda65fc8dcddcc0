internal import CSystemd
internal import Dispatch
internal import Glibc

/// A connection to a bus. Dispatch sources replace the event loop of sd-bus.
final class BusConnection {
    private let bus: OpaquePointer
    private let subscriptions: [BusSubscription]
    private let ended: () -> Void

    private let input: any DispatchSourceRead
    private let output: any DispatchSourceWrite
    private let timer: any DispatchSourceTimer
    private var waitsForOutput = false
    /// Whether `sd_bus_process` is running. It runs callbacks, which must not call it again.
    private var isAtWork = false
    private var isClosed = false

    /// Starts to connect, or returns `nil` if there is no bus. The first call completes the connection.
    /// `ended` is called when the bus disconnects.
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
            // The descriptor must stay open until Dispatch releases it. It is closed when this object is
            // deallocated.
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

    /// Ends the connection. Open calls fail once Dispatch has released the descriptor.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        // A suspended source cannot be cancelled.
        if !waitsForOutput { output.resume() }
        for source in sources { source.cancel() }
    }

    // MARK: - The event loop

    /// Lets sd-bus do all pending work, then waits for the next event.
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
        // The timeout is a time of CLOCK_MONOTONIC, the clock that Dispatch uses too.
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
        // From here on, sd-bus owns the slot, and the slot owns the pending reply.
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

/// The handler of one reply, which is called once.
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

    /// Called when the slot of the call is freed, either after the reply or because no reply can come.
    static let abandoned: @convention(c) (UnsafeMutableRawPointer?) -> Void = { pending in
        guard let pending else { return }
        Unmanaged<PendingReply>.fromOpaque(pending).takeRetainedValue().end(.failure(.lost))
    }

    private static func result(of message: OpaquePointer) -> Result<[BusValue], BusFailure> {
        if let error = sd_bus_message_get_error(message)?.pointee {
            let name = error.name.map { String(cString: $0) } ?? ""
            // The errors that sd-bus itself reports when a call times out or the connection ends.
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
