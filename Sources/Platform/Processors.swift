internal import Dispatch
internal import Glibc

/// The processors of the machine, for work that uses all of them.
package enum Processors {
    private static let threadsLimit = 8
    private static let threadCount = min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), threadsLimit)

    /// Calls `body` with each number below `count` on several threads, and returns after the last call.
    ///
    /// It uses queues of its own: the first use of a global queue starts a timer of Dispatch that fires every second.
    package static func perform(iterations count: Int, _ body: @Sendable (Int) -> Void) {
        let next = Locked(0)
        let others = DispatchGroup()
        withoutActuallyEscaping(body) { body in
            let work = { @Sendable in
                while true {
                    let number = next.withLock { next in
                        next += 1
                        return next - 1
                    }
                    guard number < count else { return }
                    body(number)
                }
            }
            for _ in 0..<max(0, min(threadCount, count) - 1) {
                DispatchQueue(label: "todod.processor").async(group: others, execute: work)
            }
            work()
            others.wait()
        }
    }
}
