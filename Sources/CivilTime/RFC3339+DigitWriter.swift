extension RFC3339 {
    /// A writer of numbers of fixed width into a buffer of bytes.
    struct DigitWriter {
        let buffer: UnsafeMutableBufferPointer<UInt8>
        private(set) var count = 0

        init(buffer: UnsafeMutableBufferPointer<UInt8>, count: Int = 0) {
            self.buffer = buffer
            self.count = count
        }

        mutating func write(_ text: SIMD16<UInt8>) {
            UnsafeMutableRawBufferPointer(buffer)
                .storeBytes(of: text, toByteOffset: count, as: SIMD16<UInt8>.self)
            count += SIMD16<UInt8>.scalarCount
        }

        /// Writes all eight bytes, of which the first `count` belong to the text.
        mutating func write(_ text: SIMD8<UInt8>, count: Int) {
            UnsafeMutableRawBufferPointer(buffer)
                .storeBytes(of: text, toByteOffset: self.count, as: SIMD8<UInt8>.self)
            self.count += count
        }

        mutating func write(_ character: Unicode.Scalar) {
            buffer[count] = UInt8(ascii: character)
            count += 1
        }

        mutating func write(twoDigits number: Int) {
            let number = UInt32(truncatingIfNeeded: number)
            let tens = number / 10
            let digits = UInt16(truncatingIfNeeded: tens | (number &- tens &* 10) << 8) | 0x3030
            UnsafeMutableRawBufferPointer(buffer)
                .storeBytes(of: digits.littleEndian, toByteOffset: count, as: UInt16.self)
            count += 2
        }

        /// Writes a date such as `2026-11-21`.
        mutating func write(_ date: CivilDate) {
            write(twoDigits: date.year / 100)
            write(twoDigits: date.year % 100)
            write("-")
            write(twoDigits: date.month)
            write("-")
            write(twoDigits: date.day)
        }

        /// Writes an offset such as `Z` or `+01:00`.
        mutating func write(offset: Int) {
            if offset == 0 { return write("Z") }
            write(offset < 0 ? "-" : "+")
            write(twoDigits: abs(offset) / 3_600)
            write(":")
            write(twoDigits: abs(offset) / 60 % 60)
        }

        /// Writes the fraction without trailing zeros.
        mutating func write(_ fraction: Fraction) {
            write(".")
            let rest = fraction.digits
            if fraction.digitCount == 6 {
                write(twoDigits: rest / 10_000)
                write(twoDigits: rest / 100 % 100)
                write(twoDigits: rest % 100)
            } else {
                write(rest, digitCount: fraction.digitCount)
            }
            while buffer[count - 1] == UInt8(ascii: "0") { count -= 1 }
        }

        private mutating func write(_ number: Int, digitCount: Int) {
            var rest = number
            for place in (0..<digitCount).reversed() {
                buffer[count + place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            count += digitCount
        }
    }
}
