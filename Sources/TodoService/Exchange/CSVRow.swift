internal import TodoAPI

/// A row of a CSV text. A value in quotes may have line breaks.
struct CSVRow {
    /// The line on which the row begins, counted from 1.
    let line: Int
    private(set) var values: [String] = []

    /// Returns the rows that have a value, in order.
    ///
    /// The separator is a semicolon if the first line has more of them than commas, because spreadsheets write CSV with
    /// semicolons in many countries.
    static func rows(of text: String) throws(APIError) -> [CSVRow] {
        let first = text.utf8.prefix { $0 != UInt8(ascii: "\n") }
        let count = { (byte: UInt8) in first.count { $0 == byte } }
        let isSemicolon = count(UInt8(ascii: ";")) > count(UInt8(ascii: ","))
        var reader = Reader(separator: UInt8(ascii: isSemicolon ? ";" : ","))
        for byte in text.utf8 { reader.take(byte) }
        return try reader.end()
    }

    /// A reader that takes a text byte by byte.
    private struct Reader {
        private enum State {
            /// At the beginning of a value.
            case beginning
            case plain
            case quoted
            /// After a quotation mark in a quoted value, which ends the value unless another one follows.
            case quotedEnd
        }

        let separator: UInt8
        private var state = State.beginning
        private var rows: [CSVRow] = []
        private var row = CSVRow(line: 1)
        private var value: [UInt8] = []
        private var line = 1
        /// The line of the last quotation mark that begins a value.
        private var quoteLine = 1

        init(separator: UInt8) { self.separator = separator }

        mutating func take(_ byte: UInt8) {
            let isQuote = byte == UInt8(ascii: "\"")
            switch state {
            case .quoted where isQuote: state = .quotedEnd
            case .quotedEnd where isQuote:
                value.append(byte)
                state = .quoted
            case .quoted: value.append(byte)
            case .beginning where isQuote:
                state = .quoted
                quoteLine = line
            default: takeOutsideQuotes(byte)
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
        }

        private mutating func takeOutsideQuotes(_ byte: UInt8) {
            if byte == separator {
                endValue()
            } else if byte == UInt8(ascii: "\n") {
                if value.last == UInt8(ascii: "\r") { value.removeLast() }
                endRow(next: line + 1)
            } else {
                value.append(byte)
                // A quotation mark within a value has no meaning.
                state = .plain
            }
        }

        private mutating func endValue() {
            row.values.append(String(decoding: value, as: UTF8.self))
            value.removeAll(keepingCapacity: true)
            state = .beginning
        }

        private mutating func endRow(next line: Int) {
            endValue()
            if row.values.contains(where: { !$0.isEmpty }) { rows.append(row) }
            row = CSVRow(line: line)
        }

        mutating func end() throws(APIError) -> [CSVRow] {
            guard state != .quoted else {
                throw .invalidValue(
                    field: "text", reason: "line \(quoteLine): a value in quotation marks does not end")
            }
            endRow(next: line)
            return rows
        }
    }
}
