import CivilTime
import ConfigurationFiles
import Foundation
import Platform
import Testing

@testable import TodoSync

@Suite struct SyncSettingsTests {
    private func load(_ text: String) -> LoadedSyncSettings {
        var loaded = LoadedSyncSettings()
        loaded.apply(ConfigurationFile(text: text), path: "f.conf")
        return loaded
    }

    @Test func everySettingIsRead() {
        let loaded = load(
            """
            [Alert]
            LeadTime=nonsense
            [Sync]
            Interval=90s
            PasswordCommand=pass show dav
            CAFile=/etc/ssl/own.pem
            """)
        #expect(loaded.problems.isEmpty)
        #expect(loaded.settings.interval == .seconds(90))
        #expect(loaded.settings.passwordCommand == "pass show dav")
        #expect(loaded.settings.caFile == "/etc/ssl/own.pem")
    }

    @Test func emptyValueResetsSetting() {
        let loaded = load(
            "[Sync]\nInterval=1h\nInterval=\nPasswordCommand=x\nPasswordCommand=\nCAFile=/x\nCAFile=")
        #expect(loaded.problems.isEmpty)
        #expect(loaded.settings == SyncSettings())
    }

    @Test(arguments: [
        ("Interval=soon", "Interval=: expected a time span such as 5min, found 'soon'"),
        (
            "Interval=300",
            "Interval=: expected a time span such as 5min, found '300'; a number other than 0 needs its unit"
        ),
        ("Interval=1s", "Interval=: expected a time span from 10s to 1d, found '1s'"),
        ("CAFile=own.pem", "CAFile=: expected an absolute path, found 'own.pem'"),
        (
            "CAFile=/a.pem # mine",
            "CAFile=: expected an absolute path, found '/a.pem # mine'; a comment needs a line of its own"
        ),
        ("Password=x", "no setting Password= in [Sync]; expected Interval, PasswordCommand, CAFile"),
        ("nonsense", "expected [Section] or Key=Value"),
    ])
    func wrongLineIsIgnoredAndNamed(line: String, reason: String) {
        let loaded = load("[Sync]\n\(line)")
        #expect(loaded.problems.map(\.description) == ["f.conf:2: \(reason)"])
        #expect(loaded.settings == SyncSettings())
    }

    /// The shipped file contains every setting as a comment, with its default value.
    @Test func shippedFileContainsTheDefaults() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "config/todod.conf"), encoding: .utf8)
        let section = try #require(text.range(of: "[Sync]\n"))
        let lines = text[section.upperBound...].split(separator: "\n").filter {
            $0.hasPrefix("#") && !$0.hasPrefix("# ")
        }
        #expect(lines == ["#Interval=5min", "#PasswordCommand=", "#CAFile="])
        let loaded = load("[Sync]\n" + lines.map { $0.dropFirst() }.joined(separator: "\n"))
        #expect(loaded.problems.isEmpty)
        #expect(loaded.settings == SyncSettings())
    }

    @Test func optionsAreRead() throws {
        let options = try SyncOptions(arguments: ["--config", "a.conf", "--socket=/s"])
        #expect(options.configurationFile == "a.conf")
        #expect(options.socketPath == "/s")
        #expect(options.action == .run)
        #expect(try SyncOptions(arguments: ["-V"]).action == .printVersion)
        #expect(throws: CommandLineOptions.UsageError.self) { try SyncOptions(arguments: ["--socket"]) }
        #expect(throws: CommandLineOptions.UsageError.self) { try SyncOptions(arguments: ["now"]) }
    }
}
