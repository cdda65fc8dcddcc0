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

    /// Returns the name of a tag without the spaces around it and `+` or `#` before it.
    ///
    /// - Throws: `InvalidValue` as for other names, or if the name has a comma, which separates names.
    static func tag(_ text: String, field: String) throws(APIError) -> String {
        let name = TagName.plain(text)
        if name.contains(",") {
            throw .invalidValue(field: field, reason: "the name of a tag has no comma")
        }
        if hasControl(name) {
            throw .invalidValue(field: field, reason: "the name of a tag has no control character")
        }
        return try Self.name(name, field: field, lengths: ReminderModel.tagNameLengths)
    }

    /// Returns the name of a category without the spaces around it.
    ///
    /// - Throws: `InvalidValue` as for other names, or if the name has a control character.
    static func category(_ text: String, field: String) throws(APIError) -> String {
        let name = try Self.name(text, field: field, lengths: ReminderModel.categoryNameLengths)
        if hasControl(name) {
            throw .invalidValue(field: field, reason: "the name of a category has no control character")
        }
        return name
    }

    private static func hasControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Returns the names of tags, each once.
    static func tags(_ texts: [String], field: String) throws(APIError) -> [String] {
        guard texts.count <= ReminderModel.tagsLimit else { throw tooManyTags(field) }
        var names: [String] = []
        var seen: Set<String> = []
        for (index, text) in texts.enumerated() {
            let name = try tag(text, field: "\(field)[\(index)]")
            if seen.insert(name.lowercased()).inserted { names.append(name) }
        }
        return names
    }

    /// Returns the error that an item would have too many tags.
    static func tooManyTags(_ field: String, item: Int64? = nil) -> APIError {
        .invalidValue(
            field: field,
            reason: (item.map { "item \($0): " } ?? "")
                + "an item has at most \(ReminderModel.tagsLimit) tags")
    }

    /// Returns a URL without the spaces around it, or an empty text.
    static func url(_ text: String, field: String) throws(APIError) -> String {
        let url = URLText.plain(text)
        if !url.isEmpty, let problem = URLText.problem(with: url) {
            throw .invalidValue(
                field: field, reason: "'\(url.oneLine(bytesLimit: shownBytes))': \(problem)")
        }
        return url
    }

    /// Returns the checked values of links. Of several with one URL, the first one counts.
    static func links(_ links: [ItemLink], field: String) throws(APIError) -> [LinkValue] {
        var values: [LinkValue] = []
        var seen: Set<[UInt8]> = []
        for (index, link) in links.enumerated() {
            let place = "\(field)[\(index)]"
            var value = LinkValue(url: try url(link.url, field: "\(place).url"))
            if value.url.isEmpty { throw .invalidValue(field: "\(place).url", reason: "it is empty") }
            value.title = try title(link.title, field: "\(place).title")
            if let type = link.mediaType, !type.isEmpty {
                guard LinkValue.isMediaType(type) else {
                    throw .invalidValue(
                        field: "\(place).mediaType", reason: "expected a media type such as application/pdf")
                }
                value.mediaType = type
            }
            value.isAttachment = link.attachment ?? false
            if seen.insert(Array(value.url.utf8)).inserted { values.append(value) }
        }
        guard values.count <= ReminderModel.linksLimit else { throw tooManyLinks(field) }
        return values
    }

    /// Returns the error that an item would have too many links.
    static func tooManyLinks(_ field: String, item: Int64? = nil) -> APIError {
        .invalidValue(
            field: field,
            reason: (item.map { "item \($0): " } ?? "")
                + "an item has at most \(ReminderModel.linksLimit) links")
    }

    /// The number of bytes of a wrong text in an error.
    private static let shownBytes = 80

    /// Returns a text of one line without the spaces around it, or `nil` for an empty one.
    private static func title(_ text: String?, field: String) throws(APIError) -> String? {
        guard let line = text.map({ String($0.trimmed) }), !line.isEmpty else { return nil }
        guard line.unicodeScalars.count <= LinkValue.titleLengthLimit else {
            throw .invalidValue(
                field: field, reason: "it is longer than \(LinkValue.titleLengthLimit) characters")
        }
        if hasControl(line) {
            throw .invalidValue(field: field, reason: "it has a control character, such as a line break")
        }
        return line
    }

    /// Parses the expected duration of the work, and returns it in seconds. An empty text means 0.
    static func duration(_ text: String, field: String) throws(APIError) -> Int64 {
        if text.allSatisfy(\.isWhitespace) { return 0 }
        do throws(DatePhraseError) {
            return Int64(try lead(text.trimmed))
        } catch {
            throw .invalidValue(field: field, reason: "\(error.reason); try 1h30m")
        }
    }

    /// Returns a number from 0 to 100.
    static func percentage(_ number: Int64, field: String) throws(APIError) -> Int64 {
        guard (0...100).contains(number) else {
            throw .invalidValue(field: field, reason: "expected a number from 0 to 100, found \(number)")
        }
        return number
    }

    /// Parses `1d, 1h, 10m after`, and returns the lead times in seconds, negative ones for alerts after the due time. An
    /// empty text has none.
    static func leads(_ text: String) throws(APIError) -> [Int32] {
        var leads: [Int32] = []
        if text.allSatisfy(\.isWhitespace) { return leads }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            do throws(DatePhraseError) {
                leads.append(try signedLead(part.trimmed))
            } catch {
                throw .invalidValue(
                    field: "leads",
                    reason:
                        "\(error.reason); try 5min, or several separated by commas, such as 1h, 10min after")
            }
        }
        guard leads.count <= Item.leadsLimit else {
            throw .invalidValue(field: "leads", reason: "an item has at most \(Item.leadsLimit)")
        }
        return leads
    }

    /// Returns a lead time in seconds: `1h`, `1h before`, or `1h after`, which is negative.
    static func signedLead(_ text: some StringProtocol) throws(DatePhraseError) -> Int32 {
        let words = text.split(whereSeparator: \.isWhitespace)
        let directions: [String: Int32] = ["before": 1, "after": -1]
        guard words.count > 1, let direction = directions[words[words.count - 1].lowercased()] else {
            return try lead(text)
        }
        return try direction * lead(words.dropLast().joined(separator: " "))
    }

    /// Returns a time span in seconds.
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
