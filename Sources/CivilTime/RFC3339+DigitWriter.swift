extension RFC3339 {
    /// Puts numbers of a fixed width into the bytes of a text.
    struct DigitWriter {
        let buffer: UnsafeMutableBufferPointer<UInt8>
        private(set) var count = 0

        init(buffer: UnsafeMutableBufferPointer<UInt8>) {
            self.buffer = buffer
        }

        mutating func write(_ day: Day) {
            UnsafeMutableRawBufferPointer(buffer).storeBytes(of: day.text, as: SIMD16<UInt8>.self)
            count += Day.length
        }

        mutating func write(_ character: Unicode.Scalar) {
            buffer[count] = UInt8(ascii: character)
            count += 1
        }

        mutating func write(twoDigits number: Int) {
            put(number, at: count)
            count += 2
        }

        private func put(_ number: Int, at position: Int) {
            let number = UInt32(truncatingIfNeeded: number)
            let tens = number / 10
            let digits = UInt16(truncatingIfNeeded: tens | (number &- tens &* 10) << 8) | 0x3030
            UnsafeMutableRawBufferPointer(buffer)
                .storeBytes(of: digits.littleEndian, toByteOffset: position, as: UInt16.self)
        }

        /// `09:00:00`
        mutating func write(secondOfDay: Int) {
            let minutes = secondOfDay / 60
            let hours = minutes / 60
            put(hours, at: count)
            buffer[count + 2] = UInt8(ascii: ":")
            put(minutes - hours * 60, at: count + 3)
            buffer[count + 5] = UInt8(ascii: ":")
            put(secondOfDay - minutes * 60, at: count + 6)
            count += 8
        }

        /// `Z`, `+01:00`
        mutating func write(offset: Int) {
            if offset == 0 { return write("Z") }
            write(offset < 0 ? "-" : "+")
            write(twoDigits: abs(offset) / 3_600)
            write(":")
            write(twoDigits: abs(offset) / 60 % 60)
        }

        /// Without the zeros at the end.
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
