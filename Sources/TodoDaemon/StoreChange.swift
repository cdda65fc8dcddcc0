internal import Glibc
internal import ObjectStore
internal import Reminders
internal import Systemd

/// Brings the items over when the configuration names another kind of store than before.
///
/// It is about the files in the customary place only: who sets a path says which file is meant. The file of
/// the old kind stays under another name, so that it is never taken for the present one.
struct StoreChange {
    let directory: String
    /// The store that the configuration names, in `directory`.
    let wanted: StoreConfiguration
    let configuration: Configuration
    let log: Log

    /// The customary file of a kind.
    static func path(of kind: StoreKind, in directory: String) -> String {
        "\(directory)/todo.\(kind.rawValue)"
    }

    /// Brings the items over if the wanted file is missing and one of another kind is there.
    func run() throws {
        var others = StoreKind.allCases.filter {
            $0 != wanted.kind && isThere(Self.path(of: $0, in: directory))
        }
        if isThere(Self.path(of: wanted.kind, in: directory)) {
            for kind in others where try isSource(kind) {
                setAside(kind)
                others.removeAll { $0 == kind }
            }
            guard !others.isEmpty else { return }
            return log.write(
                .warning,
                "\(names(others)) in \(directory) is not used: [Store] Type= is \(wanted.kind.rawValue)")
        }
        guard let old = others.first else { return }
        guard others.count == 1 else {
            throw StoreError(
                .other,
                "there is no todo.\(wanted.kind.rawValue) yet, and the items may be in \(names(others)); move away what is not wanted",
                path: directory)
        }
        try bringOver(from: old)
        setAside(old)
    }

    private func names(_ kinds: [StoreKind]) -> String {
        kinds.map { "todo.\($0.rawValue)" }.joined(separator: " and ")
    }

    private func store(_ kind: StoreKind) -> StoreConfiguration {
        StoreConfiguration(kind, path: Self.path(of: kind, in: directory))
    }

    /// Whether the wanted store was made from the one of that kind: a crash came before the old file got its other name.
    private func isSource(_ kind: StoreKind) throws -> Bool {
        // A file that cannot be read is not in use, so it is no reason to refuse the start.
        guard let old = try? store(kind).storedMetadata() else { return false }
        return try wanted.storedMetadata()?.identifier == old.identifier
    }

    /// Makes the wanted store, which has its name when all of it is on disk.
    private func bringOver(from old: StoreKind) throws {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        defer { coordinator.close() }
        try coordinator.addStore(store(old), migrating: configuration.migration())
        guard let source = coordinator.store else { return }
        try coordinator.migrate(store: source, to: wanted)
    }

    /// Gives the old file another name, so that it is never taken for the present one. If that fails, the next start tries
    /// again.
    private func setAside(_ old: StoreKind) {
        let path = Self.path(of: old, in: directory)
        let kept = freeName(path + ".old")
        do {
            try StoreBackup.setAside(store(old), as: kept)
        } catch {
            return log.write(
                .warning, "The items are in todo.\(wanted.kind.rawValue) now; \(path) has to go: \(error)")
        }
        log.write(
            .notice,
            "The items were brought over to todo.\(wanted.kind.rawValue); what they were in before is \(kept)"
        )
    }

    private func freeName(_ path: String) -> String {
        var name = path
        var number = 1
        while isThere(name) {
            number += 1
            name = "\(path).\(number)"
        }
        return name
    }

    private func isThere(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}
