internal import CivilTime
internal import Phrases

extension ICalendarWriter {
    /// Writes the URL, and the links as attachments. Other programs have no links beside attachments.
    func writeLinks(of item: ExchangeItem, to text: inout ICalendarText) {
        if let url = item.url { text.line("URL:\(URLText.encoded(url))") }
        for link in item.links {
            var line = "ATTACH"
            if let type = link.mediaType { line += ";FMTTYPE=\(Self.parameter(type))" }
            if let title = link.title { line += ";LABEL=\(Self.parameter(title))" }
            if !link.isAttachment { line += ";X-TODOD-LINK=TRUE" }
            text.line("\(line):\(URLText.encoded(link.url))")
        }
    }

    /// Writes the expected duration and the progress. Every completed task has a progress of 100.
    func writeWork(of item: ExchangeItem, to text: inout ICalendarText) {
        if let estimate = item.estimate, estimate > 0 {
            text.line("ESTIMATED-DURATION:\(Self.duration(estimate))")
        }
        if item.isCompleted, !item.isCancelled {
            text.line("PERCENT-COMPLETE:100")
            if item.percent > 0 { text.line("X-TODOD-PERCENT:\(item.percent)") }
        } else if item.percent > 0 {
            text.line("PERCENT-COMPLETE:\(item.percent)")
        }
    }

    /// Returns a duration such as `PT1H30M`.
    private static func duration(_ seconds: Int) -> String {
        let parts = [(seconds / 3_600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
        return "PT" + parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }

    /// Returns the value of a parameter, in quotes if that is needed, encoded as RFC 6868 says.
    private static func parameter(_ value: String) -> String {
        let encoded = ICalendarText.holdable(value).replacing("^", with: "^^").replacing("\"", with: "^'")
            .replacing("\n", with: "^n")
        return encoded.contains { ";:,".contains($0) } || encoded.contains(" ") ? "\"\(encoded)\"" : encoded
    }
}
