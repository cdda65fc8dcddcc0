import Platform
import Testing

@Suite struct ProcessorsTests {
    @Test(arguments: [0, 1, 2, 1_000]) func everyNumberIsUsedOnce(count: Int) {
        let numbers = Locked<[Int]>([])
        Processors.perform(iterations: count) { number in numbers.withLock { $0.append(number) } }
        #expect(numbers.withLock { $0.sorted() } == Array(0..<count))
    }
}
