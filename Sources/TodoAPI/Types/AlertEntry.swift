/// The names of the fields of an alert in the journal, for the programs that write and read them.
package enum AlertEntry {
    /// The message ids of alerts in `todod.catalog`: due soon, missed, snoozed, overdue, reminder.
    package static let messageIDs = [
        "d4163456eda34048827f11ff04815828", "37d73267954b4f5bbf1b37453af2c08c",
        "37506c4d5dc04f888f35e231733d805d", "aea097578a0a4c56a883c3f575da00c4",
        "dbf50bc9065144708f16114a465b6de8",
    ]

    package static let message = "MESSAGE"
    package static let kind = "TODO_ALERT"
    package static let itemID = "TODO_ID"
    package static let uid = "TODO_UID"
    package static let name = "TODO_NAME"
    package static let due = "TODO_DUE"
    package static let category = "TODO_CATEGORY"
    package static let priority = "TODO_PRIORITY"

    /// The fields in the JSON form of an alert, with their names there.
    package static let jsonNames = [
        ("alert", kind), ("id", itemID), ("uid", uid), ("name", name), ("due", due), ("category", category),
        ("message", message),
    ]
}
