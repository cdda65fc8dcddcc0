internal import TodoAPI

/// The category for an item, which is created on request if it does not exist.
struct CategoryChoice {
    private(set) var name: String?
    /// Whether `--new-category` was typed.
    private(set) var mayBeNew = false

    /// Whether `--new-category` was typed without the category to create.
    var lacksName: Bool { mayBeNew && name == nil }

    mutating func code(_ arguments: inout Arguments) {
        arguments.option("-c, --category NAME", &name, help: "the category of the item", kind: .category)
        arguments.flag("--new-category", &mayBeNew, help: "create the category if it does not exist")
    }

    /// Creates the category without a question if it does not exist.
    mutating func create() { mayBeNew = true }

    /// Calls `call` with the category, and again with a similar one, or to create it, if the category does not exist.
    ///
    /// `--new-category` creates the category without a question. Without it, the user is asked about similar
    /// categories, and then whether to create this one.
    ///
    /// - Throws: the error of `call`, also if the user declines or there is no terminal to ask on.
    func applied<Reply>(
        _ name: String?, _ call: (_ name: String?, _ mayBeNew: Bool?) throws(ClientError) -> Reply
    ) throws(ClientError) -> Reply {
        do throws(ClientError) {
            return try call(name, mayBeNew && name != nil ? true : nil)
        } catch .refused(let message, let reason?) {
            guard case .categoryNotFound(let name, let similar) = reason else {
                throw .refused(message, reason: reason)
            }
            for other in similar
            where Question.ask(
                "There is no category '\(name.oneLine())'. Did you mean '\(other.oneLine())'?") == true
            {
                return try call(other, nil)
            }
            guard Question.ask("Create the category '\(name.oneLine())'?") == true else {
                throw .refused(message, reason: reason)
            }
            return try call(name, true)
        }
    }
}
