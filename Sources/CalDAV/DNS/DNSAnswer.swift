/// The records in an answer of a name server (RFC 1035, section 4).
struct DNSAnswer {
    static let serviceType = 33
    static let textType = 16
    private static let headBytes = 12
    private static let recordsLimit = 100

    /// The SRV records.
    private(set) var services: [ServiceRecord] = []
    /// The strings of the TXT records.
    private(set) var texts: [String] = []

    private let bytes: [UInt8]

    /// Reads an answer, or returns `nil` if it does not have the format of one.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard let questions = number(at: 4), let answers = number(at: 6) else { return nil }
        var position = Self.headBytes
        for _ in 0..<questions {
            guard let end = endOfName(at: position) else { return nil }
            position = end + 4
        }
        for _ in 0..<min(answers, Self.recordsLimit) {
            guard let name = endOfName(at: position), let type = number(at: name),
                let size = number(at: name + 8), name + 10 + size <= bytes.count
            else { return nil }
            let data = name + 10
            position = data + size
            switch type {
            case Self.serviceType:
                guard let record = service(at: data, end: position) else { return nil }
                services.append(record)
            case Self.textType:
                guard let strings = strings(at: data, end: position) else { return nil }
                texts += strings
            default: break
            }
        }
    }

    private func number(at position: Int) -> Int? {
        guard position + 1 < bytes.count else { return nil }
        return Int(bytes[position]) << 8 | Int(bytes[position + 1])
    }

    /// Returns the position after a name, which ends with an empty label or a pointer.
    private func endOfName(at start: Int) -> Int? {
        var position = start
        while position < bytes.count {
            let length = Int(bytes[position])
            if length == 0 { return position + 1 }
            if length >= 0xC0 { return position + 2 }
            position += length + 1
        }
        return nil
    }

    /// Returns a name as text without a dot at its end. A pointer leads to an earlier position, so that the name ends.
    private func name(at start: Int) -> String? {
        var labels: [String] = []
        var position = start
        var earliest = start
        while position < bytes.count {
            let length = Int(bytes[position])
            if length == 0 { return labels.joined(separator: ".") }
            if length >= 0xC0 {
                guard let target = number(at: position).map({ $0 & 0x3FFF }), target < earliest else {
                    return nil
                }
                (position, earliest) = (target, target)
            } else {
                let end = position + 1 + length
                guard length < 64, end <= bytes.count else { return nil }
                labels.append(String(decoding: bytes[(position + 1)..<end], as: UTF8.self))
                position = end
            }
        }
        return nil
    }

    private func service(at start: Int, end: Int) -> ServiceRecord? {
        guard start + 6 < end, let priority = number(at: start), let weight = number(at: start + 2),
            let port = number(at: start + 4), let host = name(at: start + 6)
        else { return nil }
        return ServiceRecord(priority: priority, weight: weight, port: port, host: host)
    }

    private func strings(at start: Int, end: Int) -> [String]? {
        var strings: [String] = []
        var position = start
        while position < end {
            let next = position + 1 + Int(bytes[position])
            guard next <= end else { return nil }
            strings.append(String(decoding: bytes[(position + 1)..<next], as: UTF8.self))
            position = next
        }
        return strings
    }
}
