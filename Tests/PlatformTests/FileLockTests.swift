import Foundation
import Platform
import Testing

@Suite struct FileLockTests {
    private let path = FileManager.default.temporaryDirectory.appending(
        path: "todod-lock-\(UUID().uuidString)"
    ).path

    @Test func lackOfDescriptorsIsAFailure() throws {
        try Data().write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let attempt = FileFault.inject(.open, at: path, isExactPath: true, code: EMFILE) {
            FileLock.lock(path)
        }
        let error = if case .failed(let error) = attempt { error } else { SystemError?.none }
        #expect(error?.code == EMFILE)
        let isHeld = if case .held = FileLock.lock(path) { true } else { false }
        #expect(isHeld)
    }

    @Test func missingFileCannotBeLocked() {
        let isImpossible = if case .impossible = FileLock.lock(path) { true } else { false }
        #expect(isImpossible)
    }
}
