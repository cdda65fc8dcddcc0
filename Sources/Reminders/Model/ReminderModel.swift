package import ObjectStore
internal import Phrases

/// The versions of the data model, each in a file of its own.
///
/// A version is never changed after its release.
package enum ReminderModel {
    /// The allowed lengths of an item's name.
    ///
    /// A longer name is refused, not truncated.
    package static let nameLengths = 1...65_536
    package static let categoryNameLengths = 1...256
    package static let tagNameLengths = 1...256
    /// The maximum number of tags of an item.
    package static let tagsLimit = 100
    /// The most lead times of an imported task, and the most other alerts.
    package static let alarmsLimit = 16
    /// The maximum number of items directly below an item.
    package static let childrenLimit = 1_000
    /// The maximum number of levels of items, the item without a parent included.
    package static let levelsLimit = 20
    /// The maximum number of items that block an item.
    package static let blockersLimit = 100
    package static let personNameLengths = 1...256
    package static let urlLengths = URLText.lengths
    /// The maximum number of links of an item.
    package static let linksLimit = 100
    /// The allowed lengths of an identifier.
    ///
    /// An identifier from another program can be any text.
    package static let uidLengths = 1...1_024

    /// Returns the version that the daemon uses.
    package static func current() throws -> ManagedObjectModel {
        try version5()
    }

    /// Returns all versions, the oldest first.
    package static func versions() throws -> [ManagedObjectModel] {
        [try version1(), try version2(), try version3(), try version4(), try version5()]
    }
}
