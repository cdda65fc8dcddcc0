import ObjectStore
import Testing

@testable import Reminders

/// Existing stores contain these hashes. If a hash changes, a released version was changed.
@Suite struct ReminderModelTests {
    @Test(arguments: [
        ("1", "301f5fc1d2842c0d07293e0448fe8be6967f9c95189f5aa527e0ad6c10850a96"),
        ("2", "c255a59ea8cf08744c5ccf7d528d43b4b2e9f7f74c1539976a3766ab008d88c3"),
        ("3", "987ccaec2dc51649421f186bcc05a6bc849819cd718d5bc62ef014a3856d080a"),
        ("4", "f9f8f0b93640ff0bb80b0e6ef7d88e3162b4e29645075110255b2083ed2980aa"),
    ])
    func versionKeepsItsHash(identifier: String, hash: String) throws {
        let version = try ReminderModel.versions().first { $0.versionIdentifiers == [identifier] }
        #expect(version?.versionHash == hash)
    }

    @Test func currentVersionIsTheLast() throws {
        #expect(try ReminderModel.current().versionHash == ReminderModel.versions().last?.versionHash)
    }
}
