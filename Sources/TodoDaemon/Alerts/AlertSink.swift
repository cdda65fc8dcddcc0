package import Reminders

/// Where alerts go.
///
/// `told` is called once, on any queue, with those that reached a person or a place where a person looks.
package protocol AlertSink: Sendable {
    func announce(_ alerts: [Alert], told: @escaping @Sendable ([Alert]) -> Void)
}
