import CivilTime
import Foundation
import ObjectStore
import Reminders
import Testing

@testable import TodoDaemon

@Suite struct ConfigurationTests {
    private func read(_ text: String) -> (Configuration, [String]) {
        var configuration = Configuration()
        let problems = configuration.apply(ConfigurationFile(text: text, path: "f.conf"), path: "f.conf")
        return (configuration, problems.map(\.description))
    }

    @Test func everySettingIsRead() {
        let (configuration, problems) = read(
            """
            ; a comment
            [Alert]
            LeadTime = 1h 30min\r
            QuietTime=90
              # another
            CatchUp=2w
            Nag=1h
            QuietHours=22:00 - 07:00
            BreakThrough=3
            DefaultTime=07:45
            Desktop=off
            Command="/opt/my tools/ring" --loud
            CommandTimeout=2min

            [Store]
            Type=xml
            Path=/var/tmp/\\
            # a comment does not end a line that goes on
            my items

            [Migration]
            MutePrefix=Old items
            Backups=0
            """)
        #expect(problems.isEmpty)
        #expect(configuration.alerts.lead == .minutes(90))
        #expect(configuration.alerts.quiet == .seconds(90))
        #expect(configuration.alerts.catchUp == .days(14))
        #expect(configuration.alerts.nag == .minutes(60))
        #expect(configuration.quietHours == QuietHours(start: 22 * 3_600, end: 7 * 3_600))
        #expect(configuration.breakThrough == 3)
        #expect(configuration.defaultTime == 7 * 3_600 + 45 * 60)
        #expect(!configuration.showsOnDesktop)
        #expect(configuration.command == AlertCommand(#""/opt/my tools/ring" --loud"#))
        #expect(configuration.commandTimeout == .minutes(2))
        #expect(configuration.storeKind == .xml)
        #expect(configuration.storePath == "/var/tmp/ my items")
        #expect(configuration.mutePrefix == "Old items")
        #expect(configuration.backupCount == 0)
    }

    @Test func anEmptyValueUndoesAnEarlierOne() {
        let (configuration, problems) = read("[Alert]\nLeadTime=1h\nLeadTime=\n[Store]\nPath=/x\nPath=")
        #expect(problems.isEmpty)
        #expect(configuration == Configuration())
    }

    @Test func whatIsWrongIsSaidInTheOrderOfTheLines() {
        let (_, problems) = read("[Alert]\nLeadTime=soon\nhello\nNag=10s\n[Store]\nType=memory")
        #expect(problems.map { $0.prefix(8) } == [2, 3, 4, 6].map { "f.conf:\($0)" })
    }

    @Test(arguments: [
        ("LeadTime=1h", "f.conf:1: a setting before any [Section]"),
        ("[Alert]\nhello", "f.conf:2: expected [Section] or Key=Value"),
        ("[Alert]\n\nLeadTime=soon", "f.conf:3: LeadTime=: expected a time span such as 5min, found 'soon'"),
        (
            "[Alert]\nDefaultTime=24:00",
            "f.conf:2: DefaultTime=: expected a time of day such as 09:00, found '24:00'"
        ),
        (
            "[Alert]\nLedTime=5",
            """
            f.conf:2: no setting LedTime= in [Alert]; expected LeadTime, QuietTime, CatchUp, Nag, \
            QuietHours, BreakThrough, DefaultTime, Desktop, Command, CommandTimeout
            """
        ),
        ("[Alert]\nDesktop=maybe", "f.conf:2: Desktop=: expected yes or no, found 'maybe'"),
        (
            "[Alert]\nCommand=ring",
            """
            f.conf:2: Command=: expected an absolute path, or one that begins with ~/, and arguments as in a \
            service file, found 'ring'
            """
        ),
        (
            "[Alert]\nCommandTimeout=0",
            "f.conf:2: CommandTimeout=: expected a time span from 1s to 1d, found '0'"
        ),
        (
            "[Alert]\nNag=10s",
            "f.conf:2: Nag=: expected a time span of at least 1min, found '10s'"
        ),
        (
            "[Alert]\nQuietHours=22:00",
            "f.conf:2: QuietHours=: expected two times of day such as 22:00-07:00, found '22:00'"
        ),
        (
            "[Alert]\nBreakThrough=0",
            "f.conf:2: BreakThrough=: expected a priority from 1 to 9, found '0'"
        ),
        ("[Alarm]\nLeadTime=5", "f.conf:1: no section [Alarm]; expected [Alert], [Migration], [Store]"),
        ("[Store]\nType=memory", "f.conf:2: Type=: expected sqlite, xml or binary, found 'memory'"),
        (
            "[Store]\nPath=todo.sqlite",
            "f.conf:2: Path=: expected an absolute path, or one that begins with ~/, found 'todo.sqlite'"
        ),
        (
            "[Migration]\nBackups=-1",
            "f.conf:2: Backups=: expected a number from 0 to 1000, found '-1'"
        ),
        ("[Alarm]", "f.conf:1: no section [Alarm]; expected [Alert], [Migration], [Store]"),
        ("[Alert]\nLeadTime=5min\n[]\n", "f.conf:3: no section []; expected [Alert], [Migration], [Store]"),
        (
            "[Alert]\nNag=\u{1B}[31m1h",
            #"f.conf:2: Nag=: expected a time span of at least 1min, found '\u{1B}[31m1h'"#
        ),
        ("[Alert]\nLeadTime=\\", "f.conf:2: the file ends in a line that goes on"),
        ("[Alert\nx=1", "f.conf:1: expected [Section] or Key=Value"),
    ])
    func aWrongLineIsNamed(text: String, problem: String) {
        #expect(read(text).1.first == problem)
    }

    @Test func allProblemsAreNamedAtOnce() {
        #expect(read("[Alert]\nLeadTime=x\nQuietTime=y\n[Nope]\na=1\nb=2").1.count == 3)
    }

    /// Editors of other systems begin a text with it.
    @Test func aByteOrderMarkIsNoPartOfTheText() {
        let (configuration, problems) = read("\u{FEFF}[Alert]\r\nLeadTime=1h\r\n")
        #expect(problems.isEmpty)
        #expect(configuration.alerts.lead == .minutes(60))
    }

    /// The shipped file shows every setting, each commented out, each with the value that holds without it.
    @Test func theShippedFileEqualsTheDefaults() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "config/todod.conf"), encoding: .utf8)
        #expect(read(text).0 == Configuration())
        #expect(read(text).1.isEmpty)
        let settings = text.split(separator: "\n").map(String.init).map { line in
            line.hasPrefix("#") && line.contains("=") && !line.hasPrefix("# ")
                ? String(line.dropFirst()) : line
        }
        let (uncommented, problems) = read(settings.joined(separator: "\n"))
        #expect(problems.isEmpty)
        #expect(uncommented == Configuration())
        #expect(
            Configuration.settingNames
                == settings.compactMap {
                    $0.contains("=") && !$0.hasPrefix("#") ? String($0.prefix { $0 != "=" }) : nil
                })
    }
}

@Suite struct ConfigurationLoaderTests {
    @Test func dropInsComeAfterTheMainFileByName() throws {
        try withDirectory { directory in
            try write("[Alert]\nLeadTime=1min\nQuietTime=1min", "\(directory)/todod.conf")
            try write("[Alert]\nLeadTime=3min", "\(directory)/todod.conf.d/20-b.conf")
            try write("[Alert]\nLeadTime=2min\nDefaultTime=08:00", "\(directory)/todod.conf.d/10-a.conf")
            try write("nonsense", "\(directory)/todod.conf.d/30-c.conf~")
            let configuration = try ConfigurationLoader(directory: directory).load()
            #expect(configuration.alerts.lead == .minutes(3))
            #expect(configuration.alerts.quiet == .minutes(1))
            #expect(configuration.defaultTime == 8 * 3_600)
        }
    }

    @Test func noFileMeansTheDefaults() throws {
        try withDirectory { directory in
            let loaded = try ConfigurationLoader(directory: directory + "/none").load()
            #expect(loaded == Configuration())
            // Where no directory can be, for who wants none.
            #expect(try ConfigurationLoader(directory: "/dev/null").load() == Configuration())
        }
    }

    @Test func aFileThatWasAskedForMustBeThere() throws {
        try withDirectory { directory in
            let error = #expect(throws: ConfigurationError.self) {
                try ConfigurationLoader(file: "\(directory)/x.conf").load()
            }
            #expect(error?.description == "\(directory)/x.conf: there is no such file")
        }
    }

    @Test func whatCannotBeReadIsSaid() throws {
        try withDirectory { directory in
            let error = #expect(throws: ConfigurationError.self) {
                _ = try ConfigurationLoader(file: directory).load()
            }
            #expect(error?.description == "\(directory): cannot be read: Is a directory")
            try Data([0xFF, 0xFE]).write(to: URL(filePath: "\(directory)/b.conf"))
            let other = #expect(throws: ConfigurationError.self) {
                try ConfigurationLoader(file: "\(directory)/b.conf").load()
            }
            #expect(other?.description == "\(directory)/b.conf: is not UTF-8 text")
        }
    }

    /// With the settings in it, the daemon would take those of another store, and begin empty.
    @Test func whatIsThereAndCannotBeReadIsNotPassedOver() throws {
        let files = FileManager.default
        try withDirectory { directory in
            let main = "\(directory)/todod.conf"
            func problem() -> String? {
                #expect(throws: ConfigurationError.self) {
                    try ConfigurationLoader(directory: directory).load()
                }?.description
            }
            try files.createSymbolicLink(atPath: main, withDestinationPath: "elsewhere/todod.conf")
            #expect(problem() == "\(main): is a link to a file that is not there")
            try files.removeItem(atPath: main)
            // Whoever opens it to read waits for somebody to write.
            mkfifo(main, 0o600)
            #expect(problem() == "\(main): is not a file")
            try files.removeItem(atPath: main)
            try files.removeItem(atPath: main + ".d")
            try write("[Alert]", main + ".d")
            #expect(problem() == "\(main).d: cannot be read: Not a directory")
            try files.removeItem(atPath: main + ".d")
            try files.createSymbolicLink(atPath: main + ".d", withDestinationPath: "elsewhere")
            #expect(problem() == "\(main).d: is a link to a directory that is not there")
        }
    }

    /// As systemd has it, a file is put out of force by a link to /dev/null.
    @Test func aDropInCanBeALinkToNothing() throws {
        try withDirectory { directory in
            try FileManager.default.createSymbolicLink(
                atPath: "\(directory)/todod.conf.d/10-a.conf", withDestinationPath: "/dev/null")
            #expect(try ConfigurationLoader(directory: directory).load() == Configuration())
        }
    }

    private func withDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "todod-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory.appending(path: "todod.conf.d"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory.path)
    }

    private func write(_ text: String, _ path: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
}

@Suite struct DaemonOptionsTests {
    @Test func optionsAreRead() throws {
        let options = try DaemonOptions(arguments: [
            "--config", "/c", "--socket=/s", "--store", "/d", "--tick-seconds", "2",
        ])
        #expect(options.configurationFile == "/c" && options.socketPath == "/s" && options.storePath == "/d")
        #expect(options.tickSeconds == 2 && options.action == .run)
        #expect(try DaemonOptions(arguments: ["--version"]).action == .printVersion)
        #expect(try DaemonOptions(arguments: ["-h"]).action == .printHelp)
    }

    @Test(arguments: [
        ["--what"], ["stray"], ["--socket"], ["--socket="], ["--help=yes"], ["--tick-seconds", "0"],
        ["--tick-seconds", "x"],
    ])
    func wrongOptionsAreRefused(arguments: [String]) {
        #expect(throws: DaemonOptions.UsageError.self) { try DaemonOptions(arguments: arguments) }
    }
}
