internal import CLibical
internal import Phrases

extension ICalendarReader {
    /// Sets the URL and the links from URL and ATTACH.
    ///
    /// - Returns: messages about links that are omitted.
    func takeLinks(of part: ICalendarPart, into item: inout ExchangeItem) -> [String] {
        var remarks = takeURL(of: part, into: &item)
        if !part.has("ATTACH") { item.missing.insert(.links) }
        var seen: Set<[UInt8]> = []
        for property in part.properties where property.component == nil && property.name == "ATTACH" {
            guard let value = property.value, !value.isEmpty else { continue }
            var link = LinkValue(url: URLText.encoded(value))
            let shown = "'\(link.url.prefix(60))'"
            if value.contains(where: \.isControl) {
                remarks.append("the control characters in the attachment \(shown) become codes")
            }
            if property.isData {
                remarks.append(
                    "an attachment whose data is in the file is no link, and is only exported again")
            } else if let problem = URLText.problem(with: link.url) {
                remarks.append("the attachment \(shown) is no link: \(problem)")
            } else if seen.contains(Array(link.url.utf8)) {
                remarks.append("the attachment \(shown) is there several times; the first is used")
            } else if item.links.count == ReminderModel.linksLimit {
                remarks.append("links after the first \(ReminderModel.linksLimit) are omitted")
                break
            } else {
                seen.insert(Array(link.url.utf8))
                let title = property.parameter("LABEL") ?? property.parameter("FILENAME")
                link.title = title.flatMap(Self.title)
                if title?.unicodeScalars.count ?? 0 > LinkValue.titleLengthLimit {
                    remarks.append(
                        "the title of the attachment \(shown) is cut to \(LinkValue.titleLengthLimit) characters"
                    )
                }
                link.mediaType = property.parameter("FMTTYPE").flatMap(Self.mediaType)
                if link.mediaType == nil, let type = property.parameter("FMTTYPE"), !type.isEmpty {
                    remarks.append(
                        "'\(type.prefix(60))' of the attachment \(shown) is not a media type, and is omitted")
                }
                link.isAttachment = property.parameter("X-TODOD-LINK")?.uppercased() != "TRUE"
                item.links.append(link)
            }
        }
        return remarks
    }

    private func takeURL(of part: ICalendarPart, into item: inout ExchangeItem) -> [String] {
        guard let written = part.writtenValue("URL"), !written.isEmpty else {
            item.missing.insert(.url)
            return []
        }
        // A URL has no backslash. SOGo and others write commas and semicolons as in texts.
        let url = URLText.encoded(written.replacing("\\;", with: ";").replacing("\\,", with: ","))
        if let problem = URLText.problem(with: url) {
            item.missing.insert(.url)
            return ["its URL '\(url.prefix(60))' is omitted: \(problem)"]
        }
        item.url = url
        let hasControls = written.contains { $0.isControl }
        return hasControls ? ["the control characters in its URL '\(url.prefix(60))' become codes"] : []
    }

    /// Returns a title of one line, or `nil` if it is empty.
    private static func title(_ text: String) -> String? {
        let title = String(String(text.map { $0.isControl ? " " : $0 }).trimmed)
        return title.isEmpty ? nil : String(title.unicodeScalars.prefix(LinkValue.titleLengthLimit))
    }

    /// Returns a media type, or `nil` if the text is not one.
    private static func mediaType(_ text: String) -> String? {
        LinkValue.isMediaType(String(text.trimmed)) ? String(text.trimmed) : nil
    }

    /// Sets the expected duration and the progress.
    ///
    /// - Returns: messages about values that are not read as they are written.
    func takeWork(of task: ICalendarTask, _ part: ICalendarPart, into item: inout ExchangeItem) -> [String] {
        var remarks: [String] = []
        if !part.has("ESTIMATED-DURATION") { item.missing.insert(.estimate) }
        if !part.has("PERCENT-COMPLETE") { item.missing.insert(.percent) }
        if let written = part.writtenValue("ESTIMATED-DURATION"), !written.isEmpty {
            let duration = icaldurationtype_from_string(written)
            let seconds = Int(icaldurationtype_as_int(duration))
            if icaldurationtype_is_bad_duration(duration) != 0 || !(0...Int(Int32.max)).contains(seconds) {
                remarks.append(
                    "its ESTIMATED-DURATION '\(written.prefix(60))' cannot be read, and is omitted")
            } else if seconds > 0 {
                item.estimate = seconds
            }
        }
        if let written = part.writtenValue("PERCENT-COMPLETE"), !written.isEmpty {
            let percent = min(max(Int(written) ?? 0, 0), 100)
            if Int(written) != percent {
                remarks.append(
                    "its PERCENT-COMPLETE '\(written.prefix(60))' is not from 0 to 100; \(percent) is used")
            }
            // Every completed task has 100.
            if item.isCompleted, percent == 100 {
                item.missing.insert(.percent)
            } else {
                item.percent = percent
            }
        }
        if item.isCompleted, let own = task.own("X-TODOD-PERCENT").flatMap({ Int($0) }),
            (0...100).contains(own)
        {
            item.percent = own
            item.missing.remove(.percent)
        }
        return remarks
    }
}
