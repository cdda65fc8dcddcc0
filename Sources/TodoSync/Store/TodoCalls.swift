package import TodoAPI

/// Calls of todod's methods. Each call blocks until todod has replied.
package protocol TodoCalls: AnyObject {
    /// Calls a method and returns its reply.
    ///
    /// - Throws: an `APIError` of todod, or `TodoUnreachable`.
    func call<M: Method>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply
}

/// todod does not answer, or its answer cannot be read.
package struct TodoUnreachable: Error, CustomStringConvertible {
    package let reason: String

    package init(reason: String) { self.reason = reason }

    package var description: String {
        "todod does not answer (\(reason)); see its state with:  systemctl --user status todod.service"
    }
}
