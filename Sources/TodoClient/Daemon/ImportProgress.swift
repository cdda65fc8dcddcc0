internal import TodoAPI

/// The progress of an import, measured by the numbers of items in the replies.
struct ImportProgress {
    private var bar: ProgressBar
    private var fraction = 0.0
    private var activity = "sending"

    init(_ bar: ProgressBar) { self.bar = bar }

    /// Changes the activity after the last chunk of the text has been sent.
    mutating func readingBegins() { activity = "reading" }

    /// Updates the progress from a reply, and draws the bar.
    mutating func pass(_ reply: Import.Reply) {
        if let items = reply.items {
            let count = reply.added + reply.updated + reply.unchanged + reply.older
            fraction = items == 0 ? 1 : Double(count) / Double(items)
            activity = count < items ? "importing" : "saving"
        }
        show()
    }

    mutating func show() { bar.show(fraction, activity) }

    mutating func end() { bar.clear() }
}
