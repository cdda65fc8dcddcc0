internal import CLibical
internal import Phrases

extension ICalendarReader {
    /// Sets the URL and the links from URL and ATTACH.
    ///
    /// - Returns: messages about links that are omitted.
    func takeLinks(of part: ICalendarPart, into item: inout ExchangeItem) -> [String] {
        item.url = part.writtenValue("URL").map(URLText.encoded).flatMap {
            URLText.problem(with: $0) == nil ? $0 : nil
        }
        var remarks: [String] = []
        var seen: Set<String> = []
        for property in part.properties where property.component == nil && property.name == "ATTACH" {
            guard let value = property.value, !value.isEmpty else { continue }
            let isData =
                property.parameter("VALUE")?.uppercased() == "BINARY"
                || property.parameter("ENCODING")?.uppercased() == "BASE64"
            var link = LinkValue(url: URLText.encoded(value))
            if isData {
                remarks.append("an attachment whose data is in the file is omitted: only links are kept")
            } else if let problem = URLText.problem(with: link.url) {
                remarks.append("the attachment '\(link.url.prefix(60))' is omitted: \(problem)")
            } else if seen.contains(link.url) {
                continue
            } else if item.links.count == ReminderModel.linksLimit {
                remarks.append("links after the first \(ReminderModel.linksLimit) are omitted")
                break
            } else {
                seen.insert(link.url)
                link.title = (property.parameter("LABEL") ?? property.parameter("FILENAME")).flatMap(
                    Self.title)
                link.mediaType = property.parameter("FMTTYPE").flatMap(Self.mediaType)
                link.isAttachment = property.parameter("X-TODOD-LINK")?.uppercased() != "TRUE"
                item.links.append(link)
            }
        }
        return remarks
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
            item.percent = item.isCompleted && percent == 100 ? 0 : percent
        }
        if item.isCompleted, let own = task.own("X-TODOD-PERCENT").flatMap({ Int($0) }),
            (0...100).contains(own)
        {
            item.percent = own
        }
        return remarks
    }
}
