/// One method of the interface `dev.todod.Todo`: its name, what it takes and what it gives.
package protocol Method: SendableMetatype {
    associatedtype Parameters: MessageBody
    associatedtype Reply: MessageBody

    /// The name within the interface, such as `AddItem`.
    static var name: String { get }
}

extension Method {
    /// The name on the wire: `dev.todod.Todo.AddItem`.
    package static var qualifiedName: String { "\(TodoInterface.name).\(name)" }
}
