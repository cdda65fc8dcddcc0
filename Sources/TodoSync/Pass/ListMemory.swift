internal import CalDAV
internal import CivilTime
internal import TodoAPI

/// The facts about a list that a worker keeps between passes. They are not stored, so a new process learns them again.
struct ListMemory {
    /// A change that the server refused.
    struct Refusal {
        let state: String
        /// The version that the change was to replace.
        let etag: String?
        let reason: String
        /// The time of the next attempt, unless the item is changed before.
        let until: Timestamp
    }

    /// The time of the last comparison of all etags, or `nil` if there was none.
    var comparedAt: Timestamp?
    /// Whether the next pass compares all etags, because reported changes may be incomplete.
    var mustCompare = false
    /// The time since which the list cannot be read, or `nil` if the last pass has read it.
    private(set) var failedSince: Timestamp?
    /// Whether the server refuses to report changes since a token.
    var refusesChanges = false
    /// Whether a pass of this process has read the list completely.
    var isVerified = false
    /// The etags of items that this process has sent, or read instead, by their URLs, until the server has reported them.
    var ownVersions: [String: String] = [:]
    /// The items whose texts could not be read. The store may already have a token that is later than they are.
    var unread: Set<DAVURL> = []
    /// The refused changes by the URLs of the items.
    private var refusals: [String: Refusal] = [:]
    /// The reason why nothing is sent and the time until which it applies, for example because the user's space on the
    /// server is used up.
    var block: (reason: String, until: Timestamp)?

    /// Records that the list could not be synchronized. The changes that are reported later may be incomplete.
    mutating func noteFailure(at time: Timestamp) {
        failedSince = failedSince ?? time
        mustCompare = true
    }

    /// Records that the list was read.
    mutating func noteReading() { failedSince = nil }

    /// Remembers a refused change of an item, and forgets those that can be sent again.
    mutating func add(_ refusal: Refusal, of url: String, now: Timestamp) {
        refusals = refusals.filter { now < $0.value.until }
        refusals[url] = refusal
    }

    /// Forgets all refusals, so that everything can be sent again.
    mutating func forgetRefusals() {
        refusals = [:]
        block = nil
    }

    /// Returns the reason why the change was refused, or `nil` if it can be sent now.
    func refusal(of upload: SyncUpload, now: Timestamp) -> String? {
        guard let refusal = refusals[upload.url], refusal.state == upload.state, refusal.etag == upload.etag,
            now < refusal.until
        else { return nil }
        return refusal.reason
    }
}

/// The memory of all lists of an account, by their ids. It belongs to one queue.
package final class AccountMemory {
    var lists: [Int64: ListMemory] = [:]

    package init() {}
}
