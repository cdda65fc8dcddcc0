internal import CLinux

/// The messages in one datagram of a routing socket (rtnetlink(7)).
struct NetlinkMessages {
    /// Whether a link, an address or a route has changed.
    private(set) var hasChange = false
    /// Whether a route leads out of this machine.
    private(set) var hasRoute = false
    /// Whether the answer to a request for all routes is complete.
    private(set) var isEndOfRoutes = false

    private static let headerBytes = 16
    private static let routeBytes = 12
    private static let attributeBytes = 4
    /// The number of the loopback interface, which is the first one of each network namespace.
    private static let loopback: UInt32 = 1

    /// Reads a datagram. A message that is cut off ends it.
    init(_ bytes: [UInt8]) {
        var start = 0
        while start + Self.headerBytes <= bytes.count {
            let length = Int(Self.number32(bytes, start))
            guard length >= Self.headerBytes, start + length <= bytes.count else { return }
            let type = Int(Self.number16(bytes, start + 4))
            // A message with the flag is a part of the answer to a request.
            let isAnswer = Int32(Self.number16(bytes, start + 6)) & Int32(NLM_F_MULTI) != 0
            switch type {
            case Int(NLMSG_DONE), Int(NLMSG_ERROR): isEndOfRoutes = true
            case Int(RTM_NEWROUTE):
                if Self.leadsOut(bytes[(start + Self.headerBytes)..<(start + length)]) { hasRoute = true }
                if !isAnswer { hasChange = true }
            case Int(RTM_NEWLINK), Int(RTM_DELLINK), Int(RTM_NEWADDR), Int(RTM_DELADDR), Int(RTM_DELROUTE):
                if !isAnswer { hasChange = true }
            default: break
            }
            start += (length + 3) & ~3
        }
    }

    /// Whether a route message describes a way to another machine: a unicast route of the main table that uses neither the
    /// loopback interface nor is only for the addresses of one link.
    private static func leadsOut(_ message: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(message)
        guard bytes.count >= routeBytes else { return false }
        let (prefixBits, table, type) = (bytes[1], bytes[4], bytes[7])
        guard type == UInt8(RTN_UNICAST), table == UInt8(RT_TABLE_MAIN.rawValue) else {
            return false
        }
        var start = routeBytes
        while start + attributeBytes <= bytes.count {
            let length = Int(number16(bytes, start))
            guard length >= attributeBytes, start + length <= bytes.count else { break }
            let value = start + attributeBytes
            switch UInt32(number16(bytes, start + 2)) {
            case RTA_OIF.rawValue where length == attributeBytes + 4:
                if number32(bytes, value) == loopback { return false }
            // fe80::/64, which each interface has even without a network.
            case RTA_DST.rawValue where prefixBits == 64 && length == attributeBytes + 16:
                if bytes[value] == 0xFE, bytes[value + 1] == 0x80 { return false }
            default: break
            }
            start += (length + 3) & ~3
        }
        return true
    }

    private static func number16(_ bytes: [UInt8], _ start: Int) -> UInt16 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt16.self) }
    }

    private static func number32(_ bytes: [UInt8], _ start: Int) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt32.self) }
    }
}
