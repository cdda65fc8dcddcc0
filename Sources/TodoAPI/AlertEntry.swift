/// An alert as it stands in the journal: the names of its fields, for who writes and who reads it.
package enum AlertEntry {
    /// Under which `todod.catalog` explains it.
    package static let messageID = "d4163456eda34048827f11ff04815828"

    package static let message = "MESSAGE"
    package static let kind = "TODO_ALERT"
    package static let itemID = "TODO_ID"
    package static let uid = "TODO_UID"
    package static let name = "TODO_NAME"
    package static let due = "TODO_DUE"
    package static let category = "TODO_CATEGORY"

    /// What each is called where alerts are printed as JSON.
    package static let jsonNames = [
        ("alert", kind), ("id", itemID), ("uid", uid), ("name", name), ("due", due), ("category", category),
        ("message", message),
    ]
}
