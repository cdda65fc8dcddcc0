/// How a place where alerts go is doing, as the API shows it.
package struct PlaceState: NamedBody, Hashable {
    package static let varlinkType = "Place"

    /// `journal`, `desktop` or `command`.
    package var name = ""
    /// `ready`, `off`, `absent`, `unknown`, `failing` or `held-up`.
    package var state = ""
    /// How many alerts wait for it.
    package var waiting: Int64 = 0

    package init() {}

    package init(name: String, state: String, waiting: Int64) {
        self.name = name
        self.state = state
        self.waiting = waiting
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("name", &name)
        try fields.field("state", &state)
        try fields.field("waiting", &waiting)
    }
}
