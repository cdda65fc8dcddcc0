internal import TodoAPI

/// The category that an item is put into; it is created when it is not there and the user wants it.
struct CategoryChoice {
    private(set) var name: String?
    private var mayBeNew = false

    mutating func code(_ arguments: inout Arguments) {
        arguments.option("-c, --category NAME", &name, "the category it stands in", .category)
        arguments.flag("--new-category", &mayBeNew, "create the category if it is not there")
    }

    /// Carries out `call` with the category, and once more when that was missing and was created, or another was meant.
    func applied<Reply>(
        _ name: String?, _ daemon: Daemon, _ call: (String?) throws(ClientError) -> Reply
    ) throws(ClientError) -> Reply {
        do throws(ClientError) {
            return try call(name)
        } catch .refused(let message, let reason?) {
            guard case .categoryNotFound(let name, let similar) = reason else {
                throw .refused(message, reason: reason)
            }
            if !mayBeNew {
                for other in similar
                where Question.ask(
                    "There is no category '\(name.oneLine())'. Did you mean '\(other.oneLine())'?") == true
                {
                    return try call(other)
                }
                guard Question.ask("Create the category '\(name.oneLine())'?") == true else {
                    throw .refused(message, reason: reason)
                }
            }
            _ = try daemon.call(AddCategory.self, .init(name: name))
            do throws(ClientError) {
                return try call(name)
            } catch .refused(let message, let reason) {
                let command = "todoctl category delete \(ShellWord.quoted(name))"
                throw .refused(
                    "\(message)\nOnly the category '\(name.oneLine())' was added. To remove it:  \(command)",
                    reason: reason)
            }
        }
    }
}
