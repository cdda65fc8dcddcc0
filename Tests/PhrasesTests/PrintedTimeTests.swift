import CivilTime
import Foundation
import Phrases
import TestSupport
import Testing

/// Times as `todoctl` and other programs print them, read again.
@Suite struct PrintedTimeTests {
    private static let zones = [
        "UTC", "Europe/Berlin", "Pacific/Auckland", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia",
        "Africa/Casablanca", "Asia/Kathmandu", "America/Santiago", "America/New_York",
    ]

    private struct Scene {
        let zone: TimeZoneRules
        let now: Timestamp
        let moment: Timestamp

        init(_ random: inout SplitMix) throws {
            zone = try #require(
                TimeZoneRules(named: PrintedTimeTests.zones.randomElement(using: &random) ?? ""))
            now = Timestamp(
                secondsSince1970: Double(Int.random(in: 1_300_000_000...2_150_000_000, using: &random)))
            let second: Int
            switch Int.random(in: 0...3, using: &random) {
            // Any year of the calendar.
            case 0: second = Int.random(in: -62_135_500_000...253_402_200_000, using: &random)
            case 1: second = Int(now.secondsSince1970) + Int.random(in: -200_000...200_000, using: &random)
            case 2:
                second = Int(now.secondsSince1970) + Int.random(in: -40_000_000...40_000_000, using: &random)
            // The hours around a change of the clocks.
            default:
                let day = Int(now.secondsSince1970)
                let days = PrintedTimeTests.changes(of: zone, from: day)
                second =
                    (days.randomElement(using: &random) ?? day) + Int.random(in: 0..<86_400, using: &random)
            }
            moment = Timestamp(secondsSince1970: Double(second))
        }

        func read(_ text: String) throws -> Timestamp {
            try DatePhrase.reading(text, now: now, zone: zone, defaultTime: 9 * 3_600).moment
        }

        var place: String {
            "\(RFC3339.text(moment, in: zone) ?? "") at \(RFC3339.text(now, in: zone) ?? "") in \(zone.name)"
        }
    }

    /// The days after `second` within which the clocks are set.
    private static func changes(of zone: TimeZoneRules, from second: Int) -> [Int] {
        (0..<400).map { second + $0 * 86_400 }.filter { offset(zone, $0) != offset(zone, $0 + 86_400) }
    }

    private static func offset(_ zone: TimeZoneRules, _ second: Int) -> Int {
        zone.offset(at: Timestamp(secondsSince1970: Double(second)))
    }

    /// D1: Lists, `show` and replies print moments to the minute. Each is read as the same minute.
    @Test func momentInWordsIsReadAgain() throws {
        var random = SplitMix(state: 31)
        for _ in 0..<1_500 {
            let scene = try Scene(&random)
            let second = try #require(scene.zone.civil(at: scene.moment)).second
            let minute = scene.moment - Double(second)
            let words = TimeInWords(now: scene.now, zone: scene.zone)
            let text = words.moment(scene.moment)
            let distance = words.distance(to: scene.moment)
            for text in [text, "\(text), \(distance)", "(\(text), \(distance))"] {
                #expect(throws: Never.self, "'\(text)' for \(scene.place)") {
                    let read = try scene.read(text)
                    #expect(read == minute, "'\(text)' for \(scene.place)")
                }
            }
            // A distance without its moment is only as exact as it is printed.
            let far = abs(try scene.read(distance) - scene.moment)
            #expect(far <= max(60, abs(scene.moment - scene.now) / 2), "'\(distance)' for \(scene.place)")
        }
    }

    /// D1: RFC 3339, seconds since 1970 and the forms of iCalendar and of `todoctl edit` are read exactly.
    @Test func exactFormsAreReadAgain() throws {
        var random = SplitMix(state: 32)
        for _ in 0..<500 {
            let scene = try Scene(&random)
            let moment = scene.moment
            let text = try #require(RFC3339.text(moment, in: scene.zone))
            // Historical offsets of local time include seconds, which the format cannot express.
            guard scene.zone.offset(at: moment) % 60 == 0 else { continue }
            let utc = try #require(RFC3339.text(moment))
            let basic = utc.filter { $0 != "-" && $0 != ":" }
            for text in [text, utc, text.lowercased(), basic] {
                #expect(try scene.read(text) == moment, "'\(text)' for \(scene.place)")
            }
            if moment.secondsSince1970 >= 0 {
                #expect(try scene.read("@\(Int(moment.secondsSince1970))") == moment)
            }
            let exact = moment + 0.25
            let fraction = try #require(RFC3339.text(exact, in: scene.zone, isExact: true))
            #expect(try scene.read(fraction) == exact)
            // The second of two equal local times needs an offset.
            let civil = try #require(scene.zone.civil(at: moment))
            guard scene.zone.moment(of: civil) == moment else { continue }
            let local = String(text.prefix(19))
            for form in [local, local.replacing("T", with: " "), local.filter { $0 != "-" && $0 != ":" }] {
                #expect(try scene.read(form) == moment, "'\(form)' for \(scene.place)")
            }
        }
    }

    /// D1: The times that the command `date` prints are read, in each of its formats.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/date")), arguments: zones)
    func outputOfDateIsRead(name: String) throws {
        let zone = try #require(TimeZoneRules(named: name))
        var random = SplitMix(state: 33)
        var seconds = (0..<20).map { _ in Int.random(in: 1_500_000_000...2_100_000_000, using: &random) }
        // Both hours around the changes of 2026 and 2027.
        let year = (0..<17_520).map { 1_767_225_600 + $0 * 3_600 }
        seconds += year.filter { Self.offset(zone, $0) != Self.offset(zone, $0 + 3_600) }
            .flatMap { [$0 - 1_800, $0 + 1_800, $0 + 5_400] }
        let now = Timestamp(secondsSince1970: 1_795_420_140)
        for format in [[], ["-R"], ["-Is"], ["--rfc-3339=s"], ["+@%s"], ["+%a %b %d %I:%M:%S %p %Z %Y"]] {
            let lines = try Self.date(seconds, format, zone: name)
            #expect(lines.count == seconds.count)
            for (line, second) in zip(lines, seconds) {
                let read = try DatePhrase.reading(line, now: now, zone: zone, defaultTime: 0).moment
                #expect(read.secondsSince1970 == Double(second), "'\(line)' in \(name)")
            }
        }
    }

    private static func date(_ seconds: [Int], _ format: [String], zone: String) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "dates-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try seconds.map { "@\($0)\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/date")
        process.arguments = ["-f", file.path] + format
        process.environment = ["TZ": zone, "LC_ALL": "C"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
