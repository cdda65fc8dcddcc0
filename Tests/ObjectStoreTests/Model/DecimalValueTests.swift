import TestSupport
import Testing

@testable import ObjectStore

@Suite struct DecimalValueTests {
    /// From the least to the greatest.
    private static let ordered = [
        "-100000000000000000000", "-12.51", "-12.5", "-12", "-10", "-9.99", "-1", "-0.5", "-0.05", "-0.049",
        "0",
        "0.0000000001", "0.049", "0.05", "0.5", "0.51", "1", "9.99", "10", "10.5", "100", "999999999",
        "1000000000", "99999999999999999999.9", "100000000000000000000",
    ]

    @Test func decimalsAreOrderedAsNumbers() throws {
        let values = try Self.ordered.map { try #require(DecimalValue($0)) }
        #expect(values.reversed().sorted() == values)
        for (position, value) in values.enumerated() {
            for (other, second) in values.enumerated() {
                #expect((value < second) == (position < other))
                #expect((value == second) == (position == other))
            }
        }
    }

    @Test func rankIsAsDocumented() {
        let ranks: [(String, [UInt8])] = [
            ("0", [0x80]), ("-0.00", [0x80]), ("12.5", [0xC0, 0x80, 0, 0, 2, 0x31, 0x32, 0x35]),
            ("+0120.0", [0xC0, 0x80, 0, 0, 3, 0x31, 0x32]),
            ("-12.5", [0x40, 0x7F, 0xFF, 0xFF, 0xFD, 0xCE, 0xCD, 0xCA, 0xFF]),
        ]
        for (text, rank) in ranks { #expect(DecimalRank(text)?.bytes == rank, "\(text)") }
        for text in ["", "-", "1.", ".5", "1e3", "1.2.3", " 1", "nan"] { #expect(DecimalRank(text) == nil) }
    }

    /// Compares with integers of 128 bits, which can hold the numbers as thousandths.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func sumsAreExact(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var sum = DecimalSum()
        var expected: Int128 = 0
        #expect(sum.text == "0")
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            let magnitude = Int64.max >> Int64.random(in: 0...62, using: &random)
            let thousandths = Int64.random(in: -magnitude...magnitude, using: &random)
            expected += Int128(thousandths)
            sum.add(Self.text(ofThousandths: Int128(thousandths)))
            #expect(sum.text == DecimalValue(Self.text(ofThousandths: expected))?.text)
        }
    }

    private static func text(ofThousandths number: Int128) -> String {
        let digits = "\(number.magnitude)"
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return (number < 0 ? "-" : "") + padded.dropLast(3) + "." + padded.suffix(3)
    }

    @Test func sumsOfDifferentLengthsAreExact() {
        let sums: [([String], String)] = [
            (["0.1", "0.2"], "0.3"), (["999999999", "1"], "1000000000"),
            (["1", "-0.0000000000000000001"], "0.9999999999999999999"),
            (["0.999999999", "0.000000001"], "1"), (["-5", "5"], "0"),
            (["1000000000000000000", "-1"], "999999999999999999"),
            (["123456789012345678901234567890.5", "-0.25"], "123456789012345678901234567890.25"),
            (["-2", "1"], "-1"), (["0", "0.0000000000000000000000000001"], "0.0000000000000000000000000001"),
        ]
        for (numbers, expected) in sums {
            for order in [numbers, numbers.reversed()] {
                var sum = DecimalSum()
                for number in order { sum.add(number) }
                #expect(sum.text == expected)
            }
        }
    }

    @Test func doubleConvertsToItsShortestDigits() {
        let doubles: [(Double, String?)] = [
            (0, "0"), (9.99, "9.99"), (-0.1, "-0.1"), (1.5e-05, "0.000015"), (-2e-10, "-0.0000000002"),
            (1e16, "10000000000000000"), (1.25e+20, "125000000000000000000"),
            (1.2345678901234568e+16, "12345678901234568"),
            (.infinity, nil), (.nan, nil),
        ]
        for (number, text) in doubles { #expect(DecimalValue(shortest: number)?.text == text) }
        var random = SplitMix(state: 7)
        for _ in 0..<500 {
            let number = Double.random(in: -10...10, using: &random) * (1e-30 as Double).squareRoot() * 1e15
            #expect(DecimalValue(shortest: number).flatMap { Double($0.text) } == number)
        }
        for power in -300...300 {
            let number = Double("1.2345e\(power)") ?? 0
            #expect(DecimalValue(shortest: number).flatMap { Double($0.text) } == number)
        }
    }
}
