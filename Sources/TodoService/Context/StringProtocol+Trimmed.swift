extension StringProtocol {
    /// The text without the spaces and tabs at both ends.
    package var trimmed: SubSequence {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        let head = drop(while: isSpace)
        return head.lastIndex { !isSpace($0) }.map { head[...$0] } ?? head[head.startIndex..<head.startIndex]
    }
}
