import Foundation
import Testing

/// Configurations that leave the store in doubt. The daemon neither opens nor creates another store.
@Suite struct StoreInDoubtTests {
    private let sandbox: Sandbox
    private let configuration: String
    private let store: String
    private let files = FileManager.default

    init() throws {
        sandbox = try Sandbox()
        configuration = "\(sandbox.directory)/config/todod"
        store = "\(sandbox.directory)/mine/items.sqlite"
    }

    /// Returns the path of the file in which the store of a configuration is recorded.
    private func recordPath(of configuration: String) -> String {
        "\(sandbox.directory)/state/todod/stores/\(configuration.replacing("/", with: "%2F")).json"
    }

    private var record: String {
        get throws { try String(contentsOfFile: recordPath(of: configuration), encoding: .utf8) }
    }

    private func write(_ text: String) throws {
        try sandbox.write(text, to: "config/todod/todod.conf")
    }

    /// Runs the daemon with a store that the configuration names, and adds one item.
    private func recordStore() throws {
        try write("[Store]\nPath=\(store)\n")
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea").status == 0)
        #expect(daemon.stop() == 0)
    }

    /// Expects that the daemon continues with the recorded store, reports that, and creates no other store.
    private func expectRecordedStore(_ problem: String) throws {
        let before = try record
        let daemon = try sandbox.startDaemon()
        let list = try sandbox.todoctl("list")
        #expect(list.output.contains("Tea"), "\(list)")
        #expect(list.errors.contains(problem), "\(list)")
        #expect(
            list.errors.contains("ignored, and the items stay in \(store) until it is corrected"), "\(list)")
        let shown = try sandbox.todoctl("config").output.split(separator: "\n")
        #expect(
            shown.contains { $0.contains("~/mine/items.sqlite") && $0.hasSuffix("the last start") },
            "\(shown)")
        #expect(daemon.stop() == 0)
        #expect(!files.fileExists(atPath: "\(sandbox.directory)/data/todod"))
        #expect(try record == before)
    }

    /// A configuration that selects a new store creates it, and the store with the items is named until the new one
    /// has items. The line of the old store may be mistyped or missing.
    @Test(arguments: [true, false]) func newStoreIsReportedUntilItHasItems(hasPath: Bool) throws {
        try recordStore()
        var daemon = try sandbox.startDaemon()
        let new = hasPath ? "\(sandbox.directory)/mine/itmes.sqlite" : sandbox.store
        try write(hasPath ? "[Store]\nPath=\(new)\n" : "[Alert]\nNag=1h\n")
        let rest =
            "the store used before, \(store), has 1 item. To go back to it, set Path=\(store) in [Store]"
        let future = "the store \(new) does not exist, and a start creates it empty; \(rest)"
        let check = try sandbox.todoctl("config", "check")
        #expect(check.status == 0 && check.output.contains(future), "\(check)")
        let checkedFile = try sandbox.run("todod", ["--check-config"])
        #expect(checkedFile.status == 0 && checkedFile.errors.contains(future), "\(checkedFile)")
        #expect(try !sandbox.todoctl("status").output.contains("Warning"))
        #expect(daemon.stop() == 0)
        let present = "the store \(new) is a new store; \(rest)"
        for _ in 1...2 {
            daemon = try sandbox.startDaemon()
            let first = try sandbox.todoctl("list")
            #expect(first.status == 0 && first.errors.contains(present), "\(first)")
            #expect(try sandbox.todoctl("list").errors.isEmpty)
            #expect(try sandbox.todoctl("status").output.contains(present))
            #expect(daemon.stop() == 0)
            #expect(daemon.errors.contains(present), "\(daemon.errors)")
        }
        daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Milk").status == 0)
        #expect(daemon.stop() == 0)
        daemon = try sandbox.startDaemon()
        #expect(!daemon.errors.contains(rest), "\(daemon.errors)")
        #expect(try !sandbox.todoctl("status").output.contains("Warning"))
        #expect(daemon.stop() == 0)
        try write("[Store]\nPath=\(store)\n")
        daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list").output.contains("Tea") && !daemon.errors.contains(rest))
    }

    /// The store with the items is named after a second mistake, too: another new store, the same one again, or a wrong
    /// line.
    @Test(arguments: ["other.sqlite", "again", "wrong"])
    func storeWithItemsIsNamedAfterSecondMistake(mistake: String) throws {
        try recordStore()
        let new = "\(sandbox.directory)/mine/itmes.sqlite"
        try write("[Store]\nPath=\(new)\n")
        #expect(try sandbox.startDaemon().stop() == 0)
        switch mistake {
        case "again":
            try write("[Store]\nPath=\(store)\n")
            #expect(try sandbox.startDaemon().stop() == 0)
            try write("[Store]\nPath=\(new)\n")
        case "wrong": try write("[Store]\nPath=\(new)\n[Alert]\nNga=5m\n")
        default: try write("[Store]\nPath=\(sandbox.directory)/mine/\(mistake)\n")
        }
        let daemon = try sandbox.startDaemon()
        let rest = "the store used before, \(store), has 1 item"
        #expect(try sandbox.todoctl("status").output.contains(rest))
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains(rest), "\(daemon.errors)")
    }

    /// A store without items is replaced by a new one without a warning.
    @Test func newStoreAfterEmptyOneIsNotReported() throws {
        try write("[Store]\nPath=\(store)\n")
        #expect(try sandbox.startDaemon().stop() == 0)
        try write("[Store]\nPath=\(sandbox.directory)/mine/other.sqlite\n")
        let daemon = try sandbox.startDaemon()
        #expect(!daemon.errors.contains("used before"), "\(daemon.errors)")
        #expect(try !sandbox.todoctl("status").output.contains("Warning"))
    }

    /// A store of the command line may not have the name of a file that belongs to another store.
    @Test(arguments: ["-wal", "-shm", "-journal", ".lock", ".new"])
    func nameOfFileOfOtherStoreIsRefusedOnCommandLine(suffix: String) throws {
        let other = "\(sandbox.directory)/other.sqlite"
        try sandbox.write("", to: "other.sqlite")
        for action in [[], ["--check"]] {
            let result = try sandbox.run("todod", action + ["--store", other + suffix])
            #expect(result.status == 1)
            #expect(
                result.errors.contains("a file of the store \(other) may get this name; choose another name"),
                "\(result)")
        }
        #expect(!files.fileExists(atPath: other + suffix))
        #expect(try sandbox.run("todod", ["--check", "--store", "\(other)-work"]).status == 0)
    }

    enum Obstacle: CaseIterable {
        case danglingDirectory, plainFile, loop, danglingParent, emptyFile, pipe, danglingDropIns,
            pipeAsDropIn
    }

    /// C1: A configuration that exists and cannot be read is not treated as missing.
    @Test(arguments: Obstacle.allCases)
    func unreadableConfigurationKeepsTheStore(obstacle: Obstacle) throws {
        try recordStore()
        let parent = "\(sandbox.directory)/config"
        let main = "\(configuration)/todod.conf"
        try files.removeItem(atPath: obstacle == .danglingParent ? parent : configuration)
        let problem: String
        switch obstacle {
        case .danglingDirectory:
            try files.createSymbolicLink(atPath: configuration, withDestinationPath: "/nowhere/todod")
            problem = "\(configuration): is a link to a directory that does not exist"
        case .plainFile:
            try sandbox.write("[Store]", to: "config/todod")
            problem = "\(configuration): is not a directory"
        case .loop:
            try files.createSymbolicLink(atPath: configuration, withDestinationPath: "todod")
            problem = "Too many levels of symbolic links"
        case .danglingParent:
            try files.createSymbolicLink(atPath: parent, withDestinationPath: "/nowhere/config")
            problem = "\(parent): is a link to a directory that does not exist"
        case .emptyFile:
            try write("")
            problem = "\(main): is empty"
        case .pipe:
            try files.createDirectory(atPath: configuration, withIntermediateDirectories: true)
            #expect(mkfifo(main, 0o600) == 0)
            problem = "\(main): is not a file"
        case .danglingDropIns:
            try files.createDirectory(atPath: configuration, withIntermediateDirectories: true)
            try files.createSymbolicLink(atPath: "\(main).d", withDestinationPath: "/nowhere")
            problem = "\(main).d: is a link to a directory that does not exist"
        case .pipeAsDropIn:
            try files.createDirectory(atPath: "\(main).d", withIntermediateDirectories: true)
            #expect(mkfifo("\(main).d/10-a.conf", 0o600) == 0)
            problem = "\(main).d/10-a.conf: is not a file"
        }
        try expectRecordedStore(problem)
    }

    /// C1: A configuration named on the command line has its record even if it is a dangling link.
    /// The next start of the default store would remove such a file or use it as its log.
    @Test(arguments: ["-wal", "-shm", "-journal", ".new", ".lock", ".restoring"])
    func nameOfFileOfDefaultStoreIsRefused(suffix: String) throws {
        try recordStore()
        try write("[Store]\nPath=\(sandbox.store)\(suffix)\n")
        try expectRecordedStore("a file of the store \(sandbox.store) may get this name")
    }

    @Test func linkOfTheCommandLineKeepsItsRecord() throws {
        let link = "\(sandbox.directory)/my.conf"
        try sandbox.write("[Store]\nPath=\(store)\n", to: "real/my.conf")
        try files.createSymbolicLink(atPath: link, withDestinationPath: "real/my.conf")
        #expect(try sandbox.startDaemon("--config", link).stop() == 0)
        try files.removeItem(atPath: "\(sandbox.directory)/real")
        let daemon = try sandbox.startDaemon("--config", link)
        #expect(try sandbox.todoctl("status").output.contains("mine/items.sqlite"))
        #expect(daemon.stop() == 0)
        #expect(
            daemon.errors.contains("\(link): is a link to a file that does not exist; it is ignored, and"))
    }

    /// C1: A wrong line that may name the store in another way opens no other store, and the record is kept.
    @Test(arguments: [
        "store_path=/x/y", "[Database]\nFile=/x/y", "[Alert]\nStorePath=/x/y", "[Migration]\nLocation=/x/y",
        "Store.Path=/x/y", "[Alert]\nBogus=1", "[Alert]\nNag=x", "[store]\nPath=/x/y", "[Store]\npath=/x/y",
        "[Store]\nPath=/x/y\\\n", "[Alert]\rNag=1h\r[Store]\rPath=/x/y\r",
        "[Migration]\nMutePrefix=a\\\n[Store]\nPath=/x/y", "[Alert]\nNag=x\n[Store]\nPath=/x/y",
    ])
    func wrongLineKeepsTheStore(text: String) throws {
        try recordStore()
        try write(text)
        try expectRecordedStore("\(configuration)/todod.conf:")
    }

    enum UnusableStore: CaseIterable {
        case home, directory, device, longName, text, otherKind, hardLink, loop, danglingLink, unwritable
    }

    /// C1: A store that cannot be opened or created is a wrong line, and the daemon continues with the store it opened
    /// last.
    @Test(arguments: UnusableStore.allCases)
    func unusableStoreKeepsTheRecordedStore(unusable: UnusableStore) throws {
        try recordStore()
        let other = "\(sandbox.directory)/other"
        let lines: String
        switch unusable {
        case .home: lines = "Path=~/"
        case .directory: lines = "Path=/tmp/"
        case .device: lines = "Path=/dev/null"
        case .longName: lines = "Path=~/\(String(repeating: "n", count: 300))"
        case .text:
            try sandbox.write("A letter.", to: "other")
            lines = "Path=\(other)"
        case .otherKind: lines = "Type=xml\nPath=\(store)"
        case .hardLink:
            try files.linkItem(atPath: store, toPath: other)
            lines = "Path=\(other)"
        case .loop:
            try files.createSymbolicLink(atPath: other, withDestinationPath: "other")
            lines = "Path=\(other)"
        case .danglingLink:
            try files.createSymbolicLink(atPath: other, withDestinationPath: "mnt/items")
            lines = "Path=\(other)"
        case .unwritable:
            try sandbox.write("", to: "plain")
            lines = "Path=\(sandbox.directory)/plain/items"
        }
        try write("[Store]\n\(lines)\n")
        let check = try sandbox.run("todod", ["--check-config"])
        #expect(check.status == 78 && check.errors.contains("Path=: "), "\(check)")
        if unusable == .unwritable {
            #expect(check.errors.contains("\(sandbox.directory)/plain: is not a directory"), "\(check)")
        }
        if unusable == .otherKind {
            #expect(
                check.errors.contains("\(store): is a store of the kind sqlite; set Type=sqlite"), "\(check)")
        }
        try expectRecordedStore("Path=: ")
    }

    /// A check of the configuration opens no other name of the open store: closing the file would release its locks.
    @Test func checkOfHardLinkKeepsTheLocksOfTheStore() throws {
        try recordStore()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list").status == 0)
        let link = "\(sandbox.directory)/other.sqlite"
        try files.linkItem(atPath: store, toPath: link)
        try write("[Store]\nPath=\(link)\n")
        let before = try locks(of: daemon)
        let check = try sandbox.todoctl("config", "check")
        #expect(
            check.errors.contains("\(link): is a hard link to the store \(store); use that path"), "\(check)")
        #expect(try !before.isEmpty && locks(of: daemon).isSuperset(of: before))
    }

    /// Returns the locks of the daemon on the file of its store.
    ///
    /// `/proc/locks` would show those of all processes, and omits some while others come and go.
    private func locks(of daemon: RunningDaemon) throws -> Set<String> {
        let process = "/proc/\(daemon.processID)"
        var locks: Set<String> = []
        for descriptor in try files.contentsOfDirectory(atPath: "\(process)/fd") {
            let target = try? files.destinationOfSymbolicLink(atPath: "\(process)/fd/\(descriptor)")
            guard target == store else { continue }
            let information = try String(contentsOfFile: "\(process)/fdinfo/\(descriptor)", encoding: .utf8)
            for line in information.split(separator: "\n") where line.hasPrefix("lock:") {
                // Without the number of the line.
                locks.insert(line.split(separator: " ").dropFirst().joined(separator: " "))
            }
        }
        return locks
    }

    /// Only an attempt shows that no file can be created in `/proc`.
    @Test func storeThatCannotBeCreatedKeepsTheRecordedStore() throws {
        try recordStore()
        try write("[Store]\nPath=/proc/items.sqlite\n")
        try expectRecordedStore("Path=: ")
        try expectRecordedStore("Path=: ")
    }

    /// C1: A missing store is not created again if the configuration spells its path in another way.
    @Test func missingStoreIsNotCreatedUnderAnotherSpelling() throws {
        try recordStore()
        try files.removeItem(atPath: store)
        try write("[Store]\nPath=\(store.replacing("/mine/", with: "/./mine//"))\n")
        let result = try sandbox.run("todod", [])
        #expect(result.status == 78 && result.errors.contains("is missing"), "\(result)")
        #expect(!files.fileExists(atPath: store))
    }

    /// C1: No store is created through a link in the default place that leads to a disk that is not mounted.
    @Test func missingStoreIsNotCreatedThroughALink() throws {
        let data = "\(sandbox.directory)/data/todod"
        let disk = "\(sandbox.directory)/mnt"
        for path in [data, disk] {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(
            atPath: "\(data)/todo.sqlite", withDestinationPath: "\(disk)/todo.sqlite")
        #expect(try sandbox.startDaemon().stop() == 0)
        try files.removeItem(atPath: disk)
        try files.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let result = try sandbox.run("todod", [])
        #expect(result.status == 78 && result.errors.contains("todo.sqlite is missing"), "\(result)")
        #expect(try files.contentsOfDirectory(atPath: disk).isEmpty)
    }

    /// C1: A change of kind creates no empty store while the link to the recorded store, or to its directory, is
    /// dangling.
    @Test(arguments: ["file", "directory"], ["", "[Store]\nType=xml\n"])
    func changeOfKindDoesNotReplaceMissingStore(link: String, text: String) throws {
        let data = "\(sandbox.directory)/data"
        let disk = "\(sandbox.directory)/mnt"
        for path in [data, disk] {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        if link == "file" {
            try files.createDirectory(atPath: "\(data)/todod", withIntermediateDirectories: true)
            try files.createSymbolicLink(
                atPath: "\(data)/todod/todo.sqlite", withDestinationPath: "\(disk)/todo.sqlite")
        } else {
            try files.createSymbolicLink(atPath: "\(data)/todod", withDestinationPath: disk)
        }
        #expect(try sandbox.startDaemon().stop() == 0)
        let before = try record
        try files.moveItem(atPath: disk, toPath: disk + ".away")
        try files.createDirectory(atPath: disk, withIntermediateDirectories: true)
        if !text.isEmpty { try write(text) }
        let result = try sandbox.run("todod", [])
        #expect(result.status == 78 && result.errors.contains("todo.sqlite is missing"), "\(result)")
        #expect(try files.contentsOfDirectory(atPath: disk).isEmpty)
        #expect(!files.fileExists(atPath: "\(data)/todod/todo.xml"))
        #expect(try record == before)
        try files.removeItem(atPath: disk)
        try files.moveItem(atPath: disk + ".away", toPath: disk)
        #expect(try sandbox.startDaemon().stop() == 0)
    }

    /// C1: A missing recorded store is not replaced by an empty one at another path. If it was moved there, it is
    /// opened.
    @Test func missingStoreIsNotReplacedByEmptyOne() throws {
        try recordStore()
        let other = "\(sandbox.directory)/other.sqlite"
        try files.moveItem(atPath: store, toPath: store + ".away")
        try write("[Store]\nPath=\(other)\n")
        let result = try sandbox.run("todod", [])
        #expect(result.status == 78 && result.errors.contains("\(store) is missing"), "\(result)")
        #expect(!files.fileExists(atPath: other))
        try files.moveItem(atPath: store + ".away", toPath: other)
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list").output.contains("Tea"))
        #expect(daemon.stop() == 0)
    }

    /// C1: The daemon keeps the old store if the file in the default place is not a store of the new kind.
    @Test(arguments: [true, false])
    func recordedStoreIsUsedIfDefaultFileIsUnusable(isDirectory: Bool) throws {
        #expect(try sandbox.startDaemon().stop() == 0)
        let path = "\(sandbox.directory)/data/todod/todo.xml"
        if isDirectory {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        } else {
            try sandbox.write("A letter.", to: "data/todod/todo.xml")
        }
        try write("[Store]\nType=xml\n")
        let check = try sandbox.run("todod", ["--check-config"])
        #expect(check.status == 78 && check.errors.contains("todod.conf:2: Type=: "), "\(check)")
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("status").output.contains("todo.sqlite"))
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains("the items stay in \(sandbox.store)"), "\(daemon.errors)")
        #expect(!daemon.errors.contains("is not used"), "\(daemon.errors)")
        #expect(try record.contains("todo.sqlite"))
    }

    /// C1: A line that selects a store that another daemon has open is wrong.
    @Test func recordedStoreIsUsedIfSelectedOneIsOpenInAnotherDaemon() throws {
        try recordStore()
        let other = "\(sandbox.directory)/other.sqlite"
        let holder = try sandbox.startDaemon("--store", other, "--socket", "\(sandbox.directory)/t")
        try write("[Store]\nPath=\(other)\n")
        let check = try sandbox.run("todod", ["--check-config"])
        #expect(check.status == 78 && check.errors.contains("a program has the store open"), "\(check)")
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list").output.contains("Tea"))
        #expect(daemon.stop() == 0)
        #expect(holder.stop() == 0)
        #expect(try sandbox.run("todod", ["--check-config"]).status == 0)
    }

    /// C1: A line that selects a store of a newer model is wrong.
    @Test func recordedStoreIsUsedIfSelectedOneHasNewerModel() throws {
        try recordStore()
        let other = "\(sandbox.directory)/other.sqlite"
        #expect(try sandbox.startDaemon("--store", other).stop() == 0)
        let newer =
            "update _metadata set value = '5' where key = 'versionIdentifiers'; "
            + "update _metadata set value = '\(String(repeating: "0", count: 64))' where key = 'versionHash'"
        #expect(try sandbox.shell("sqlite3 \(other) \"\(newer)\"").status == 0)
        try write("[Store]\nPath=\(other)\n")
        try expectRecordedStore("Path=: ")
    }

    /// C1: `--check` and the daemon choose the same store.
    @Test func maintenanceUsesTheStoreOfTheDaemon() throws {
        try recordStore()
        try sandbox.write("A letter.", to: "other")
        try write("[Store]\nPath=\(sandbox.directory)/other\n")
        for option in ["--check", "--migrate"] {
            let result = try sandbox.run("todod", [option])
            #expect(result.status == 0 && result.output.hasPrefix("\(store): "), "\(result)")
            #expect(result.errors.contains("the items stay in \(store) until it is corrected"), "\(result)")
        }
    }

    /// C1: Two spellings of one configuration have the same record. The longest path can be recorded, too.
    /// If the record cannot be read, the store with the items may be one that is missing now.
    @Test(arguments: ["", "{", "[]", #"{"kind":"sqlite"}"#, "{}"])
    func unreadableRecordCreatesNoStore(text: String) throws {
        try recordStore()
        let path = recordPath(of: configuration)
        try files.moveItem(atPath: store, toPath: store + ".away")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let result = try sandbox.run("todod", [])
        #expect(result.status == 78)
        #expect(result.errors.contains("\(path), cannot be read: "), "\(result)")
        #expect(!files.fileExists(atPath: store))
        try files.moveItem(atPath: store + ".away", toPath: store)
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list").output.contains("Tea"))
        #expect(daemon.stop() == 0)
        let kept = try record
        #expect(kept.contains(store), "\(kept)")
    }

    @Test func recordDoesNotDependOnSpellingOfPath() throws {
        let long = (1...4).map { _ in String(repeating: "d", count: 100) }.joined(separator: "/")
        try sandbox.write("[Store]\nPath=\(store)\n", to: "work/\(long)/my.conf")
        let path = "\(sandbox.directory)/work/\(long)/my.conf"
        let first = try sandbox.startDaemon("--config", path)
        #expect(first.stop() == 0)
        #expect(!first.errors.contains("Recording the open store failed"), "\(first.errors)")
        try sandbox.write("[Store]\nPth=x\n", to: "work/\(long)/my.conf")
        for config in ["\(long)/my.conf", "./\(long)//my.conf"] {
            let check = try sandbox.shell("todod --check --config \(config)")
            #expect(check.status == 0 && check.output.hasPrefix("\(store): "), "\(check)")
        }
    }

    /// C1: After the lines are corrected, the configuration names the store again.
    @Test func correctedConfigurationNamesTheStore() throws {
        try recordStore()
        try write("[Alert]\nNag=x\n[Store]\nType=xml\nPath=~/other.xml\n")
        try expectRecordedStore("Nag=: expected")
        try write("[Alert]\nNag=1h\n[Store]\nType=xml\nPath=~/other.xml\n")
        #expect(try sandbox.startDaemon().stop() == 0)
        #expect(files.fileExists(atPath: "\(sandbox.directory)/other.xml"))
        #expect(try record.contains("other.xml"))
    }

    /// C1: If a store cannot be recorded, the record of an older store is removed, because a wrong line would open
    /// that one.
    @Test func failedRecordRemovesTheOlderOne() throws {
        try recordStore()
        try files.createDirectory(
            atPath: recordPath(of: configuration) + ".new", withIntermediateDirectories: false)
        for text in ["[Store]\nPath=~/other.sqlite\n", "[Store]\nPath=~/other.sqlite\n[Alert]\nNag=x\n"] {
            try write(text)
            let daemon = try sandbox.startDaemon()
            #expect(try sandbox.todoctl("status").output.contains("/other.sqlite"))
            #expect(daemon.stop() == 0)
            #expect(daemon.errors.contains("Recording the open store failed: cannot"), "\(daemon.errors)")
        }
    }

    /// C1: If a store cannot be recorded, the records of other configurations are kept.
    @Test func failedRecordKeepsThoseOfOtherConfigurations() throws {
        try recordStore()
        let other = "\(sandbox.directory)/other.conf"
        try sandbox.write("[Store]\nPath=~/other.sqlite\n", to: "other.conf")
        let directory = "\(sandbox.directory)/state/todod"
        for path in [recordPath(of: configuration), recordPath(of: other), "\(directory)/stores.json"] {
            try files.createDirectory(atPath: path + ".new", withIntermediateDirectories: false)
        }
        let daemon = try sandbox.startDaemon("--config", other)
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains("Recording the open store failed: cannot"), "\(daemon.errors)")
        try write("[Alert]\nNag=x\n")
        try expectRecordedStore("Nag=: expected")
    }

    /// C1: The command for an empty store removes the record of one configuration only.
    @Test func eachConfigurationHasItsOwnRecord() throws {
        try recordStore()
        // The shell splits such a name unless it is quoted.
        try sandbox.write("[Store]\nPath=~/other/a.sqlite\n", to: "it's mine.conf")
        let options = ["--config", "\(sandbox.directory)/it's mine.conf"]
        #expect(try sandbox.startDaemon(options[0], options[1]).stop() == 0)
        try files.removeItem(atPath: "\(sandbox.directory)/other")
        let refused = try sandbox.run("todod", options)
        let command = try #require(refused.errors.split(separator: "\n").last?.split(separator: ":  ").last)
        #expect(try sandbox.shell(String(command)).status == 0)
        #expect(try sandbox.startDaemon(options[0], options[1]).stop() == 0)
        try write("[Alert]\nNag=x\n")
        try expectRecordedStore("Nag=: expected")
    }

    /// C1: A record is kept if its directory cannot be synced.
    @Test(.enabled(if: TracedProgram.isPossible, "strace cannot trace here"))
    func recordIsKeptIfItsDirectoryCannotBeSynced() throws {
        try recordStore()
        try write("[Store]\nPath=~/other.sqlite\n")
        let directory = "\(sandbox.directory)/state/todod"
        let daemon = try sandbox.startDaemon(traced: [
            "-P", directory, "-P", "\(directory)/stores", "-e", "trace=fsync", "-e",
            "inject=fsync:error=EIO",
        ])
        #expect(daemon.stop() == 0)
        #expect(
            daemon.errors.contains("Recording the open store failed: cannot sync the directory of"),
            "\(daemon.errors)")
        #expect(try record.contains("other.sqlite"))
    }

    /// C1: The error for an older record that cannot be removed names it and the command that removes it.
    @Test(.enabled(if: TracedProgram.isPossible, "strace cannot trace here"))
    func olderRecordThatCannotBeRemovedIsNamed() throws {
        try recordStore()
        try write("[Store]\nPath=~/other.sqlite\n")
        let path = recordPath(of: configuration)
        try files.createDirectory(atPath: path + ".new", withIntermediateDirectories: false)
        let daemon = try sandbox.startDaemon(traced: [
            "-P", path, "-e", "trace=unlink,unlinkat", "-e", "inject=unlink,unlinkat:error=EROFS",
        ])
        #expect(daemon.stop() == 0)
        let warning = try #require(
            daemon.errors.split(separator: "\n").first { $0.contains("Recording the open store failed") })
        #expect(warning.contains("with a wrong line the next start would open \(store)"), "\(warning)")
        let command = try #require(warning.split(separator: ":  ").last)
        #expect(try sandbox.shell(String(command)).status == 0)
        try files.removeItem(atPath: path + ".new")
        try write("[Store]\nPath=~/other.sqlite\n[Alert]\nNag=x\n")
        #expect(try sandbox.startDaemon().stop() == 0)
        #expect(try record.contains("other.sqlite"))
    }

    /// C1: Without a record, the daemon stops only if the line may concern the store.
    @Test func startWithoutARecordDependsOnTheLine() throws {
        try write("[Database]\nFile=/x/y\n")
        let refused = try sandbox.run("todod", [])
        #expect(refused.status == 78 && refused.errors.contains("no section [Database]"), "\(refused)")
        #expect(!files.fileExists(atPath: "\(sandbox.directory)/data/todod"))
        try write("[Alert]\nComand=/bin/true\n")
        #expect(try sandbox.startDaemon().stop() == 0)
        #expect(files.fileExists(atPath: sandbox.store))
    }

    /// C1: Without a record, an emptied configuration neither opens nor creates a store, and the error suggests a
    /// command.
    @Test func emptiedConfigurationWithoutARecordCreatesNoStore() throws {
        try recordStore()
        try files.removeItem(atPath: recordPath(of: configuration))
        try write("")
        let refused = try sandbox.run("todod", [])
        #expect(refused.status == 78, "\(refused)")
        #expect(
            refused.errors.contains(
                "\(configuration)/todod.conf: is empty; remove it to have every setting at its default"))
        #expect(refused.errors.contains("it has not recorded which store it opened last"), "\(refused)")
        #expect(!files.fileExists(atPath: "\(sandbox.directory)/data/todod"))
        #expect(!files.fileExists(atPath: recordPath(of: configuration)))
        // A first start without any file succeeds.
        try files.removeItem(atPath: "\(configuration)/todod.conf")
        #expect(try sandbox.startDaemon().stop() == 0)
        #expect(files.fileExists(atPath: sandbox.store))
    }

    /// C1: A store of `Path=` that existed at the last start is not created again. Its disk may not be mounted.
    @Test func missingStoreOfAPathIsNotCreatedAgain() throws {
        try recordStore()
        let directory = "\(sandbox.directory)/mine"
        try files.moveItem(atPath: directory, toPath: directory + ".away")
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for option in [[], ["--check"], ["--migrate"]] {
            let result = try sandbox.run("todod", option)
            #expect(result.status == 78, "\(result)")
            #expect(
                result.errors.contains(
                    "\(configuration)/todod.conf:2: Path=: the store \(store) is missing"))
            #expect(result.errors.contains("mount the disk"), "\(result)")
        }
        #expect(try files.contentsOfDirectory(atPath: directory).isEmpty)
        let copy = "\(directory).away/items.sqlite"
        #expect(try sandbox.run("todod", ["--restore", copy]).status == 0)
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list").output.contains("Tea"))
        #expect(daemon.stop() == 0)
    }

    /// C1: The command in the error lets the daemon start with an empty store.
    @Test func daemonWithoutRecordStartsWithAnEmptyStore() throws {
        try recordStore()
        try files.removeItem(atPath: "\(sandbox.directory)/mine")
        let result = try sandbox.run("todod", [])
        let command = try #require(result.errors.split(separator: "\n").last?.split(separator: ":  ").last)
        #expect(command.hasPrefix("rm "), "\(result)")
        #expect(try sandbox.shell(String(command)).status == 0)
        #expect(try sandbox.startDaemon().stop() == 0)
        #expect(files.fileExists(atPath: store))
    }
}
