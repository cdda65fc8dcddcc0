internal import TodoAPI

/// What is to be said of an import, one line each: no more than a reply holds, and how many more there would be.
struct ImportRemarks {
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
