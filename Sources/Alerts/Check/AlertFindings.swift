internal import CivilTime
internal import Reminders

/// The result of a check.
struct AlertFindings {
    /// Whether only urgent items were checked.
    let isQuiet: Bool
    /// The time since which alerts were delayed, if the quiet period has just ended.
    var delayedSince: Timestamp?
    /// The alerts to send, in the order of their due times.
    var alerts: [Alert] = []
    /// The entries from which the alerts were made.
    var alerted: [AlertRows.Entry] = []
    /// The entries that are due but get no alert.
    var skipped: [AlertRows.Entry] = []
    /// The entries with a date that is not finite. Nothing can be recorded for them.
    var unusable: [AlertRows.Entry] = []
    /// The number of skipped entries that became due too long ago.
    var tooOldCount = 0
}
