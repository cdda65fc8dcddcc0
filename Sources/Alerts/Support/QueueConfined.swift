package import Dispatch

/// A reference to a value that is confined to one queue. Other queues may hold it and pass it on, but cannot use it.
///
/// `@unchecked Sendable`: the value is used only inside `async` and `sync`, which run on its queue.
package struct QueueConfined<Value>: @unchecked Sendable {
    private let value: Value
    private let queue: DispatchQueue

    package init(_ value: Value, to queue: DispatchQueue) {
        self.value = value
        self.queue = queue
    }

    package func async(_ body: @escaping @Sendable (Value) -> Void) {
        queue.async { body(value) }
    }

    /// Runs `body` on the queue, and waits for it. Must not be called on this queue.
    package func sync<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
        try queue.sync { try body(value) }
    }

    package func async(afterSeconds seconds: Double, _ body: @escaping @Sendable (Value) -> Void) {
        queue.asyncAfter(deadline: .now() + seconds) { body(value) }
    }
}
