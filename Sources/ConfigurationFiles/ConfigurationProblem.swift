internal import TodoAPI

/// A wrong line of the configuration, or a file that cannot be read.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    package let path: String
    /// The number of the line, or `nil` if the file as a whole is the problem.
    package let line: Int?
    package let reason: String
    /// Whether the line may have been meant to select the store.
    package var mayConcernStore = false

    package init(path: String, line: Int?, reason: String, mayConcernStore: Bool = false) {
        self.path = path
        self.line = line
        self.reason = reason
        self.mayConcernStore = mayConcernStore
    }

    /// The problem in one line.
    ///
    ///     /home/ada/.config/todod/todod.conf:7: LeadTime=: expected time spans such as '5min, 0', found 'soon'
    package var description: String { "\(place): \(reason)".oneLine() }

    /// The file and the line.
    package var place: String { line.map { "\(path):\($0)" } ?? path }
}
