internal import TodoAPI

/// The remarks on an import, one line each, up to the limit of a reply. The last line has the number of the others.
struct ImportNotes {
    private var lines: [String] = []
    private var leftOutCount = 0

    mutating func append(_ line: String) {
        if lines.count < Import.remarksLimit { lines.append(line) } else { leftOutCount += 1 }
    }

    var all: [String] {
        leftOutCount == 0
            ? lines : lines + ["and \(leftOutCount) more such \(leftOutCount == 1 ? "remark" : "remarks")"]
    }
}
