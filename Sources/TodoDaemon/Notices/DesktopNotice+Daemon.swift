internal import Alerts
internal import ConfigurationFiles
internal import ObjectStore

extension DesktopNotice {
    /// Creates a notice about the wrong lines of the configuration, or returns `nil` if there are none.
    init?(ignored problems: [ConfigurationProblem]) {
        guard !problems.isEmpty else { return nil }
        self.init(
            summary: problems.count == 1
                ? "todod ignores a wrong setting" : "todod ignores \(problems.count) wrong settings",
            lines: problems.map(\.description))
    }

    /// Creates a notice about a new, empty store.
    init(newStore warning: String) {
        self.init(summary: "todod uses a new, empty store", text: warning)
    }

    /// Creates a notice with the reasons why the daemon cannot start.
    init(stoppedBy problems: [ConfigurationProblem]) {
        self.init(
            summary: "todod cannot start and sends no alerts", lines: problems.map(\.description))
    }

    /// Creates a notice with the reason why the daemon cannot start, as it is in the journal.
    init(stoppedBy reason: String) {
        self.init(summary: "todod cannot start and sends no alerts", text: reason)
    }

    /// Creates a notice with the reason why the daemon has ended while it was in use.
    ///
    /// systemd starts it again if the store was replaced.
    init(endedBy loss: StoreError, _ text: String) {
        self.init(
            summary: loss.code == .replaced
                ? "The store of todod was replaced" : "todod has stopped and sends no alerts",
            text: text)
    }
}
