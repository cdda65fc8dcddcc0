package import CivilTime

/// The settings of the sinks. A new value has the built-in defaults.
package struct DeliverySettings: Hashable, Sendable {
    /// Whether alerts are also shown on the desktop.
    package var showsOnDesktop = true
    /// The command that is run for each alert, or `nil` for none.
    package var command: AlertCommand?
    /// The time limit for the command.
    package var commandTimeout = TimeSpan.seconds(30)

    package init() {}
}
