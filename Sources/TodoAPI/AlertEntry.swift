/// An alert as it stands in the journal: the names of its fields, for who writes and who reads it.
package enum AlertEntry {
    /// Under which `todod.catalog` explains it: what is due soon, was missed, put off, is overdue.
    package static let messageIDs = [
        "d4163456eda34048827f11ff04815828", "37d73267954b4f5bbf1b37453af2c08c",
        "37506c4d5dc04f888f35e231733d805d", "aea097578a0a4c56a883c3f575da00c4",
    ]

    package static let message = "MESSAGE"
    package static let kind = "TODO_ALERT"
    package static let itemID = "TODO_ID"
    package static let uid = "TODO_UID"
    package static let name = "TODO_NAME"
    package static let due = "TODO_DUE"
    package static let category = "TODO_CATEGORY"
    package static let priority = "TODO_PRIORITY"

    /// What each is called where alerts are printed as JSON.
    package static let jsonNames = [
        ("alert", kind), ("id", itemID), ("uid", uid), ("name", name), ("due", due), ("category", category),
        ("message", message),
    ]
}
