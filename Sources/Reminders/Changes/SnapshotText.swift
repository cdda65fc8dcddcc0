internal import ObjectStore
internal import Varlink

/// Objects in JSON, in groups by their entities: `{"ToDo":[{"id":3,…}],"Alarm":[…]}`.
///
/// It is put together so that a long text is never there twice.
struct SnapshotText {
    /// Each as it stands in the whole, but for the bracket at its end.
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

    /// All of it, of which nothing is left here; nil when there is none.
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
