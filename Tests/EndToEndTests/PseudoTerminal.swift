import Foundation
import Testing

/// A terminal without a user. A test can read its output while the program runs.
final class PseudoTerminal {
    private static let deadlineMilliseconds: Int32 = 30_000

    private let descriptor: Int32
    /// The standard streams of a program on this terminal.
    let end: FileHandle
    private(set) var shown = ""

    init(columns: UInt16) throws {
        var (descriptor, end): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&descriptor, &end, nil, nil, &size) == 0)
        self.descriptor = descriptor
        self.end = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    }

    deinit { close(descriptor) }

    /// Types text. The output is read with `wait(for:)`.
    func type(_ text: String) throws {
        try #require(write(descriptor, text, text.utf8.count) == text.utf8.count)
    }

    /// Reads output until it contains `text`, and drops everything before `text`.
    func wait(for text: String) throws {
        defer { shown.range(of: text).map { shown.removeSubrange(..<$0.lowerBound) } }
        while !shown.contains(text) {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&state, 1, Self.deadlineMilliseconds) > 0, "no '\(text)' in '\(shown)'")
            read()
        }
    }

    /// Reads the available output.
    func read() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&state, 1, 0) > 0 {
            let count = Foundation.read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return }
            shown += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }
}
