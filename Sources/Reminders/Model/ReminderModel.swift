package import ObjectStore

/// The versions of our model, each in a file of its own. A version is never changed once it is released.
package enum ReminderModel {
    /// A name longer than this is refused rather than cut.
    package static let nameLengths = 1...65_536
    package static let categoryNameLengths = 1...256
    /// What other programs call an item may be any text.
    package static let uidLengths = 1...1_024

    /// The version that the daemon works with.
    package static func current() throws -> ManagedObjectModel {
        try version4()
    }

    /// Every version there is, the oldest first.
    package static func versions() throws -> [ManagedObjectModel] {
        [try version1(), try version2(), try version3(), try version4()]
    }
}
