extension StringProtocol {
    /// The text without the white space around it.
    package var trimmed: SubSequence {
        let head = drop(while: \.isWhitespace)
        return head.lastIndex { !$0.isWhitespace }.map { head[...$0] }
            ?? head[head.startIndex..<head.startIndex]
    }
}
