import CPCRE2

/// The pattern of MATCHES: a regular expression that has to match the whole text.
///
/// The interpreter of PCRE2 runs it with limits, so that no pattern and no text can block the program.
package final class RegularExpression: Sendable {
    /// An error while an expression is compiled or matched.
    struct Failure: Error, Hashable {
        let reason: String
        /// The offset in the pattern, or `nil` if the expression exceeds a limit.
        let offset: Int?
    }

    /// The maximum number of steps of one match. They take about a hundredth of a second.
    private static let stepLimit: UInt32 = 500_000
    /// The maximum memory of one match, in KiB.
    private static let memoryLimit: UInt32 = 16_384
    /// The maximum length of a pattern, in bytes.
    private static let lengthLimit = 65_536

    // The compiled code does not change after init, and each match keeps its state in its own data.
    nonisolated(unsafe) private let code: OpaquePointer
    private let options: StringOptions

    init(_ pattern: String, _ options: StringOptions) throws(Failure) {
        // PCRE2 ignores the case itself. Folding the pattern would change the meaning of its escapes.
        let folded = FoldedText(pattern, options.subtracting(.caseInsensitive)).bytes
        guard folded.count <= Self.lengthLimit else {
            throw Failure(reason: "it is longer than \(Self.lengthLimit) bytes", offset: nil)
        }
        var flags = PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NEVER_BACKSLASH_C
        if options.contains(.caseInsensitive) { flags |= PCRE2_CASELESS }
        var error: Int32 = 0
        var offset = 0
        guard let code = pcre2_compile_8(folded, folded.count, flags, &error, &offset, nil) else {
            throw Failure(reason: Self.message(error), offset: offset)
        }
        self.code = code
        self.options = options
    }

    deinit {
        pcre2_code_free_8(code)
    }

    /// Returns whether the expression matches the whole text.
    func matches(utf8 text: UnsafeBufferPointer<UInt8>) throws(Failure) -> Bool {
        let subject = FoldedText(utf8: text, options.subtracting(.caseInsensitive)).bytes
        var outcome = try match(subject)
        // Another program may have stored text that is not valid UTF-8. Repair it as Swift does.
        if (PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1).contains(outcome) {
            outcome = try match(Array(String(decoding: subject, as: UTF8.self).utf8))
        }
        if outcome >= 0 { return true }
        if outcome == PCRE2_ERROR_NOMATCH { return false }
        throw Failure(reason: Self.message(outcome), offset: nil)
    }

    private func match(_ subject: [UInt8]) throws(Failure) -> Int32 {
        guard let context = pcre2_match_context_create_8(nil), let data = pcre2_match_data_create_8(1, nil)
        else { throw Failure(reason: "memory ran out", offset: nil) }
        defer {
            pcre2_match_data_free_8(data)
            pcre2_match_context_free_8(context)
        }
        pcre2_set_match_limit_8(context, Self.stepLimit)
        pcre2_set_heap_limit_8(context, Self.memoryLimit)
        return pcre2_match_8(code, subject, subject.count, 0, 0, data, context)
    }

    private static func message(_ code: Int32) -> String {
        var text = [UInt8](repeating: 0, count: 160)
        let length = pcre2_get_error_message_8(code, &text, text.count)
        return length > 0 ? String(decoding: text[..<Int(length)], as: UTF8.self) : "PCRE2 error \(code)"
    }
}
