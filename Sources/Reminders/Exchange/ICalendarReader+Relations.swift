internal import CLibical

// RELATED-TO of RFC 5545 names the parent of a task, or with another RELTYPE one of its subtasks. RFC 9253 adds
// the tasks that it waits for.

extension ICalendarReader {
    /// Returns the subtasks that a task names itself, with the task as their parent.
    static func subtasks(of part: ICalendarPart) -> [String: String] {
        guard let uid = part.writtenValue("UID") else { return [:] }
        let children = relations(of: part).filter { $0.type == "CHILD" }
        return Dictionary(children.map { (unescaped($0.uid), unescaped(uid)) }) { first, _ in first }
    }

    /// Sets the parent and the blockers.
    ///
    /// - Returns: messages about relations that are omitted.
    func takeRelations(of part: ICalendarPart, into item: inout ExchangeItem) -> [String] {
        var remarks: [String] = []
        for relation in Self.relations(of: part) {
            let uid = Self.unescaped(relation.uid)
            switch relation.type {
            case "PARENT":
                if let parent = item.parent, parent != uid {
                    remarks.append("a second parent, \(uid.prefix(60)), is omitted")
                } else {
                    item.parent = uid
                }
            case "CHILD": break
            case "DEPENDS-ON": item.blockers.append(uid)
            // Programs disagree which of the two tasks of FINISHTOSTART is the first one.
            case let type:
                remarks.append(
                    "its RELATED-TO with the type \(type.prefix(60)) is kept for an export and has no effect here"
                )
            }
        }
        item.parent = item.parent ?? parents[item.uid]
        item.blockers = Set(item.blockers).sorted()
        if item.parent == nil { item.missing.insert(.parent) }
        if item.blockers.isEmpty { item.missing.insert(.blockedBy) }
        return remarks
    }

    private static func relations(of part: ICalendarPart) -> [(type: String, uid: String)] {
        part.properties.filter { $0.component == nil && $0.name == "RELATED-TO" }.compactMap { property in
            guard let value = property.value, !value.isEmpty else { return nil }
            return (property.relation, value)
        }
    }

    /// Returns a text without the backslashes of iCalendar.
    private static func unescaped(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.popFirst() else {
                result.append(character)
                continue
            }
            result.append(next == "n" || next == "N" ? "\n" : next)
        }
        return result
    }
}

extension ICalendarWriter {
    /// Writes the parent and the blockers.
    func writeRelations(of item: ExchangeItem, to text: inout ICalendarText) {
        if let parent = item.parent { text.text("RELATED-TO", value: parent) }
        for blocker in item.blockers { text.text("RELATED-TO;RELTYPE=DEPENDS-ON", value: blocker) }
    }
}
