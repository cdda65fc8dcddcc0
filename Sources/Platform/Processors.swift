internal import Dispatch
internal import Glibc

/// The processors of the machine, for work that uses all of them.
package enum Processors {
    private static let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))

    /// Calls `body` with each number below `end`, on as many threads as there are processors, and returns after the last call.
    ///
    /// It uses queues of its own: the first use of a global queue starts a timer of Dispatch that fires each second.
    package static func perform(_ end: Int, _ body: @Sendable (Int) -> Void) {
        let next = Locked(0)
        let others = DispatchGroup()
        withoutActuallyEscaping(body) { body in
            let work = { @Sendable in
                while true {
                    let number = next.withLock { next in
                        next += 1
                        return next - 1
                    }
                    guard number < end else { return }
                    body(number)
                }
            }
            for _ in 0..<max(0, min(count, end) - 1) {
                DispatchQueue(label: "todod.processor").async(group: others, execute: work)
            }
            work()
            others.wait()
        }
    }
}
