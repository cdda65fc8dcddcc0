/// The kinds of entry that we write to the journal, each by the id under which `todod.catalog` explains it.
package enum MessageID: String, CaseIterable, Sendable {
    case alert = "d4163456eda34048827f11ff04815828"
    case missedAlert = "37d73267954b4f5bbf1b37453af2c08c"
    case snoozedAlert = "37506c4d5dc04f888f35e231733d805d"
    case overdueAlert = "aea097578a0a4c56a883c3f575da00c4"
    case alertSummary = "177b3f1890294505bef65db8c292548c"
    case alertsHeldUp = "88a084408214464db2cb7f083e573824"
    case alertSinkFailed = "45915efecd03486abc990acf825f6607"
    case daemonStarted = "691d6080e1174322a5e1eb7dd83bc49d"
    case daemonStopped = "abad69922e1a4d0b99668c8ed03adab0"
    case configurationReloaded = "b19f2c2b26e54b30b6eac764f346a569"
    case configurationRejected = "838f25bbf23b4ec99bb2addd32b1e6bb"
    case alertNotRecorded = "7b799aaec9c64facb0188088d864c261"
    case itemNotSaved = "9d9adf0ce5944eed9be2b9ad15725302"
    case evaluationFailed = "e6daf729f6d840ddbffb77503d4c8218"
    case storeDamaged = "880365d5e84c4458b5cb1afe52dd52f5"
    case storeMigrated = "d0d7f8c8c0bd4231b2f2d469d1a5d044"
}
