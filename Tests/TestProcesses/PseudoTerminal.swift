package import Foundation

/// A terminal without a user. A test can read its output while the program runs.
package final class PseudoTerminal {
    /// The terminal could not be used as the test wanted.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let deadlineMilliseconds: Int32 = 30_000

    private let descriptor: Int32
    /// The standard streams of a program on this terminal.
    package let end: FileHandle
    package private(set) var shown = ""

    package init(columns: UInt16) throws {
        var (descriptor, end): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&descriptor, &end, nil, nil, &size) == 0 else {
            throw Failure(description: "there is no terminal")
        }
        self.descriptor = descriptor
        self.end = FileHandle(fileDescriptor: end, closeOnDealloc: true)
    }

    deinit { close(descriptor) }

    /// Whether the terminal shows what is typed.
    package var showsInput: Bool {
        var settings = termios()
        return tcgetattr(descriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Types text. The output is read with `wait(for:)`.
    package func type(_ text: String) throws {
        guard write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw Failure(description: "'\(text)' cannot be typed")
        }
    }

    /// Reads output until it contains `text`, and drops everything before `text`.
    package func wait(for text: String) throws {
        defer { shown.range(of: text).map { shown.removeSubrange(..<$0.lowerBound) } }
        while !shown.contains(text) {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, Self.deadlineMilliseconds) > 0 else {
                throw Failure(description: "no '\(text)' in '\(shown)'")
            }
            read()
        }
    }

    /// Reads the available output.
    package func read() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&state, 1, 0) > 0 {
            let count = Foundation.read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return }
            shown += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }
}
