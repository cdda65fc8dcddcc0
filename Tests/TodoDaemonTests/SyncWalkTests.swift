import CivilTime
import Foundation
import ObjectStore
import TestSupport
import Testing
import TodoAPI

@testable import TodoService

/// Two daemons and another program change one list at random. Answers of the server are lost, and the clocks differ. After
/// a time without changes, all have the same items, nothing is lost or doubled, and no foreign line has changed.
///
/// `TODOD_SYNC_SEEDS=1000` runs as many seeds, and `TODOD_SYNC_SEED=17` only one.
@Suite struct SyncWalkTests {
    private static var seeds: [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["TODOD_SYNC_SEED"].flatMap(UInt64.init) { return [seed] }
        return Array(1...(environment["TODOD_SYNC_SEEDS"].flatMap(UInt64.init) ?? 20))
    }

    @Test(arguments: seeds) func listConverges(seed: UInt64) throws {
        let directory = TestService.directory()
        defer { TestService.remove(directory) }
        var walk = try Walk(seed: seed, directory)
        for _ in 0..<60 { try walk.step() }
        try walk.settle()
        try walk.check()
    }

    private struct Walk {
        private var random: SplitMix
        private let server = ListServer()
        private let clocks = [ManualClock(), ManualClock()]
        private let people: [SyncedService]
        private var added = 0
        /// The lines of each task that no daemon knows, by UID.
        private var foreign: [String: String] = [:]
        /// The UIDs that somebody has deleted.
        private var deleted: Set<String> = []
        private var uids: Set<String> = []

        init(seed: UInt64, _ directory: String) throws {
            random = SplitMix(state: seed)
            clocks[1].advance(7_200)
            // The second one has a history of its changes, and the first one finds them by comparing.
            people = [
                try SyncedService(server, TestService(clock: clocks[0])),
                try SyncedService(
                    server,
                    TestService(StoreConfiguration(.sqlite, path: directory + "/store"), clock: clocks[1])),
            ]
            server.rewrite = { text in
                // Servers write some lines in another way.
                text.replacing("STATUS:NEEDS-ACTION\r\n", with: "STATUS:needs-action\r\n")
            }
        }

        private mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

        mutating func step() throws {
            for clock in clocks { clock.advance(60) }
            let person = people[number(2)]
            switch number(10) {
            case 0...4: try change(person)
            case 5, 6: changeElsewhere()
            case 7: _ = try person.receive()
            case 8: _ = try person.send(losesAnswers: number(2) == 0)
            default: try person.synchronize()
            }
        }

        private mutating func change(_ person: SyncedService) throws {
            let items = try person.items.sorted { $0.uid < $1.uid }
            guard number(4) > 0, !items.isEmpty else {
                added += 1
                uids.insert(try person.add("item \(added)") { $0.due = "tomorrow 9am" }.uid)
                return
            }
            let item = items[number(items.count)]
            var update = UpdateItems.Parameters()
            update.ids = [item.id]
            let value = number(1_000)
            switch number(8) {
            case 0: update.name = "name \(value)"
            case 1: update.notes = "notes \(value)"
            case 2: update.priority = Int64(value % 10)
            case 3: update.addTags = ["tag\(value % 5)"]
            case 4: update.due = "in \(value + 1) hours"
            case 5: update.every = value % 2 == 0 ? "day" : ""
            case 6:
                var parameters = CompleteItems.Parameters()
                parameters.ids = [item.id]
                _ = try person.service.call(CompleteItems.self, parameters)
                return
            default:
                guard value % 3 == 0 else { return }
                deleted.insert(item.uid)
                _ = try person.service.call(DeleteItems.self, ItemIDs(ids: [item.id]))
                return
            }
            do {
                _ = try person.service.call(UpdateItems.self, update)
            } catch let error as TestService.ErrorReply {
                // An item without a due time cannot repeat.
                #expect(error.name.hasSuffix("InvalidValue") || error.name.hasSuffix("PastDate"), "\(error)")
            }
        }

        /// Changes a task as a program does that keeps all other lines.
        private mutating func changeElsewhere() {
            let urls = server.resources.keys.sorted()
            guard number(3) > 0, !urls.isEmpty else {
                added += 1
                let name = "foreign-\(added)"
                uids.insert(name)
                foreign[name] = "X-FOREIGN;X-P=\"a;b\":\(added)"
                server.task(name, "\(foreign[name] ?? "")\r\nDUE;VALUE=DATE:20261224\r\nCATEGORIES:x,y\r\n")
                return
            }
            let url = urls[number(urls.count)]
            guard let resource = server.resources[url] else { return }
            let uid = resource.text.split(separator: "\r\n").first { $0.hasPrefix("UID:") }.map {
                String($0.dropFirst(4))
            }
            let value = number(1_000)
            var lines = resource.text.components(separatedBy: "\r\n")
            switch number(4) {
            case 0: lines = lines.map { $0.hasPrefix("SUMMARY") ? "SUMMARY:elsewhere \(value)" : $0 }
            case 1:
                lines.removeAll { $0.hasPrefix("PRIORITY") }
                lines.insert(
                    "PRIORITY:\(value % 9 + 1)", at: lines.firstIndex(of: "BEGIN:VTODO").map { $0 + 1 } ?? 1)
            case 2:
                let line = "X-LATER-\(value):1"
                lines.insert(line, at: lines.firstIndex(of: "END:VTODO") ?? 1)
                if let uid { foreign[uid] = line }
            default:
                guard value % 4 == 0, let uid else { return }
                deleted.insert(uid)
                _ = server.delete(url, ifMatch: resource.etag)
                return
            }
            _ = server.put(url, lines.joined(separator: "\r\n"), ifMatch: resource.etag)
        }

        mutating func settle() throws {
            for _ in 0..<6 {
                for person in people { try person.synchronize() }
            }
        }

        func check() throws {
            let contents = try people.map { person in
                try person.items.map { item in
                    var item = item
                    (item.id, item.createdAt, item.parent) = (0, nil, nil)
                    (item.modifiedAt, item.lastAlert, item.nextAlert) = (nil, nil, nil)
                    // A time in the store has fractions of a second, which no text has.
                    item.completedAt = item.completedAt.map {
                        Timestamp(secondsSince1970: $0.secondsSince1970.rounded(.down))
                    }
                    return item
                }.sorted { $0.uid < $1.uid }
            }
            #expect(contents[0] == contents[1])
            let present = contents[0].map(\.uid)
            #expect(Set(present).count == present.count)
            // A change wins against a deletion, so a deleted task may be there.
            #expect(uids.subtracting(deleted).isSubset(of: present))
            #expect(Set(present).isSubset(of: uids))
            #expect(server.resources.count == present.count)
            for person in people {
                #expect(try person.uploads.isEmpty)
                #expect(try person.summary.unsent == 0 && person.summary.remarks.isEmpty)
                #expect(try person.summary.heldDeletions == nil)
            }
            let texts = Array(server.resources.values.map(\.text))
            // A task that comes back after a deletion has the text that was read last.
            for (uid, line) in foreign where present.contains(uid) && !deleted.contains(uid) {
                let text = texts.first { $0.contains("UID:\(uid)\r\n") }
                #expect(text?.contains(line) == true, "\(uid)")
            }
        }
    }
}
