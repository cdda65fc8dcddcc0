internal import TodoAPI

extension ItemDetails {
    /// Declares the options for all details of an item, and for its category.
    ///
    /// - Parameter isNew: whether the item is new, so that it has no parent to remove.
    mutating func codeOptions(
        _ arguments: inout Arguments, _ category: inout CategoryChoice, isNew: Bool = false
    ) throws(ClientError) {
        arguments.option(
            "-d, --due WHEN", &due, help: "tomorrow 9am, fri 15:30, in 20 minutes, 1 dec, 2026-12-24 18:00")
        arguments.flag(
            "--floating", &floating, help: "the same time of day in each time zone: 20:00 wherever you are")
        arguments.option(
            "--start WHEN", &start,
            help: "'list' omits the item before this time: monday, 1 dec, tomorrow 9am")
        arguments.option(
            "-e, --every RULE", &every,
            help: "repeat: day, 90 minutes, mon-fri 9am, last weekday, 24 dec, month until 1 may")
        arguments.option(
            "--between HOURS", &between,
            help: "for a rule within the day: repeat only in these hours, such as 9:00-18:00"
        )
        arguments.flag(
            "--after-done", &afterDone,
            help: "count the next time from when the item is done, not from its due time")
        category.code(&arguments)
        try arguments.item(
            "--parent ID", &parent, isRemovable: !isNew,
            help: isNew
                ? "add the item as a subtask of item ID"
                : "make it a subtask of item ID; '' for an item of its own")
        arguments.option(
            "-l, --lead TIME", &leads,
            help: "how long before the due time an alert is sent: 1h, or 1d,1h,5m, or '10m after'",
            kind: .list([]))
        try arguments.alertTimes(
            "--alert TIME", &alerts,
            help: "an alert at another time, too: 'thu 20:00', 'at start', '1h before start'; may be repeated"
        )
        try arguments.priority(
            "-p, --priority LEVEL", &priority, help: "1 (the highest) to 9, or high, medium, low, none")
        for field in ItemField.allCases {
            switch field.traits.detail {
            case .plainText(let path, _, let option, let help)?, .duration(let path, let option, let help)?:
                arguments.option(option, &self[keyPath: path], help: help)
            case .percentage(let path, let option, let help)?:
                try arguments.percentage(option, &self[keyPath: path], help: help)
            default: break
            }
        }
        arguments.flag("--past", &past, help: "accept a due time in the past")
    }

    /// Whether a property to set was given.
    var isChange: Bool {
        var details = self
        details.past = nil
        return details != ItemDetails()
    }

    /// Sets the time zone in which the daemon reads the typed times.
    ///
    /// Without typed times it is `nil`.
    mutating func setTimeZone(_ session: Session) {
        let hasTimes =
            due != nil || start != nil || every != nil || between != nil || alerts?.isEmpty == false
        timeZone = hasTimes ? session.zoneName : nil
    }
}
