/// Words in the text of a new item that set a property, in the API.
package struct TextPart: NamedBody, Hashable {
    package static let varlinkType = "TextPart"

    package enum Kind: String, FieldChoice {
        case due, start, every, category, tag, priority
    }

    package var kind = Kind.due
    /// The words as they were typed.
    package var text = ""
    /// The value of the property, as text for the field of `AddItem`.
    package var value = ""
    /// The indices of the words among those of the text.
    package var words: [Int64] = []
    /// Whether it is a category that does not exist, or `nil` for all other parts.
    package var isNew: Bool?

    package init() {}

    package init(kind: Kind, text: String, value: String, words: [Int64], isNew: Bool? = nil) {
        self.kind = kind
        self.text = text
        self.value = value
        self.words = words
        self.isNew = isNew
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("kind", &kind)
        try fields.field("text", &text)
        try fields.field("value", &value)
        try fields.field("words", &words)
        try fields.field("new", &isNew)
    }
}
