import CivilTime
import ConfigurationFiles
import Foundation
import ObjectStore
import ObjectStoreXML
import Platform
import Reminders
import Testing

@testable import Alerts
@testable import TodoDaemon

@Suite struct ConfigurationTests {
    private func read(_ text: String) -> (Configuration, [String]) {
        let loaded = load(text)
        return (loaded.settings, loaded.problems.map(\.description))
    }

    private func load(_ text: String) -> LoadedConfiguration {
        var loaded = LoadedConfiguration()
        loaded.apply(ConfigurationFile(text: text), path: "f.conf")
        return loaded
    }

    @Test func everySettingIsRead() {
        let (configuration, problems) = read(
            """
            ; a comment
            [Alert]
            LeadTime = 1h 30min\r
            QuietTime=90s
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
            Path=/var/tmp/my items

            [Migration]
            MutePrefix=Old items
            Backups=0
            """)
        #expect(problems.isEmpty)
        #expect(configuration.alerts.leads == [.minutes(90)])
        #expect(configuration.alerts.quiet == .seconds(90))
        #expect(configuration.alerts.catchUp == .days(14))
        #expect(configuration.alerts.nag == .minutes(60))
        #expect(configuration.quietHours == QuietHours(start: 22 * 3_600, end: 7 * 3_600))
        #expect(configuration.breakThrough == 3)
        #expect(configuration.defaultTime == 7 * 3_600 + 45 * 60)
        #expect(!configuration.delivery.showsOnDesktop)
        #expect(configuration.delivery.command == AlertCommand(#""/opt/my tools/ring" --loud"#))
        #expect(configuration.delivery.commandTimeout == .minutes(2))
        #expect(configuration.storeKind == .xml)
        #expect(configuration.storePath == "/var/tmp/my items")
        #expect(configuration.mutePrefix == "Old items")
        #expect(configuration.backupCount == 0)
    }

    /// A1: `LeadTime=` is a list, which by default includes the due time itself.
    @Test(arguments: [
        ("", ["5min", "0"]), ("LeadTime=1h", ["1h"]), ("LeadTime=0,5min , 1h", ["1h", "5min", "0"]),
        ("LeadTime=5min, 300s", ["5min"]), ("LeadTime=5min,", nil), ("LeadTime=, 0", nil),
        ("LeadTime=5min 0 soon", nil), ("LeadTime=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", nil),
    ])
    func leadTimesAreAList(line: String, leads: [String]?) {
        let (configuration, problems) = read("[Alert]\n\(line)")
        #expect(problems.isEmpty == (leads != nil))
        #expect(configuration.alerts.leads.map(\.description) == leads ?? ["5min", "0"])
    }

    @Test func emptyValueResetsSetting() {
        let (configuration, problems) = read("[Alert]\nLeadTime=1h\nLeadTime=\n[Store]\nPath=/x\nPath=")
        #expect(problems.isEmpty)
        #expect(configuration == Configuration())
    }

    @Test func problemsAreInOrderOfLines() {
        let (_, problems) = read("[Alert]\nLeadTime=soon\nhello\nNag=10s\n[Store]\nType=memory")
        #expect(problems.map { $0.prefix(8) } == [2, 3, 4, 6].map { "f.conf:\($0)" })
    }

    @Test(arguments: [
        ("LeadTime=1h", "f.conf:1: a setting before any [Section]"),
        ("[Alert]\nhello", "f.conf:2: expected [Section] or Key=Value"),
        (
            "[Alert]\n\nLeadTime=soon",
            "f.conf:3: LeadTime=: expected time spans such as '5min, 0', found 'soon'"
        ),
        (
            "[Alert]\nDefaultTime=24:00",
            "f.conf:2: DefaultTime=: expected a time of day such as 09:00 or 9am, found '24:00'"
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
            service file, or off, found 'ring'
            """
        ),
        (
            "[Alert]\nCommandTimeout=0",
            "f.conf:2: CommandTimeout=: expected a time span from 1s to 1d, found '0'"
        ),
        (
            "[Alert]\nNag=10s",
            "f.conf:2: Nag=: expected a time span of at least 1min, or off, found '10s'"
        ),
        (
            "[Alert]\nQuietHours=22:00",
            """
            f.conf:2: QuietHours=: expected two times of day such as 22:00-07:00 or 9am-5pm, or off, found \
            '22:00'
            """
        ),
        (
            "[Alert]\nBreakThrough=0",
            "f.conf:2: BreakThrough=: expected a priority from 1 to 9, high, medium or low, or off, found '0'"
        ),
        (
            "[Alert]\nLeadTime=10, 0",
            """
            f.conf:2: LeadTime=: expected time spans such as '5min, 0', found '10, 0'; a number other than 0 needs its \
            unit
            """
        ),
        (
            "[Alert]\nCommandTimeout=30",
            "f.conf:2: CommandTimeout=: expected a time span from 1s to 1d, found '30'; a number other than 0 needs its unit"
        ),
        (
            "[Alarm]\nLeadTime=5",
            "f.conf:1: no section [Alarm]; expected [Alert], [Migration], [Store], [Sync]"
        ),
        ("[Store]\nType=memory", "f.conf:2: Type=: expected sqlite, xml or binary, found 'memory'"),
        (
            "[Store]\nPath=todo.sqlite",
            "f.conf:2: Path=: expected an absolute path, or one that begins with ~/, found 'todo.sqlite'"
        ),
        (
            "[Migration]\nBackups=-1",
            "f.conf:2: Backups=: expected a number from 0 to 1000, found '-1'"
        ),
        ("[Alarm]", "f.conf:1: no section [Alarm]; expected [Alert], [Migration], [Store], [Sync]"),
        (
            "[Alert]\nLeadTime=5min\n[]\n",
            "f.conf:3: no section []; expected [Alert], [Migration], [Store], [Sync]"
        ),
        (
            "[Alert]\nNag=\u{1B}[31m1h",
            #"f.conf:2: Nag=: expected a time span of at least 1min, or off, found '\u{1B}[31m1h'; "#
                + "it has an invisible character"
        ),
        (
            "[Alert]\nLeadTime=1h, \\\n0",
            "f.conf:2: ends in a backslash; a line cannot be continued on the next one"
        ),
        ("# a\r[Store]\rPath=/x", "f.conf:1: lines end with another character than a line feed"),
        ("[Alert]\nNag=1h\u{2028}Nag=2h", "f.conf:2: lines end with another character than a line feed"),
        ("[Alert\nx=1", "f.conf:1: expected [Section] or Key=Value"),
    ])
    func wrongLineIsNamed(text: String, problem: String) {
        #expect(read(text).1.first == problem)
    }

    @Test func allProblemsAreReportedTogether() {
        #expect(read("[Alert]\nLeadTime=x\nQuietTime=y\n[Nope]\na=1\nb=2").1.count == 3)
    }

    /// C1: A wrong line is ignored, and every other line is used.
    @Test func wrongLineLeavesTheOtherSettings() {
        let loaded = load("[Alert]\nLeadTime=1h\nLeadTime=soon\nBogus=1\nNag=x\nQuietTime=2min\n")
        #expect(loaded.problems.map(\.line) == [3, 4, 5])
        #expect(loaded.settings.alerts.leads == [.minutes(60)])
        #expect(loaded.settings.alerts.quiet == .minutes(2))
        #expect(loaded.settings.alerts.nag == nil)
        #expect(loaded.origins["LeadTime"] == .init(path: "f.conf", line: 2, text: "1h"))
        #expect(loaded.origins["Nag"] == nil)
    }

    /// C1: A backslash hides neither the next line nor its section.
    @Test func backslashHidesNoLine() {
        let loaded = load("[Migration]\nMutePrefix=a\\\n[Store]\nPath=/a\\\nType=xml\n")
        #expect(loaded.problems.map(\.line) == [2, 4] && loaded.mayConcernStore)
        #expect(loaded.settings.mutePrefix == nil && loaded.settings.storePath == nil)
        #expect(loaded.settings.storeKind == .xml)
    }

    /// C1: A path that only resembles another one is refused.
    @Test(arguments: ["/a\u{A0}", "/a\u{3000}", "/a\u{7F}b", "/a\u{1}", "/a\u{200B}b", "/\u{202E}a"])
    func pathWithInvisibleCharactersIsRefused(path: String) {
        let loaded = load("[Store]\nPath=\(path)\n")
        #expect(loaded.problems.map(\.line) == [2] && loaded.settings.storePath == nil)
        #expect(loaded.problems.first?.reason.hasSuffix("; it has an invisible character") == true)
        #expect(load("[Store]\nPath=/\u{645}\u{6CC}\u{200C}\u{62E}").problems.isEmpty)
    }

    /// A file that is not a configuration does not fill the journal.
    @Test func wrongLinesOfAFileAreLimited() {
        let loaded = load(String(repeating: "hello\n", count: 100_000) + "Path=/x\n")
        #expect(loaded.problems.count == 101 && loaded.mayConcernStore)
        #expect(loaded.problems.last?.description == "f.conf:101: 99901 lines are wrong from here on")
    }

    /// The last of several lines for one setting is used, as in systemd.
    @Test func lastLineOfASettingIsUsed() {
        let loaded = load("[Store]\nPath=/a\n[Alert]\nNag=1h\n[Store]\nPath=/b\n")
        #expect(loaded.problems.isEmpty && loaded.settings.storePath == "/b")
        #expect(loaded.origins["Path"]?.line == 6)
    }

    /// C1: A line that may name the store is not simply ignored.
    @Test(arguments: [
        "[Store]\nType=xlm", "[Store]\nPath=todo.xml", "[Store]\nKind=xml", "[Store]\nhello", "[store]",
        "[Stores]\nx=1", "[Storage]\nPath=/x", "[Strore]", "[Store\nType=xml", "[Alarm]\npath=/x",
        "Path=/x", "[Alert]\nType=xml", "Store]\nType=xml", "[Alert]\nNag=1h\\\n[Store]\nPath=/x",
        "[Store]\nType=\\", "[Store]\nPath=/x # my items", "[Store]\nPath=/x ; my items",
        "store_path=/x", "[Database]\nFile=/x", "[Alert]\nStorePath=/x", "[Migration]\nLocation=/x",
        "Store.Path=/x", "Store", "[Data]\nKind=sqlite", "[Store] # mine\nx=1", "[ Store]\nx=1",
        "# a\r[Store]\rPath=/x\r", "[Alert]\nNag=1h\\\nPath=/x",
    ])
    func lineThatMayNameTheStorePutsItInDoubt(text: String) {
        #expect(load(text).mayConcernStore)
    }

    /// C1: An error elsewhere does not put the store in doubt.
    @Test(arguments: [
        "[Alert]\nLeadTime=soon\n[Store]\nType=xml", "[Alarm]\nLeadTime=5min", "[Alert]\nBogus=1",
        "hello", "LeadTime=1h", "[Migration]\nBackups=x", "[Alert\nLeadTime=1h", "[Alert]\nNag=\\",
        "Comand=/bin/true", "[Alert]\nCommand=/bin/echo \\\n  a", "[Alert]\rNag=1h",
    ])
    func errorElsewhereLeavesNoDoubtAboutTheStore(text: String) {
        let loaded = load(text)
        #expect(!loaded.problems.isEmpty && !loaded.mayConcernStore)
    }

    /// C11: Values that todoctl accepts are accepted in the configuration.
    @Test func valuesOfTodoctlAreAccepted() {
        let (settings, problems) = read(
            """
            [Alert]
            Nag=1h
            Nag=off
            BreakThrough=HIGH
            DefaultTime=9:30pm
            QuietHours=10pm - 7am
            Command=/bin/true
            Command=off
            """)
        #expect(problems.isEmpty)
        #expect(settings.alerts.nag == nil && settings.delivery.command == nil)
        #expect(settings.breakThrough == 1)
        #expect(settings.defaultTime == 21 * 3_600 + 30 * 60)
        #expect(settings.quietHours == QuietHours(start: 22 * 3_600, end: 7 * 3_600))
        #expect(read("[Alert]\nDefaultTime=9am").0.defaultTime == 9 * 3_600)
        #expect(read("[Alert]\nDefaultTime=noon").0.defaultTime == 12 * 3_600)
        for (word, number) in [("medium", Int16(5)), ("low", 9), ("7", 7)] {
            #expect(read("[Alert]\nBreakThrough=\(word)").0.breakThrough == number)
        }
        #expect(read("[Alert]\nBreakThrough=3\nBreakThrough=off\nQuietHours=off").0 == Configuration())
    }

    /// C11: Quiet hours are read like the hours of `--between`, and times are read as written.
    @Test(arguments: [
        ("9-18", 9, 18), ("22-7", 22, 7), ("22:00–07:00", 22, 7), ("10pm – 7 am", 22, 7),
        ("9am to 5pm", 9, 17),
        ("from 22:00 to 6:00", 22, 6), ("between 10pm and 6am", 22, 6), ("1:00-5:00", 1, 5),
        ("1-5pm", 13, 17),
        ("midnight-6:00", 0, 6), ("22:00-24:00", 22, 0), ("2200-0600", 22, 6), ("noon-2pm", 12, 14),
    ])
    func quietHoursAreReadLikeHoursOfBetween(text: String, start: Int, end: Int) throws {
        let (settings, problems) = read("[Alert]\nQuietHours=\(text)")
        #expect(problems.isEmpty)
        #expect(settings.quietHours == QuietHours(start: start * 3_600, end: end * 3_600))
        if end > 0 { _ = try DayWindow(typed: text) }
    }

    @Test(arguments: [
        "9-5", "9", "9-25", "9-9", "0:00-24:00", "22:00-7:0", "9-12-18", "9:00:30-10:00", "9-18 x", "-",
    ])
    func unclearQuietHoursAreRefused(text: String) {
        #expect(read("[Alert]\nQuietHours=\(text)").1.count == 1)
    }

    /// C11: Hours that are refused for a specific reason are reported with that reason.
    @Test(arguments: [
        (
            "9-5",
            "'9-5' can be in the morning or in the afternoon; add minutes or am and pm, such as '9:00-17:00'"
        ),
        ("9-25", "there is no time of day '25'; try '9:00-18:00'"),
        ("18-18", "'18-18' begins and ends at the same time; try '9:00-18:00'"),
        (
            "9-5 # quiet",
            """
            '9-5' can be in the morning or in the afternoon; add minutes or am and pm, such as '9:00-17:00'; a comment \
            needs a line of its own
            """
        ),
        ("9", "expected two times of day such as 22:00-07:00 or 9am-5pm, or off, found '9'"),
    ])
    func reasonAgainstQuietHoursIsGiven(text: String, reason: String) {
        #expect(read("[Alert]\nQuietHours=\(text)").1 == ["f.conf:2: QuietHours=: \(reason)"])
    }

    @Test(arguments: [("3:00", 3), ("0300", 3), ("3pm", 15), ("midnight", 0), ("3 in the afternoon", 15)])
    func defaultTimeIsReadAsWritten(text: String, hour: Int) {
        let (settings, problems) = read("[Alert]\nDefaultTime=\(text)")
        #expect(problems.isEmpty && settings.defaultTime == hour * 3_600)
    }

    /// C11: A comment after a value is refused by name.
    @Test(arguments: ["LeadTime=5min # short", "DefaultTime=9am ; early", "Desktop=no # quiet"])
    func commentAfterAValueIsRefusedByName(line: String) {
        let problem = read("[Alert]\n\(line)").1.first
        #expect(problem?.hasSuffix("; a comment needs a line of its own") == true, "\(problem ?? "")")
    }

    /// Editors of other systems write a byte order mark at the start of a text.
    @Test func sectionOfTododSyncIsIgnored() {
        let (configuration, problems) = read("[Sync]\nInterval=soon\nnonsense\n[Alert]\nLeadTime=1h")
        #expect(problems.isEmpty)
        #expect(configuration.alerts.leads == [.minutes(60)])
    }

    @Test func byteOrderMarkIsIgnored() {
        let (configuration, problems) = read("\u{FEFF}[Alert]\r\nLeadTime=1h\r\n")
        #expect(problems.isEmpty)
        #expect(configuration.alerts.leads == [.minutes(60)])
    }

    /// The shipped file contains every setting as a comment, with its default value.
    @Test func shippedFileContainsTheDefaults() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = try String(contentsOf: root.appending(path: "config/todod.conf"), encoding: .utf8)
        // The settings of todod-sync are at the end.
        let text = try #require(file.components(separatedBy: "[Sync]").first)
        #expect(read(file).1.isEmpty)
        #expect(read(text).0 == Configuration())
        #expect(read(text).1.isEmpty)
        let settings = text.split(separator: "\n").map(String.init).map { line in
            line.hasPrefix("#") && line.contains("=") && !line.hasPrefix("# ")
                ? String(line.dropFirst()) : line
        }
        let (uncommented, problems) = read(settings.joined(separator: "\n"))
        #expect(problems.isEmpty)
        #expect(uncommented == Configuration())
        let texts = settings.compactMap { line -> String? in
            guard line.contains("="), !line.hasPrefix("#") else { return nil }
            return line.hasSuffix("=") ? nil : line
        }
        let defaults = Configuration.settingNames.compactMap { name in
            Configuration.defaultTexts[name].map { "\(name)=\($0)" }
        }
        #expect(defaults == texts)
        #expect(
            Configuration.settingNames
                == settings.compactMap {
                    $0.contains("=") && !$0.hasPrefix("#") ? String($0.prefix { $0 != "=" }) : nil
                })
    }
}

@Suite struct ConfigurationLoaderTests {
    @Test func dropInsOverrideMainFileInOrderOfNames() throws {
        try withDirectory { directory in
            try write("[Alert]\nLeadTime=1min\nQuietTime=1min", "\(directory)/todod.conf")
            try write("[Alert]\nLeadTime=3min", "\(directory)/todod.conf.d/20-b.conf")
            try write("[Alert]\nLeadTime=2min\nDefaultTime=08:00", "\(directory)/todod.conf.d/10-a.conf")
            try write("nonsense", "\(directory)/todod.conf.d/30-c.conf~")
            let loaded = ConfigurationLoader(directory: directory).load()
            #expect(loaded.problems.isEmpty)
            #expect(loaded.settings.alerts.leads == [.minutes(3)])
            #expect(loaded.settings.alerts.quiet == .minutes(1))
            #expect(loaded.settings.defaultTime == 8 * 3_600)
            let dropIn = "\(directory)/todod.conf.d/20-b.conf"
            #expect(loaded.origins["LeadTime"] == .init(path: dropIn, line: 2, text: "3min", isDropIn: true))
        }
    }

    @Test func missingFileMeansTheDefaults() throws {
        try withDirectory { directory in
            // Users name `/dev/null` if they want no configuration.
            for place in [directory + "/none", "/dev/null"] {
                #expect(ConfigurationLoader(directory: place).load() == LoadedConfiguration())
            }
        }
    }

    /// Expects the only problem to be `text`. A file that cannot be read may name the store.
    private func expectProblem(_ text: String, _ loader: ConfigurationLoader) {
        let loaded = loader.load()
        #expect(loaded.problems.map(\.description) == [text])
        #expect(loaded.mayConcernStore)
        #expect(loaded.settings == Configuration())
    }

    @Test func namedFileMustExist() throws {
        try withDirectory { directory in
            let path = "\(directory)/x.conf"
            expectProblem("\(path): there is no such file", ConfigurationLoader(file: path))
        }
    }

    /// C1: A byte that is not UTF-8 makes only its own line wrong, and is ignored in a comment.
    @Test func wrongByteConcernsItsLineOnly() throws {
        try withDirectory { directory in
            let path = "\(directory)/latin1.conf"
            let lines = [
                "# caf\u{E9}", "[Alert]", "Nag=1h", "QuietTime=\u{E9}", "[Sto\u{E9}re]", "Path=/x/y",
            ]
            try lines.joined(separator: "\n").data(using: .isoLatin1)?.write(to: URL(filePath: path))
            let loaded = ConfigurationLoader(file: path).load()
            #expect(loaded.settings.alerts.nag == .minutes(60) && loaded.settings.storePath == nil)
            #expect(
                loaded.problems.map(\.description) == [
                    "\(path):4: is not UTF-8 text",
                    "\(path):5: no section [Sto\u{FFFD}re]; expected [Alert], [Migration], [Store], [Sync]",
                ])
            #expect(loaded.mayConcernStore)
        }
    }

    @Test func unreadableFileIsNamed() throws {
        let files = FileManager.default
        try withDirectory { directory in
            expectProblem(
                "\(directory): cannot be read: Is a directory", ConfigurationLoader(file: directory))
            let path = "\(directory)/b.conf"
            for bytes in [
                Data([0xFF, 0xFE]), Data("[Alert]\0".utf8), Data("a=b".utf16.flatMap { [UInt8($0), 0] }),
            ] {
                try bytes.write(to: URL(filePath: path))
                expectProblem("\(path): is not UTF-8 text", ConfigurationLoader(file: path))
            }
            try Data(repeating: 10, count: 2 << 20).write(to: URL(filePath: path))
            expectProblem("\(path): is larger than 1 MiB", ConfigurationLoader(file: path))
            try files.removeItem(atPath: path)
            try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
            expectProblem("\(path): is not a file", ConfigurationLoader(file: path))
        }
    }

    /// If the daemon ignored such a file, it could use another store and start with an empty one.
    @Test func existingUnreadableFileIsAProblem() throws {
        let files = FileManager.default
        try withDirectory { directory in
            let main = "\(directory)/todod.conf"
            let loader = ConfigurationLoader(directory: directory)
            try files.createSymbolicLink(atPath: main, withDestinationPath: "elsewhere/todod.conf")
            expectProblem("\(main): is a link to a file that does not exist", loader)
            try files.removeItem(atPath: main)
            // An attempt to open a pipe for reading waits for a writer.
            mkfifo(main, 0o600)
            expectProblem("\(main): is not a file", loader)
            try files.removeItem(atPath: main)
            try files.removeItem(atPath: main + ".d")
            try write("[Alert]", main + ".d")
            expectProblem("\(main).d: is not a directory", loader)
            try files.removeItem(atPath: main + ".d")
            try files.createSymbolicLink(atPath: main + ".d", withDestinationPath: "elsewhere")
            expectProblem("\(main).d: is a link to a directory that does not exist", loader)
        }
    }

    /// C1: A directory that exists and cannot be read is not treated as missing, wherever it is in the path.
    @Test(arguments: ["", "/todod", "/a/todod"])
    func existingUnreadableDirectoryIsAProblem(rest: String) throws {
        let files = FileManager.default
        try withDirectory { directory in
            let place = "\(directory)/place"
            let loader = ConfigurationLoader(directory: place + rest)
            #expect(loader.load() == LoadedConfiguration())
            try files.createSymbolicLink(atPath: place, withDestinationPath: "elsewhere/todod")
            expectProblem("\(place): is a link to a directory that does not exist", loader)
            try files.removeItem(atPath: place)
            try write("", place)
            expectProblem("\(place): is not a directory", loader)
            try files.removeItem(atPath: place)
            try files.createSymbolicLink(atPath: place, withDestinationPath: "place")
            let loaded = loader.load()
            #expect(loaded.mayConcernStore)
            #expect(loaded.problems.allSatisfy { $0.reason.contains("Too many levels of symbolic links") })
        }
    }

    /// An interrupted write leaves an empty file.
    @Test func emptyFileIsAProblem() throws {
        try withDirectory { directory in
            for path in ["\(directory)/todod.conf", "\(directory)/todod.conf.d/10-a.conf"] {
                try write("", path)
                let loaded = ConfigurationLoader(directory: directory).load()
                #expect(
                    loaded.problems.map(\.description)
                        == ["\(path): is empty; remove it to have every setting at its default"])
                #expect(loaded.mayConcernStore)
                try write("# nothing is set\n", path)
                #expect(ConfigurationLoader(directory: directory).load() == LoadedConfiguration())
            }
        }
    }

    /// As in systemd, a link to `/dev/null` disables a file.
    @Test func linkToNullDisablesDropIn() throws {
        try withDirectory { directory in
            try FileManager.default.createSymbolicLink(
                atPath: "\(directory)/todod.conf.d/10-a.conf", withDestinationPath: "/dev/null")
            #expect(ConfigurationLoader(directory: directory).load() == LoadedConfiguration())
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
        #expect(try DaemonOptions(arguments: ["--check-config"]).action == .checkConfiguration)
    }

    @Test(arguments: [
        ["--what"], ["stray"], ["--socket"], ["--socket="], ["--help=yes"], ["--tick-seconds", "0"],
        ["--tick-seconds", "x"],
    ])
    func wrongOptionsAreRefused(arguments: [String]) {
        #expect(throws: CommandLineOptions.UsageError.self) { try DaemonOptions(arguments: arguments) }
    }
}
