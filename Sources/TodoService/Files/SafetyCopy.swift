package import CivilTime
internal import ObjectStore
internal import Platform

/// Copies of the store from before a change that exceeds the undo limit, or from before the store was replaced.
///
/// If a crash had left a write-ahead log beside the replaced store, it is beside the copy.
///
///     todo.sqlite.20261121T003000Z.before-Import.backup
package struct SafetyCopy {
    /// The number of copies that are kept. The times in the names decide which ones are the oldest.
    ///
    /// The copy that was just made is never removed, even if the clock is wrong.
    static let countLimit = 3
    private static let ending = ".backup"
    private static let mark = ".before-"
    /// The event in the names of the stores that `todod --restore` keeps.
    package static let restoration = "Restore"

    let store: StoreConfiguration

    /// Copies the store as it is on disk, reads the copy back, and returns its path.
    ///
    /// Returns `nil` for a store without a file.
    ///
    /// - Parameter checkCancelled: throws an error to end the copy.
    func make(before method: String, at now: Timestamp, checkCancelled: () throws -> Void) throws -> String? {
        guard let path = store.path else { return nil }
        let copy = Self.freePath(beside: path, before: method, at: now)
        let isWhole = try StoreBackup.copy(store, to: copy) { _ in (try? checkCancelled()) != nil }
        if !isWhole { try checkCancelled() }
        removeOldest(of: path, keeping: copy)
        return copy
    }

    /// Returns an unused path for the next copy.
    package static func freePath(beside path: String, before event: String, at now: Timestamp) -> String {
        let stamp = (RFC3339.text(now) ?? "").filter { $0 != "-" && $0 != ":" }
        let base = "\(path).\(stamp)\(mark)\(event)"
        var copy = base + ending
        var number = 1
        while FileSystem.exists(copy) {
            number += 1
            copy = "\(base).\(number)\(ending)"
        }
        return copy
    }

    /// Removes the second name of the store that a killed restore has left.
    ///
    /// The daemon has the store open, so no restore is in progress.
    func removeInterruptedRestoration() {
        guard let path = store.path, let status = try? FileStatus(of: path), status.nameCount > 1 else {
            return
        }
        let (directory, name) = FileSystem.split(path)
        for copy in FileSystem.namesIfReadable(in: directory)
        where copy.hasPrefix("\(name).") && copy.hasSuffix("\(Self.mark)\(Self.restoration)\(Self.ending)") {
            guard let file = try? FileStatus(of: "\(directory)/\(copy)"),
                file.stamp.isSameFile(as: status.stamp)
            else { continue }
            Self.remove("\(directory)/\(copy)")
        }
    }

    /// Removes the unfinished files of interrupted copies.
    ///
    /// The daemon has the store open, so no other program makes such a copy.
    func removeInterruptedCopies() {
        guard let path = store.path else { return }
        StoreBackup.removeInterruptedCopies(in: FileSystem.split(path).directory) {
            Self.isReserved($0, by: path)
        }
    }

    /// Whether a file of this name would be mistaken for a safety copy, and removed when newer copies are made.
    ///
    /// Such a name ends in `.20261121T003000Z.before-Import.backup`. It can have a fraction of the second, and a number
    /// before the ending.
    static func isReserved(_ path: String, by storePath: String) -> Bool {
        let (file, name) = (FileSystem.split(path).name, FileSystem.split(storePath).name)
        guard file.hasPrefix("\(name)."), file.hasSuffix(ending) else { return false }
        let parts = file.dropFirst(name.count).dropLast(ending.count).split(
            separator: ".", omittingEmptySubsequences: false
        ).dropFirst()
        guard let event = parts.firstIndex(where: { $0.hasPrefix("before-") }), parts.endIndex - event <= 2
        else { return false }
        return isStamp(parts[..<event].joined(separator: ".")) && parts[event].count > "before-".count
            && parts[event].dropFirst("before-".count).allSatisfy(\.isLetter)
            && parts[(event + 1)...].allSatisfy { Int($0) != nil }
    }

    /// Whether a text is a time such as `20261121T003000Z` or `20261121T003000.25Z`.
    private static func isStamp(_ text: String) -> Bool {
        let shape = String(text.map { $0.isWholeNumber ? "0" : $0 })
        guard shape.hasPrefix("00000000T000000"), shape.hasSuffix("Z") else { return false }
        let fraction = shape.dropFirst("00000000T000000".count).dropLast()
        return fraction.isEmpty || fraction.first == "." && fraction.dropFirst().allSatisfy { $0 == "0" }
    }

    private func removeOldest(of path: String, keeping copy: String) {
        let directory = FileSystem.split(path).directory
        let new = FileSystem.split(copy).name
        let copies = FileSystem.namesIfReadable(in: directory).filter {
            $0 != new && Self.isReserved($0, by: path)
        }
        for copy in copies.sorted().dropLast(Self.countLimit - 1) {
            Self.remove("\(directory)/\(copy)")
        }
    }

    /// Removes a copy and the files beside it. A file that cannot be removed stays.
    private static func remove(_ copy: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileSystem.remove(copy + suffix) }
    }
}
