internal import CivilTime
internal import Phrases
internal import TodoAPI

struct SnoozeItemsHandler: Handler {
    let service: ServiceContext
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: SnoozeItems.Parameters, _ answer: Answer<SnoozeItems>) throws {
        let end = try end(parameters)
        try backgroundChanges.change(items: parameters.ids.count, answer) {
            UpdateItems.Reply(
                try ItemEditor($0).snooze(parameters.ids, until: end?.moment), note: end?.note)
        }
    }

    /// Returns the end of the snooze, or `nil` to end it now.
    private func end(_ parameters: SnoozeItems.Parameters) throws -> DatePhrase.Reading? {
        let isOff = parameters.off ?? false
        guard let text = parameters.until else {
            if isOff { return nil }
            throw APIError.invalidValue(field: "until", reason: "it is missing; set it, or 'off' to true")
        }
        if isOff { throw APIError.invalidValue(field: "off", reason: "it cannot be combined with 'until'") }
        return try service.times.futureReading(
            text, field: "until", timeZone: parameters.timeZone, mayBePast: false, purpose: .snooze)
    }
}
