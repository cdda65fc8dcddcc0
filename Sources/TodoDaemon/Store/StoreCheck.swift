internal import ObjectStore
internal import Platform
internal import Reminders
internal import TodoAPI
internal import TodoService

/// Checks of a store before it is opened.
enum StoreCheck {
    /// Returns the reason why a store cannot be opened for writing or created, or `nil` if no obstacle was found.
    ///
    /// - Parameter last: the store that was opened last. The daemon may have it open.
    static func reason(
        against store: StoreConfiguration, last: StoreConfiguration, _ settings: Configuration
    ) -> String? {
        guard let path = store.path else { return nil }
        if path.hasSuffix("/") { return "\(path): is a directory" }
        // A file that is open here may not be opened again, because closing it would release the locks of the store.
        if let lastPath = last.path, isSameFile(path, as: lastPath) {
            if store.kind != last.kind {
                return "\(path): is a store of the kind \(last.kind); set Type=\(last.kind)"
            }
            return isSamePath(path, as: lastPath)
                ? nil : "\(path): is a hard link to the store \(lastPath); use that path"
        }
        do throws(SystemError) {
            guard try FileStatus(of: path).kind == .file else { return "\(path): is not a file" }
            return obstacle(in: store, settings)
        } catch {
            guard error.isNotFoundOrBelowFile else { return "\(path): \(error.reason)" }
        }
        if isLink(path) { return "\(path): is a link to a file that does not exist" }
        return obstacle(toCreating: path)
    }

    /// Returns the reason why a store cannot be created, or `nil` if no obstacle was found.
    static func obstacle(toCreating path: String) -> String? {
        // Opening the store creates missing directories.
        let parent: String
        do throws(FileSystem.Unreachable) {
            parent = try FileSystem.existingPart(of: path)
        } catch {
            return "\(error.path): \(error.error.reason)"
        }
        do throws(SystemError) {
            guard try FileStatus(of: parent).kind == .directory else {
                return "\(parent): is not a directory"
            }
            try FileSystem.require([.write, .execute], for: parent)
            return nil
        } catch {
            return "\(parent): \(error.reason)"
        }
    }

    /// Returns the reason why an existing store cannot be opened for writing, or `nil` if no obstacle was found.
    private static func obstacle(in store: StoreConfiguration, _ settings: Configuration) -> String? {
        do {
            try store.requireWritable()
            // The forecast throws if the model of the store is newer or unknown.
            let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
            _ = try coordinator.forecast(store, migrating: settings.migration())
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static func isSameFile(_ path: String, as other: String) -> Bool {
        guard let file = try? FileStatus(of: path), let otherFile = try? FileStatus(of: other) else {
            return false
        }
        return file.stamp.isSameFile(as: otherFile.stamp)
    }

    private static func isSamePath(_ path: String, as other: String) -> Bool {
        guard let path = try? FileSystem.resolved(path) else { return false }
        return path == (try? FileSystem.resolved(other))
    }

    static func isLink(_ path: String) -> Bool {
        (try? FileStatus(of: path, followsLinks: false))?.kind == .link
    }

    /// Whether the file or a directory above it is a symbolic link.
    ///
    /// If the file is in the home directory, that directory and those above it do not count.
    static func hasLink(_ path: String) -> Bool {
        let home = Environment.home()
        var part = path
        while part != "/", part != ".", part != home {
            if isLink(part) { return true }
            part = FileSystem.split(part).directory
        }
        return false
    }
}
