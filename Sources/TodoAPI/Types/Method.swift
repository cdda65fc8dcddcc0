/// A method of the interface `dev.todod.Todo`, with its name, parameters and reply.
package protocol Method: SendableMetatype {
    associatedtype Parameters: MessageBody
    associatedtype Reply: MessageBody

    /// The name of the method within the interface, such as `AddItem`.
    static var name: String { get }
}

extension Method {
    /// The qualified name of the method, such as `dev.todod.Todo.AddItem`.
    package static var qualifiedName: String { "\(TodoInterface.name).\(name)" }
}
