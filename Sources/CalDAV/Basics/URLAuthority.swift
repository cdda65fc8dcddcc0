/// The host and the port of a URL.
struct URLAuthority {
    let host: String
    let port: Int

    /// Reads `host`, `host:port` or `[address]:port`. A user name and a password before `@` are dropped.
    init?(_ text: String, scheme: String) {
        var rest = text[...]
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        var host = rest
        var port = Substring()
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[...end]
            let after = rest[rest.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else { return nil }
            port = after.dropFirst()
            guard host.utf8.dropFirst().dropLast().allSatisfy(Self.isAddressByte), host.utf8.count > 3 else {
                return nil
            }
        } else {
            if let colon = rest.firstIndex(of: ":") {
                (host, port) = (rest[..<colon], rest[rest.index(after: colon)...])
            }
            guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostByte) else { return nil }
        }
        guard port.utf8.allSatisfy(URLPath.isDigit) else { return nil }
        let number = port.isEmpty ? Self.defaultPort(of: scheme) : Int(port)
        guard let number, (1...65_535).contains(number) else { return nil }
        // A dot at the end of a name is allowed and changes nothing.
        let name = host.hasSuffix(".") ? host.dropLast() : host
        guard !name.split(separator: ".", omittingEmptySubsequences: false).contains(where: \.isEmpty) else {
            return nil
        }
        self.host = name.lowercased()
        self.port = number
    }

    static func defaultPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

    /// Whether the host is an IPv4 address of this machine.
    static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        URLPath.hexValue(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    /// Names in other scripts are allowed. libcurl encodes them.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        URLPath.isLetter(byte) || URLPath.isDigit(byte) || byte >= 0x80 || "-._~".utf8.contains(byte)
    }
}
