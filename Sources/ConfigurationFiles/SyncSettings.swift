package import CivilTime

/// The settings in the section `[Sync]` of `todod.conf`. A new value has the defaults.
package struct SyncSettings: Hashable, Sendable {
    /// The time between two checks of a server.
    package var interval = TimeSpan.minutes(5)
    /// The command that prints the password of an account without a source of its own, or `nil` for none.
    package var passwordCommand: String?
    /// The file with the certificates of the trusted authorities, or `nil` for those of the system.
    package var caFile: String?

    package init() {}
}
