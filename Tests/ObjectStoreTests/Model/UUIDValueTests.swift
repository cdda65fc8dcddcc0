import CivilTime
import ObjectStore
import Testing

@Suite struct UUIDValueTests {
    @Test(arguments: [
        (0.0, "00000000-0000-7000-"), (0.001, "00000000-0001-7000-"), (0.0015, "00000000-0001-7800-"),
        (1_645_557_742, "017F22E2-79B0-7000-"), (-1, "00000000-0000-7000-"), (1e300, "FFFFFFFF-FD70-7000-"),
    ])
    func uuidBeginsWithItsTime(seconds: Double, beginning: String) {
        let text = UUIDValue(at: Timestamp(secondsSince1970: seconds)).description
        #expect(text.hasPrefix(beginning), "\(text)")
        #expect("89AB".contains(Array(text)[19]), "\(text)")
        #expect(UUIDValue(text)?.description == text)
    }

    @Test func uuidsAreUniqueAndIncreaseWithTime() {
        let moments = (0..<1_000).map { Timestamp(secondsSince1970: 1.8e9 + Double($0) / 1_000_000) }
        let texts = moments.map { UUIDValue(at: $0).description }
        #expect(texts.map { $0.prefix(18) } == texts.map { $0.prefix(18) }.sorted())
        #expect(Set((0..<1_000).map { _ in UUIDValue(at: moments[0]) }).count == 1_000)
        #expect(Set((0..<1_000).map { _ in UUIDValue() }).count == 1_000)
    }
}
