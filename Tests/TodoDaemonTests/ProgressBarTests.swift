import ObjectStore
import Testing

@testable import TodoDaemon

@Suite struct ProgressBarTests {
    @Test(arguments: [
        (80, "[################........................] 40 % changing the items"),
        (60, "[#############....................] 40 % changing the items"),
        (36, "40 % changing the items"), (23, "40 %"), (1, "40 %"),
    ])
    func lineFitsTheTerminal(columns: Int, line: String) {
        let progress = MigrationProgress(activity: .changing, fraction: 0.4)
        #expect(ProgressBar.line(for: progress, columns: columns) == line)
        #expect(line.count < max(columns, 5))
    }
}
