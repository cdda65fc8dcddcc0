internal import Platform

/// The implementation of `StoreBackup` for binary and XML stores.
///
/// A commit replaces the file of such a store, so the open file does not change while it is copied.
struct FileBackup {
    let path: String
    let format: any StoreFormat

    @discardableResult
    func copy(to copy: String, progress: (Double) -> Bool) throws -> Bool {
        guard !FileSystem.exists(copy) else {
            throw StoreError(.other, "the file exists already; choose another name", path: copy)
        }
        try StoreFiles.makeDirectory(of: copy)
        let reader = try FileReader(path)
        let size = Double(max(try reader.size(), 1))
        let file = try FileReplacement(of: copy, isNew: true)
        var count = 0
        var chunk = try reader.next()
        while !chunk.isEmpty {
            try file.append(chunk)
            count += chunk.count
            guard progress(min(Double(count) / size, 1)) else { return false }
            chunk = try reader.next()
        }
        try file.finish { written in
            try CopyCheck.require(try FileBackup(path: written, format: format).problems(), copy: copy)
        }
        return true
    }

    /// Copies a file without checking its contents.
    static func copyBytes(of path: String, to copy: String) throws(StoreError) {
        let reader = try FileReader(path)
        let file = try FileReplacement(of: copy, isNew: true)
        var chunk = try reader.next()
        while !chunk.isEmpty {
            try file.append(chunk)
            chunk = try reader.next()
        }
        try file.finish().requireDurable()
    }

    /// Checks this backup and copies it to `incoming`, which then replaces the store; see `StoreBackup.restore`.
    func restore(to incoming: String) throws {
        try CopyCheck.requireSound(try problems(), path)
        try copy(to: incoming) { _ in true }
    }

    func problems() throws -> [String] {
        do {
            try format.examine(path)
            return []
        } catch let error as StoreError where error.code == .damaged {
            return [error.message]
        }
    }
}
