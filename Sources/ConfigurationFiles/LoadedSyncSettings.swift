internal import CivilTime
internal import Phrases

/// The settings in the section `[Sync]` of the configuration files, and its wrong lines.
///
/// The other sections belong to todod. A wrong line is ignored as if it were absent.
package struct LoadedSyncSettings: ConfigurationContent, Hashable, Sendable {
    /// The name of the section.
    package static let section = "Sync"

    package private(set) var settings = SyncSettings()
    package private(set) var problems: [ConfigurationProblem] = []

    package init() {}

    package mutating func apply(_ file: ConfigurationFile, path: String, isDropIn: Bool = false) {
        for stray in file.strayLines where stray.section == Self.section {
            problems.append(.init(path: path, line: stray.line, reason: stray.reason))
        }
        for section in file.sections where section.isComplete && section.name == Self.section {
            for line in section.settings {
                if let reason = apply(line) {
                    problems.append(.init(path: path, line: line.line, reason: reason))
                }
            }
        }
    }

    package mutating func addUnreadable(path: String, reason: String) {
        problems.append(.init(path: path, line: nil, reason: reason))
    }

    /// An empty file has no wrong lines. todod reports it.
    package mutating func addEmpty(path: String) {}

    /// Applies a line, and returns the reason if it is wrong.
    private mutating func apply(_ line: ConfigurationFile.Setting) -> String? {
        // As in systemd, an empty value resets the setting.
        let text = line.value.isEmpty ? nil : line.value
        switch line.key {
        case "Interval":
            do throws(DatePhraseError) {
                guard let text else {
                    settings.interval = SyncSettings().interval
                    return nil
                }
                let span = try TimeSpan(typed: text)
                guard (TimeSpan.seconds(10) ... .days(1)).contains(span) else {
                    return refusal(of: line, expected: "a time span from 10s to 1d")
                }
                settings.interval = span
                return nil
            } catch {
                return error.isOfOtherWords
                    ? refusal(of: line, expected: "a time span such as 5min")
                    : "\(line.key)=: \(error.reason)\(hint(for: line))"
            }
        case "PasswordCommand":
            settings.passwordCommand = text
            return nil
        case "CAFile":
            guard text?.hasPrefix("/") != false, !line.value.hasTrailingComment else {
                return refusal(of: line, expected: "an absolute path")
            }
            settings.caFile = text
            return nil
        default:
            return "no setting \(line.key)= in [\(Self.section)]; expected Interval, PasswordCommand, CAFile"
        }
    }

    private func refusal(of line: ConfigurationFile.Setting, expected: String) -> String {
        "\(line.key)=: expected \(expected), found '\(line.value)'\(hint(for: line))"
    }

    private func hint(for line: ConfigurationFile.Setting) -> String {
        line.value.hasTrailingComment
            ? "; a comment needs a line of its own"
            : line.value.lacksUnit ? "; a number other than 0 needs its unit" : ""
    }
}
