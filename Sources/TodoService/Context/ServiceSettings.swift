package import Alerts
package import Reminders

/// The settings that the service uses. A new value has the built-in defaults.
package struct ServiceSettings: Hashable, Sendable {
    /// The settings that decide when alerts are sent.
    package var alerts = AlertSettings()
    /// The hours of each day without alerts, or `nil` for none.
    package var quietHours: QuietHours?
    /// The least urgent priority at which alerts are sent even in quiet periods, or `nil` for none.
    package var breakThrough: Int16?
    /// The second of the day that is used for a date without a time.
    package var defaultTime: Int {
        get { alerts.timeOfDates }
        set { alerts.timeOfDates = newValue }
    }
    /// The settings of the sinks.
    package var delivery = DeliverySettings()

    package init() {}
}
