package import CivilTime
internal import Platform

/// A task of a synchronized list, as it was read.
package struct SyncTask {
    package let item: ExchangeItem
    package let text: String
    /// The time at which the task was changed last, as its text says.
    package var modifiedDate: Timestamp? { item.modifiedDate }
    /// Messages about parts that todod does not use, which stay in the text.
    package let remarks: [String]
    let format: SyncFormat
    /// The state of the item, which is made at each use, as are the groups.
    package var state: SyncState { format.state(of: item) }
    /// The lines that todod would write for the item.
    var groups: SyncGroups { format.groups(of: item) }

    /// The reason why a text is not synchronized.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }
}

/// Reads and writes the tasks of synchronized lists.
package struct SyncFormat: Sendable {
    private let zone: TimeZoneRules
    private let defaultTime: Int
    let now: Timestamp

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - zone: the time zone of times that do not name one.
    ///   - defaultTime: the time of day from which the lead times of dates are counted, in seconds.
    package init(zone: TimeZoneRules, defaultTime: Int, now: Timestamp) {
        self.zone = zone
        self.defaultTime = defaultTime
        self.now = now
    }

    /// Returns a text with the line ends of the standard, which XML does not keep.
    package static func normalized(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 64)
        for byte in text.utf8 {
            if byte == 0x0A, bytes.last != 0x0D { bytes.append(0x0D) }
            bytes.append(byte)
        }
        return bytes.count == text.utf8.count ? text : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the time at which the task of a text was changed last, as the text says.
    package static func modifiedDate(of text: String) -> Timestamp? {
        // The time is in UTC.
        let format = SyncFormat(zone: .utc, defaultTime: 0, now: .now)
        return (try? format.task(text))?.modifiedDate
    }

    /// Reads the only task of a text.
    package func task(_ text: String) throws(SyncTask.Failure) -> SyncTask {
        var item: ExchangeItem?
        var remarks: [String] = []
        do throws(ICalendarReader.Failure) {
            var reader = try ICalendarReader(text, zone: zone, defaultTime: defaultTime, use: .list)
            item = try reader.next()
            if try reader.next() != nil { throw .init(line: reader.line, reason: "it has several tasks") }
            remarks = reader.takeRemarks().map(\.text)
        } catch {
            throw SyncTask.Failure(description: error.reason)
        }
        guard let item else { throw SyncTask.Failure(description: "it has no task") }
        return SyncTask(item: item, text: text, remarks: remarks, format: self)
    }

    /// The number of texts that one thread reads at a time.
    private static let textsPerThread = 10

    /// Reads the only task of each text, on all processors.
    package func tasks(_ texts: [String]) -> [Result<SyncTask, SyncTask.Failure>] {
        let starts = Array(stride(from: 0, to: texts.count, by: Self.textsPerThread))
        let parts = Locked<[Int: [Result<SyncTask, SyncTask.Failure>]]>([:])
        Processors.perform(iterations: starts.count) { number in
            let range = starts[number]..<min(starts[number] + Self.textsPerThread, texts.count)
            let part = texts[range].map { text in
                Result { () throws(SyncTask.Failure) in try task(text) }
            }
            parts.withLock { $0[number] = part }
        }
        return parts.withLock { parts in starts.indices.flatMap { parts[$0] ?? [] } }
    }

    /// Returns the state of an item.
    ///
    /// It does not depend on the time of the alerts for dates, which is a setting of the machine.
    package func state(of item: ExchangeItem) -> SyncState {
        SyncState(SyncGroups(item, ICalendarWriter(now: now, timeOfDates: 0, use: .list)))
    }

    /// Whether an item differs from its state at the last agreement.
    package func isUnsent(_ state: SyncState, since agreement: String) -> Bool {
        !state.difference(from: SyncState(agreement)).isEmpty
    }

    /// Returns the groups that one text has and another one does not.
    package func groups(of text: String, missingIn other: String) -> [String] {
        guard let task = try? task(text), let other = try? self.task(other) else { return [] }
        return task.groups.names.subtracting(other.groups.names).sorted()
    }

    /// Whether two texts are the same in all properties and components that todod does not use.
    package func haveSameForeignLines(_ text: String, as other: String) -> Bool {
        guard let task = try? task(text), let otherTask = try? self.task(other) else { return text == other }
        let own = task.groups.names.union(otherTask.groups.names)
        let lines = { (text: String) in
            SyncDocument(text).units.map(\.unit).filter { unit in
                !own.contains(SyncGroups.name(of: unit)) && !SyncGroups.describesText(unit)
            }.map(\.unfolded).sorted { $0.lexicographicallyPrecedes($1) }
        }
        return lines(text) == lines(other)
    }

    /// Whether the text of a task has properties or components that todod does not use.
    package func hasForeignLines(_ task: SyncTask) -> Bool {
        let own = task.groups.names
        return SyncDocument(task.text).units.contains { _, unit in
            !own.contains(SyncGroups.name(of: unit)) && !SyncGroups.describesText(unit)
        }
    }

    /// Whether the alerts of two items have other times.
    package func haveOtherAlerts(_ former: ExchangeItem, than item: ExchangeItem) -> Bool {
        !state(of: former).difference(from: state(of: item)).isDisjoint(
            with: SyncGroups.allAlarms.union([SyncGroups.times]))
    }

    /// Returns the lines that todod writes for an item.
    func groups(of item: ExchangeItem) -> SyncGroups { SyncGroups(item, writer) }

    var writer: ICalendarWriter { ICalendarWriter(now: now, timeOfDates: defaultTime, use: .list) }

    /// Returns the text of an item that the server does not have.
    package func text(of item: ExchangeItem) -> String {
        var writer = writer
        return ICalendarWriter.header + writer.lines(for: item) + ICalendarWriter.footer
    }

    /// Returns the text of the server with the changes of the item since the last agreement.
    package func text(
        _ text: String, with item: ExchangeItem, changedSince state: SyncState
    ) throws(SyncTask.Failure) -> String {
        try changedText(text, with: item, since: state, omitting: [])
    }

    /// Returns the text of the server with the changes of the item, as far as the text can express them.
    ///
    /// - Returns: the text, the state of the item in it, and the reason why some changes are not in it.
    package func expressibleText(
        _ text: String, with item: ExchangeItem, changedSince state: SyncState
    ) throws(SyncTask.Failure) -> (text: String, state: SyncState, failure: SyncTask.Failure?) {
        let present = self.state(of: item)
        do throws(SyncTask.Failure) {
            return (try self.text(text, with: item, changedSince: state), present, nil)
        } catch {
            let changed = present.difference(from: state)
            let omitted = changed.filter { name in
                (try? changedText(text, with: item, since: state, omitting: changed.subtracting([name])))
                    == nil
            }
            guard omitted != changed else { throw error }
            let rest = try changedText(text, with: item, since: state, omitting: omitted)
            return (rest, present.replacing(omitted, from: state), error)
        }
    }

    private func changedText(
        _ text: String, with item: ExchangeItem, since state: SyncState, omitting omitted: Set<String>
    ) throws(SyncTask.Failure) -> String {
        let task = try task(text)
        let groups = groups(of: item)
        let changed = self.state(of: item).difference(from: state).subtracting(omitted)
        var desired: [String: [ICalendarUnit]] = [:]
        let present = task.groups
        for name in changed where groups.keys(of: name) != present.keys(of: name) {
            desired[name] = groups.units[name] ?? []
        }
        return try SyncPatch(text, of: task, modified: item.modifiedDate, self).applying(desired)
    }

    // MARK: - Conflicts

    /// Returns the lines of a conflict with those of a former one that are about other properties.
    package static func lines(_ lines: String, besides former: String) -> String {
        let names = Set(units(in: lines).map(conflictGroup))
        return lines
            + units(in: former).filter { !names.contains(conflictGroup(of: $0)) }.map(\.text).joined()
    }

    /// Returns the names of the properties in lines of iCalendar.
    package static func properties(in lines: String) -> [String] {
        var names: [String] = []
        for unit in units(in: lines) {
            let group = conflictGroup(of: unit)
            let name = unit.name != SyncGroups.removal ? unit.name : group == SyncGroups.times ? "DUE" : group
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Returns the group that a line of a conflict is about.
    private static func conflictGroup(of unit: ICalendarUnit) -> String {
        unit.name == SyncGroups.removal ? unit.property.value ?? "" : SyncGroups.name(of: unit)
    }

    private static func units(in lines: String) -> [ICalendarUnit] {
        ICalendarUnit.units(in: "BEGIN:VTODO\r\n" + lines + "END:VTODO\r\n")
    }

    /// Returns an item with the values of lines that todod has written for it, such as `SyncMerge.lostText`.
    package func item(_ item: ExchangeItem, with lines: String) throws(SyncTask.Failure) -> ExchangeItem {
        let text = text(of: item)
        var desired: [String: [ICalendarUnit]] = [:]
        for unit in Self.units(in: lines) {
            desired[Self.conflictGroup(of: unit), default: []] +=
                unit.name == SyncGroups.removal ? [] : [unit]
        }
        let task = try task(text)
        let merge = try SyncMerge(
            item, base: (text, state(of: item)),
            remote: try SyncPatch(text, of: task, self).applying(desired), self)
        return merge.item
    }
}
