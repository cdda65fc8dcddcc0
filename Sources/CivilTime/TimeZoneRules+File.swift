internal import Platform

extension TimeZoneRules {
    static let directory = "/usr/share/zoneinfo"
    /// The maximum size of a zone file. The files of the IANA database are much smaller.
    static let fileBytesLimit = 1 << 20

    /// Reads the zone with an IANA name (`Europe/Madrid`) or a POSIX text (`CET-1CEST,M3.5.0,M10.5.0/3`).
    ///
    /// Returns `nil` if there is no such zone.
    package init?(named name: String) {
        if name == "UTC" || name == "Z" {
            self = .utc
        } else if Self.isPlainName(name),
            let zone = ZoneFiles.zone(at: "\(Self.directory)/\(name)", name: name)
        {
            self = zone
        } else if let rule = PosixZone(name) {
            self.init(name: name, rule: rule)
        } else {
            return nil
        }
    }

    /// Returns the zone of this process: that of `TZ`, else that of `/etc/localtime`, else UTC.
    ///
    /// - Parameter unknown: a closure that is called with the value of `TZ` if it is not a time zone. UTC is used in
    ///   this case.
    package static func current(unknown: (String) -> Void = { _ in }) -> TimeZoneRules {
        guard let text = Environment.variable("TZ") else { return local(at: localPath) }
        // In POSIX, a leading colon means that the rest has a form of the system. Here it is the name or path of a
        // file.
        let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
        let zone =
            name.hasPrefix("/")
            ? TimeZoneRules(contentsOf: name, name: nameOfZone(at: name)) : TimeZoneRules(named: name)
        if zone == nil, !name.isEmpty { unknown(text) }
        return zone ?? .utc
    }

    /// The link to the zone file of the machine.
    static let localPath = "/etc/localtime"

    /// Returns the zone in the file at `path`, usually a link into the zone directory, or UTC if it cannot be read.
    static func local(at path: String) -> TimeZoneRules {
        TimeZoneRules(contentsOf: path, name: nameOfZone(at: path)) ?? .utc
    }

    /// Whether the name is printable, at most 255 bytes long, and does not leave the zone directory.
    private static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 255
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && !part.hasPrefix(".")
                    && part.utf8.allSatisfy { byte in
                        byte > 0x20 && byte < 0x7F
                    }
            }
    }

    /// Returns the part after the zone directory in the target of a link such as `/etc/localtime`, which is the zone's
    /// name.
    private static func nameOfZone(at path: String) -> String {
        let resolved = FileSystem.link(at: path) ?? path
        guard let found = resolved.range(ofSuffixAfter: "zoneinfo/") else { return "" }
        return String(resolved[found])
    }

    init?(contentsOf path: String, name: String) {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, for: .reading, .doesNotWait)
            guard let bytes = try file.remainingBytes(limit: Self.fileBytesLimit) else { return nil }
            self.init(file: bytes[...], name: name)
        } catch {
            return nil
        }
    }

    /// Reads the 64-bit data of a zone file (RFC 8536).
    ///
    /// Every file since 2005 has it after the 32-bit data.
    init?(file bytes: ArraySlice<UInt8>, name: String) {
        var reader = ZoneFileReader(bytes: bytes)
        guard let old = reader.header(), reader.skip(old.bodyBytes(timeBytes: 4)), let head = reader.header()
        else { return nil }
        var transitions: [Int] = []
        for _ in 0..<head.times {
            guard let time = reader.integer(bytes: 8) else { return nil }
            transitions.append(time)
        }
        var kinds: [Int] = []
        for _ in 0..<head.times {
            guard let kind = reader.integer(bytes: 1) else { return nil }
            kinds.append(kind & 0xFF)
        }
        var offsets: [(seconds: Int, name: Int)] = []
        for _ in 0..<head.kinds {
            guard let seconds = reader.integer(bytes: 4), reader.skip(1), let name = reader.integer(bytes: 1)
            else { return nil }
            offsets.append((seconds, name & 0xFF))
        }
        guard let names = reader.take(head.nameBytes) else { return nil }
        let clocks = offsets.map { offset in
            let name = names.dropFirst(offset.name).prefix { $0 != 0 }
            return Clock(offset: offset.seconds, abbreviation: String(decoding: name, as: UTF8.self))
        }
        guard reader.skip(head.leaps * 12 + head.standards + head.universals),
            let footer = reader.footer(), let first = clocks.first,
            kinds.allSatisfy({ $0 < clocks.count })
        else { return nil }
        self.init(
            name: name, transitions: transitions, clocks: kinds.map { clocks[$0] }, first: first,
            rule: PosixZone(footer))
    }
}

/// A reader of the big-endian fields of a zone file.
private struct ZoneFileReader {
    struct Header {
        let universals: Int
        let standards: Int
        let leaps: Int
        let times: Int
        let kinds: Int
        let nameBytes: Int

        func bodyBytes(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + kinds * 6 + nameBytes + leaps * (timeBytes + 4) + standards + universals
        }
    }

    let bytes: ArraySlice<UInt8>
    var position = 0

    init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    mutating func header() -> Header? {
        guard bytes[position...].starts(with: "TZif".utf8), skip(20) else { return nil }
        var counts: [Int] = []
        for _ in 0..<6 {
            guard let count = integer(bytes: 4), (0...TimeZoneRules.fileBytesLimit).contains(count) else {
                return nil
            }
            counts.append(count)
        }
        return Header(
            universals: counts[0], standards: counts[1], leaps: counts[2], times: counts[3], kinds: counts[4],
            nameBytes: counts[5])
    }

    mutating func skip(_ count: Int) -> Bool {
        guard count <= bytes.endIndex - position else { return false }
        position += count
        return true
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        let start = position
        return skip(count) ? bytes[start..<position] : nil
    }

    /// Reads a two's complement integer of `count` bytes.
    mutating func integer(bytes count: Int) -> Int? {
        guard bytes.endIndex - position >= count else { return nil }
        var value = Int(Int8(bitPattern: bytes[position]))
        for byte in bytes[position + 1..<position + count] { value = value << 8 | Int(byte) }
        position += count
        return value
    }

    /// Reads the POSIX rule between the last two newlines, which may be empty.
    mutating func footer() -> String? {
        guard position < bytes.endIndex, bytes[position] == UInt8(ascii: "\n"),
            let end = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        return String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
    }
}

extension String {
    /// Returns the range of the text after the last occurrence of `marker`.
    fileprivate func range(ofSuffixAfter marker: String) -> Range<Index>? {
        var start = startIndex
        var found: Index?
        while start < endIndex {
            if self[start...].hasPrefix(marker) { found = index(start, offsetBy: marker.count) }
            start = index(after: start)
        }
        return found.map { $0..<endIndex }
    }
}
