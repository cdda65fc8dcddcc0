/// Quoting of text for a shell.
package enum ShellWord {
    private static let plainBytes = Set("-_.,".utf8)

    package static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: plainBytes.contains(byte)
            }
        }
        if isPlain, !text.isEmpty { return text }
        let parts = text.oneLine().split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }

    /// Returns a command with its operands and options. An operand that begins with `-` comes after `--`.
    package static func command(
        _ command: String, operands: [String], options: [String] = []
    ) -> String {
        let words = operands.map(quoted)
        let isPlain = !operands.contains { $0.hasPrefix("-") }
        return ([command] + (isPlain ? words + options : options + ["--"] + words)).joined(separator: " ")
    }
}
