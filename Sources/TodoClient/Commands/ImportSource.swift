internal import Glibc
internal import TodoAPI

/// The text of the files that are imported.
///
/// One file may be of any format. Several, and those of a directory, are calendars: together they are one, so they are one
/// import, of which all is taken or nothing.
struct ImportSource {
    private static let calendarBegin = "BEGIN:VCALENDAR"
    private static let calendarEnd = "END:VCALENDAR"

    private(set) var text = ""
    /// The files of directories that are no calendars.
    private(set) var remarks: [String] = []
    /// The calendars of several files: their names, and the lines of the text where they begin.
    private var files: [(name: String, line: Int)] = []
    private var lineCount = 0

    init(_ paths: [String], format: Import.Format?) throws(ClientError) {
        if paths.count == 1, !Self.isKind(S_IFDIR, paths[0]) {
            text = try Self.contents(of: paths[0], limit: Import.textBytesLimit)
            return
        }
        guard format == nil || format == .icalendar else {
            throw ImportCommand.usage("several files, or a directory, are imported as icalendar only")
        }
        var calendars = 0
        for path in paths {
            guard path != "-" else {
                throw ImportCommand.usage("standard input (-) is not imported together with files")
            }
            let isDirectory = Self.isKind(S_IFDIR, path)
            for file in try isDirectory ? Self.files(in: path) : [path] {
                if try add(file, isForeignTaken: isDirectory) { calendars += 1 }
            }
        }
        guard calendars > 0 else {
            let places = paths.map { $0.oneLine() }.joined(separator: ", ")
            throw .refused("todoctl: there is no iCalendar file in \(places); nothing was imported")
        }
    }

    /// Adds a calendar.
    ///
    /// - Parameter isForeignTaken: whether a file that is no calendar is passed over with a remark.
    /// - Returns: whether it is one.
    private mutating func add(_ path: String, isForeignTaken: Bool) throws(ClientError) -> Bool {
        let name = path.oneLine()
        let isFile = Self.isKind(S_IFREG, path)
        let found =
            isFile || !isForeignTaken
            ? try Self.contents(of: path, limit: Import.textBytesLimit - text.utf8.count) : ""
        // Between two calendars the mark would be text.
        let calendar = found.hasPrefix("\u{FEFF}") ? String(found.dropFirst()) : found
        guard
            calendar.drop(while: \.isWhitespace).prefix(Self.calendarBegin.count).uppercased()
                == Self.calendarBegin
        else {
            if isForeignTaken {
                remarks.append("\(name): no iCalendar file, left out")
                return false
            }
            throw .refused(
                """
                todoctl: \(name) is no iCalendar file; nothing was imported
                Only such files are imported together; import it by itself.
                """)
        }
        let end = calendar.utf8.suffix(256)
        guard
            String(decoding: end, as: UTF8.self).uppercased().split(whereSeparator: \.isWhitespace).last
                .map({ $0 == Self.calendarEnd }) == true
        else {
            throw .refused(
                "todoctl: \(name) is broken off: it does not end with \(Self.calendarEnd); nothing was imported"
            )
        }
        let whole = calendar + (calendar.utf8.last == UInt8(ascii: "\n") ? "" : "\r\n")
        files.append((name, lineCount + 1))
        lineCount += Self.lineCount(of: whole)
        text += whole
        return true
    }

    /// How many lines the daemon finds in a text: they end with CR LF, LF or CR.
    private static func lineCount(of text: String) -> Int {
        var count = 0
        var last: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0x0D || byte == 0x0A && last != 0x0D { count += 1 }
            last = byte
        }
        return count
    }

    /// What the daemon says of a line, with the file and its own line: `b.ics, line 7: …` for `line 57: …`.
    func located(_ remark: String) -> String {
        let parts = remark.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("line "), let line = Int(parts[0].dropFirst(5)),
            let file = files.last(where: { $0.line <= line })
        else { return remark }
        return "\(file.name), line \(line - file.line + 1):\(parts[1])"
    }

    // MARK: - Files

    private static func contents(of path: String, limit: Int) throws(ClientError) -> String {
        do throws(TextFile.Failure) {
            return try TextFile.contents(of: path, limit: limit)
        } catch {
            let hint =
                switch error {
                case .store: "\n'todoctl backup --help' says how to go back to it."
                case .longer:
                    "\nImport it in parts; 'todoctl backup' and 'todod --restore' carry a whole store over."
                case .unreadable, .noText, .unusedPipe: ""
                }
            throw .refused(
                "todoctl: cannot read \(path.oneLine()): \(error.reason); nothing was imported\(hint)")
        }
    }

    private static func isKind(_ kind: mode_t, _ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == kind
    }

    /// What is in a directory, but for hidden files and other directories, by name.
    private static func files(in directory: String) throws(ClientError) -> [String] {
        guard let stream = opendir(directory) else {
            let reason = String(cString: strerror(errno))
            throw .refused("todoctl: cannot read \(directory.oneLine()): \(reason); nothing was imported")
        }
        defer { closedir(stream) }
        var paths: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(
                    to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)
                ) {
                    String(cString: $0)
                }
            }
            let path = "\(directory)\(directory.hasSuffix("/") ? "" : "/")\(name)"
            if !name.hasPrefix("."), !isKind(S_IFDIR, path) { paths.append(path) }
        }
        return paths.sorted()
    }
}
