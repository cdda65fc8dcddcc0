internal import TodoAPI

/// Changing one item in the user's editor.
struct ItemEditing {
    let session: Session
    let category: CategoryChoice
    let mayBePast: Bool?

    /// Until what was written is taken, or the user gives up; nil when nothing was changed.
    ///
    /// What was written is never lost: when it is not taken the user goes back to it, or is told where it is.
    func run(_ id: Int64, editor command: String) throws(ClientError) -> UpdateItems.Reply? {
        var form = ItemForm(try session.daemon().call(GetItem.self, .init(id: id)).item, session.zone)
        let editor = try Editor(command)
        var text = form.text
        while true {
            text = try editor.edit(text)
            var message: String
            do throws(ClientError) {
                let reply = try take(text, form)
                editor.removeFile()
                return reply
            } catch {
                message = error.message
                if case .refused(_, .itemModified?) = error,
                    let item = try? session.daemon().call(GetItem.self, .init(id: id)).item
                {
                    // What is written stays; the next try is measured by what the item is now.
                    let present = ItemForm(item, session.zone)
                    message += "\nIt says now:\n\(present.lines(notIn: form))"
                    form = present
                }
            }
            text = ItemForm.text(text, refusedWith: message)
            Output.printError(message)
            guard Question.ask("Back to the editor?", customarily: true) == true else {
                _ = TextFile.write(text, to: editor.path)
                throw .refused("Nothing was changed. What you wrote is in \(editor.path)")
            }
        }
    }

    private func take(_ text: String, _ form: ItemForm) throws(ClientError) -> UpdateItems.Reply? {
        let changes: UpdateItems.Parameters?
        do throws(ItemForm.Mistake) {
            changes = try form.changes(in: text)
        } catch {
            throw .refused("todoctl: \(error.message)")
        }
        guard var update = changes else { return nil }
        update.past = mayBePast
        update.details.setTimeZone(session)
        // A connection of its own: the daemon does not wait for somebody who writes.
        let daemon = try session.daemon()
        return try category.applied(update.category, daemon) { name throws(ClientError) in
            update.category = name
            return try daemon.call(UpdateItems.self, update)
        }
    }
}
