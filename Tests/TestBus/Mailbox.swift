internal import Dispatch
internal import Synchronization

/// Values that other queues pass to a test, which waits for them one by one.
package final class Mailbox<Element: Sendable>: Sendable {
    package struct NothingCame: Error {}

    private static var deadlineSeconds: Double { 20 }

    private let elements = Mutex<[Element]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    package init() {}

    package func put(_ element: Element) {
        elements.withLock { $0.append(element) }
        arrivals.signal()
    }

    /// The next value, in order of arrival.
    package func next() throws -> Element {
        guard arrivals.wait(timeout: .now() + Self.deadlineSeconds) == .success else { throw NothingCame() }
        return elements.withLock { $0.removeFirst() }
    }

    /// The next value for which `fits` returns true. The values before it are dropped.
    package func next(where fits: (Element) -> Bool) throws -> Element {
        while true {
            let element = try next()
            if fits(element) { return element }
        }
    }

    /// The values that have arrived and were not removed yet.
    package var all: [Element] { elements.withLock { $0 } }

    package var isEmpty: Bool { all.isEmpty }
}
