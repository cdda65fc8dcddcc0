package import Reminders

/// Where alerts go. Every operation returns at once; what can block does so on a queue of the sink's own.
package protocol AlertSink: Sendable {
    /// Tells them. `told` is called once, on any queue, with those that reached a person or a place where a person
    /// looks.
    func announce(_ announcement: Announcement, told: @escaping @Sendable ([Alert]) -> Void)

    /// Takes back what still stands before a person's eyes of items that need nobody any more.
    func withdraw(itemIDs: [Int64])

    /// Takes over other settings.
    func apply(_ configuration: Configuration)

    /// Shows a notice about the daemon itself, in the place of the one before; `nil` takes that one away.
    func show(_ notice: DesktopNotice?)

    /// How it is doing; may be asked on any queue.
    var condition: SinkState.Condition { get }

    /// How each of the places behind it is doing.
    var states: [SinkState] { get }
}

extension AlertSink {
    /// What is told for good cannot be taken back.
    package func withdraw(itemIDs: [Int64]) {}

    /// Only the desktop shows notices; the daemon writes them to the journal itself.
    package func show(_ notice: DesktopNotice?) {}

    /// Most sinks have nothing to set.
    package func apply(_ configuration: Configuration) {}

    package var condition: SinkState.Condition { .ready }

    package var states: [SinkState] { [] }
}
