/// A method of a Varlink interface, with its name, parameters and reply.
package protocol Method: SendableMetatype {
    associatedtype Parameters: MessageBody
    associatedtype Reply: MessageBody

    /// The interface, which is `dev.todod.Todo` by default.
    static var interface: String { get }
    /// The name of the method within the interface, such as `AddItem`.
    static var name: String { get }
}

extension Method {
    package static var interface: String { TodoInterface.name }

    /// The qualified name of the method, such as `dev.todod.Todo.AddItem`.
    package static var qualifiedName: String { "\(interface).\(name)" }
}
