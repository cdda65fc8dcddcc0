import Dispatch
import Platform
import Testing

@Suite struct LockedTests {
    @Test func usesByManyThreadsAreOrdered() {
        let numbers = Locked<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 1_000) { number in
            numbers.withLock { $0.append(number) }
        }
        #expect(numbers.withLock { Set($0) } == Set(0..<1_000))
    }

    @Test func errorLeavesValueUsable() {
        struct Refusal: Error {}
        let number = Locked(1)
        #expect(throws: Refusal.self) {
            try number.withLock { number in
                number = 2
                throw Refusal()
            }
        }
        #expect(number.withLock { $0 } == 2)
    }
}
