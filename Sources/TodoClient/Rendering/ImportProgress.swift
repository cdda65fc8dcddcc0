internal import TodoAPI

/// How far an import has come, told by what the daemon says of its items.
struct ImportProgress {
    private var bar: ProgressBar
    private var fraction = 0.0
    private var activity = "sending"

    init(_ bar: ProgressBar) { self.bar = bar }

    /// All of the text is with the daemon.
    mutating func readingBegins() { activity = "reading" }

    /// Draws what a reply tells of the items so far.
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
