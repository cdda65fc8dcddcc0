internal import Platform
internal import TodoAPI

/// The text of the files to import.
///
/// A single file may have any format. Several files, or those in a directory, have to be iCalendar files. Their texts
/// are joined, so that they are imported together or not at all.
struct ImportSource {
    private static let calendarBegin = "BEGIN:VCALENDAR"
    private static let calendarEnd = "END:VCALENDAR"

    private(set) var text = ""
    /// The format that the user or the name of the file has named, or `nil` if the text shows it.
    private(set) var format: Import.Format?
    /// The name of the project of Todoist whose tasks the text has, or `nil` for another text.
    private(set) var project: String?
    /// Remarks about the files in directories that are not iCalendar files.
    private(set) var remarks: [String] = []
    /// The names of several files, and the line of the joined text at which each begins.
    private var files: [(name: String, line: Int)] = []
    private var lineCount = 0

    init(_ paths: [String], format: Import.Format?) throws(ClientError) {
        self.format = format
        if paths.count == 1, !Self.isKind(.directory, paths[0]) {
            text = try Self.contents(of: paths[0], limit: Import.textBytesLimit)
            if format == nil, Self.isTodoTxt(paths[0], text: text) { self.format = .todotxt }
            if format == nil || format == .todoist, Import.isTodoist(text) {
                project = Self.project(of: paths[0])
            }
            return
        }
        guard format == nil || format == .icalendar else {
            throw ImportCommand.usage("several files or a directory can be imported as icalendar only")
        }
        var calendars = 0
        for path in paths {
            guard path != "-" else {
                throw ImportCommand.usage("standard input (-) cannot be imported together with files")
            }
            let isDirectory = Self.isKind(.directory, path)
            for file in try isDirectory ? Self.files(in: path) : [path] {
                if isDirectory, Self.isKind(.directory, file) {
                    remarks.append("\(file.oneLine()): a directory, omitted")
                    continue
                }
                if try add(file, acceptsForeign: isDirectory) { calendars += 1 }
            }
        }
        guard calendars > 0 else {
            let places = paths.map { $0.oneLine() }.joined(separator: ", ")
            throw .refused("todoctl: there is no iCalendar file in \(places); nothing was imported")
        }
    }

    /// Whether a file has one of the names that programs for todo.txt use, and its text is in no other format.
    private static func isTodoTxt(_ path: String, text: String) -> Bool {
        let name = (path.split(separator: "/").last ?? "").lowercased()
        guard ["todo.txt", "done.txt"].contains(name) || name.hasSuffix(".todo.txt") else { return false }
        let start = text.unicodeScalars.drop { $0 == "\u{FEFF}" || $0.properties.isWhitespace }
        return !["{", "[", "<"].contains(start.first ?? "{")
            && String(start.prefix(calendarBegin.count)).uppercased() != calendarBegin
    }

    /// Returns the name of the project in the name of a file of Todoist, such as `Garden` for `Garden [2203306141].csv`.
    ///
    /// The tasks of the inbox are in no project.
    private static func project(of path: String) -> String? {
        var name = path.split(separator: "/").last ?? ""
        if name.lowercased().hasSuffix(".csv") { name = name.dropLast(4) }
        if name.hasSuffix("]"), let bracket = name.lastIndex(of: "["),
            name[bracket...].dropFirst().dropLast().allSatisfy(\.isNumber)
        {
            name = name[..<bracket]
        }
        let project = name.drop(while: \.isWhitespace).split(separator: " ").joined(separator: " ")
        return ["", "-", "inbox"].contains(project.lowercased()) ? nil : project
    }

    /// Adds an iCalendar file to the text.
    ///
    /// - Parameter acceptsForeign: whether a file of another kind is skipped with a remark instead of an error.
    /// - Returns: whether the file was added.
    private mutating func add(_ path: String, acceptsForeign: Bool) throws(ClientError) -> Bool {
        let name = path.oneLine()
        let isFile = Self.isKind(.file, path)
        let found =
            isFile || !acceptsForeign
            ? try Self.contents(of: path, limit: Import.textBytesLimit - text.utf8.count) : ""
        // Within the joined text, a byte order mark would be part of the text.
        let calendar = found.hasPrefix("\u{FEFF}") ? String(found.dropFirst()) : found
        guard
            calendar.drop(while: \.isWhitespace).prefix(Self.calendarBegin.count).uppercased()
                == Self.calendarBegin
        else {
            if acceptsForeign {
                remarks.append("\(name): not an iCalendar file, omitted")
                return false
            }
            throw .refused(
                """
                todoctl: \(name) is not an iCalendar file; nothing was imported
                Only iCalendar files can be imported together. Import this one by itself.
                """)
        }
        let end = calendar.utf8.suffix(256)
        guard
            String(decoding: end, as: UTF8.self).uppercased().split(whereSeparator: \.isWhitespace).last
                .map({ $0 == Self.calendarEnd }) == true
        else {
            throw .refused(
                "todoctl: \(name) is incomplete: it does not end with \(Self.calendarEnd); nothing was imported"
            )
        }
        let whole = calendar + (calendar.utf8.last == UInt8(ascii: "\n") ? "" : "\r\n")
        files.append((name, lineCount + 1))
        lineCount += Self.lineCount(of: whole)
        text += whole
        return true
    }

    /// Returns the number of lines that the daemon counts in a text.
    ///
    /// A line ends with CR LF, LF or CR.
    private static func lineCount(of text: String) -> Int {
        var count = 0
        var last: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0x0D || byte == 0x0A && last != 0x0D { count += 1 }
            last = byte
        }
        return count
    }

    /// Replaces the line number in a remark of the daemon with a file and its line: `b.ics, line 7: …` for
    /// `line 57: …`.
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
                case .store: "\nTo restore a copy of a store, see:  todoctl backup --help"
                case .longer:
                    "\nImport it in parts. To move a whole store, use 'todoctl backup' and 'todod --restore'."
                case .unreadable, .noText, .unusedPipe: ""
                }
            throw .refused(
                "todoctl: cannot read \(path.oneLine()): \(error.reason); nothing was imported\(hint)")
        }
    }

    private static func isKind(_ kind: FileStatus.Kind, _ path: String) -> Bool {
        (try? FileStatus(of: path))?.kind == kind
    }

    /// Returns the files and directories in a directory, sorted by name. Hidden ones are omitted.
    private static func files(in directory: String) throws(ClientError) -> [String] {
        let names: [String]
        do throws(SystemError) {
            names = try FileSystem.names(in: directory)
        } catch {
            throw .refused(
                "todoctl: cannot read \(directory.oneLine()): \(error.reason); nothing was imported")
        }
        let paths = names.filter { !$0.hasPrefix(".") }.map {
            "\(directory)\(directory.hasSuffix("/") ? "" : "/")\($0)"
        }
        return paths.sorted()
    }
}
