internal import Glibc
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import TodoService

/// Checks of a store before it is opened.
enum StoreCheck {
    /// Returns the reason why a store cannot be opened for writing or created, or `nil` if no obstacle was found.
    static func reason(against store: StoreConfiguration, _ settings: Configuration) -> String? {
        guard let path = store.path else { return nil }
        if path.hasSuffix("/") { return "\(path): is a directory" }
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return "\(path): is not a file" }
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
        guard errno == ENOENT || errno == ENOTDIR else { return reason(path, errno) }
        if isLink(path) { return "\(path): is a link to a file that does not exist" }
        // Opening the store creates missing directories.
        do throws(Directory.Unreachable) {
            let parent = try Directory.existingPart(of: path)
            guard stat(parent, &status) == 0 else { return reason(parent, errno) }
            guard status.st_mode & S_IFMT == S_IFDIR else { return "\(parent): is not a directory" }
            return access(parent, W_OK | X_OK) == 0 ? nil : reason(parent, errno)
        } catch {
            return reason(error.path, error.code)
        }
    }

    private static func reason(_ path: String, _ code: Int32) -> String {
        "\(path): \(String(cString: strerror(code)))"
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether the file or a directory above it is a symbolic link.
    ///
    /// If the file is in the home directory, that directory and those above it do not count.
    static func hasLink(_ path: String) -> Bool {
        let home = UserDirectories.home()
        var part = path
        while part != "/", part != ".", part != home {
            if isLink(part) { return true }
            part = Directory.split(part).directory
        }
        return false
    }

    /// Whether there is no such file. False for a file that cannot be reached; opening it fails later.
    static func isMissing(_ path: String) -> Bool {
        access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }
}
