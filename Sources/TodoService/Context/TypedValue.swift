internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The parsers of values that clients send, other than times.
enum TypedValue {
    /// Returns the text of a name without the spaces around it.
    ///
    /// - Throws: `InvalidValue` if the name has no visible character, or if it is too long.
    static func name(_ text: String, field: String, lengths: ClosedRange<Int>) throws(APIError) -> String {
        let isSpace = { (character: Character) in character.isWhitespace }
        var name = text.drop(while: isSpace)
        while let last = name.last, isSpace(last) { name.removeLast() }
        if name.isEmpty { throw .invalidValue(field: field, reason: "it is empty") }
        guard name.isVisible else {
            throw .invalidValue(field: field, reason: "it has only invisible characters")
        }
        guard lengths.contains(name.unicodeScalars.count) else {
            throw .invalidValue(field: field, reason: "it is longer than \(lengths.upperBound) characters")
        }
        return String(name)
    }

    /// Parses `1d, 1h, 5m`, and returns the lead times in seconds. An empty text has none.
    static func leads(_ text: String) throws(APIError) -> [Int32] {
        var leads: [Int32] = []
        if text.allSatisfy(\.isWhitespace) { return leads }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            do throws(DatePhraseError) {
                leads.append(try lead(part.trimmed))
            } catch {
                throw .invalidValue(
                    field: "leads",
                    reason: "\(error.reason); try 5min, or several separated by commas")
            }
        }
        guard leads.count <= Item.leadsLimit else {
            throw .invalidValue(field: "leads", reason: "an item has at most \(Item.leadsLimit)")
        }
        return leads
    }

    /// A lead time in seconds.
    static func lead(_ text: some StringProtocol) throws(DatePhraseError) -> Int32 {
        if let seconds = Int32(exactly: try TimeSpan(typed: text).seconds) { return seconds }
        throw DatePhraseError(reason: "'\(text)' is too long, or has a fraction of a second")
    }

    /// Returns the priority of an item, if the number is one.
    static func priority(_ number: Int64) throws(APIError) -> Int16 {
        guard let priority = Int16(exactly: number), (0...9).contains(priority) else {
            throw .invalidValue(field: "priority", reason: "expected 1 (the highest) to 9, or 0 for none")
        }
        return priority
    }

    /// Returns the number of changes to undo or redo.
    static func changeCount(_ parameters: ChangeCount) throws(APIError) -> Int {
        let count = parameters.count ?? 1
        guard (1...ChangeCount.limit).contains(count) else {
            throw .invalidValue(field: "count", reason: "expected a number from 1 to \(ChangeCount.limit)")
        }
        return Int(count)
    }
}
