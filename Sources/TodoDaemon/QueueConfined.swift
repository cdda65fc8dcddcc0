internal import Dispatch

/// A reference to something that belongs to one queue, which other queues may hold and hand back but never touch.
///
/// `@unchecked Sendable`: the value is reached only inside `async` and `sync`, which run on the queue it belongs to.
struct QueueConfined<Value>: @unchecked Sendable {
    private let value: Value
    private let queue: DispatchQueue

    init(_ value: Value, to queue: DispatchQueue) {
        self.value = value
        self.queue = queue
    }

    func async(_ body: @escaping @Sendable (Value) -> Void) {
        queue.async { body(value) }
    }

    /// Waits for the queue; never call it from there.
    func sync<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
        try queue.sync { try body(value) }
    }

    func async(afterSeconds seconds: Double, _ body: @escaping @Sendable (Value) -> Void) {
        queue.asyncAfter(deadline: .now() + seconds) { body(value) }
    }
}
