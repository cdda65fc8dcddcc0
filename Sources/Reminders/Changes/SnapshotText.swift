internal import ObjectStore
internal import Varlink

/// The JSON text of objects, grouped by entity: `{"ToDo":[{"id":3,…}],"Alarm":[…]}`.
///
/// A long text is never copied while it is built.
struct SnapshotText {
    /// The text of each group as it is in the whole text, without the closing bracket.
    private var groups: [(entity: String, text: String)] = []
    private(set) var byteCount = 0

    /// Adds an object, if there is one.
    mutating func append(_ object: ObjectSnapshot?, _ names: ChangeRecord.ColumnNames) {
        guard let object, let names = names[object.entity.name] else { return }
        var writer = JSONWriter(capacity: 512)
        object.write(to: &writer, names)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        byteCount += text.utf8.count + 1
        if let group = groups.firstIndex(where: { $0.entity == object.entity.name }) {
            groups[group].text += ","
            groups[group].text += text
        } else {
            groups.append(
                (object.entity.name, "\(groups.isEmpty ? "{" : ",")\"\(object.entity.name)\":[\(text)"))
        }
    }

    /// Returns the whole text and removes all objects, or returns `nil` if there are none.
    mutating func take() -> String? {
        guard !groups.isEmpty else { return nil }
        var text = groups.removeFirst().text
        text += "]"
        for group in groups { text += group.text + "]" }
        self = SnapshotText()
        text += "}"
        return text
    }
}
