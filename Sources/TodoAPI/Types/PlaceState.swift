/// The state of a destination for alerts, in the API.
package struct PlaceState: NamedBody, Hashable {
    package static let varlinkType = "Place"

    /// The name of the destination: `journal`, `desktop` or `command`.
    package var name = ""
    /// The state: `ready`, `off`, `absent`, `unknown`, `failing` or `held-up`.
    package var state = ""
    /// The number of alerts that wait to be delivered there.
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
