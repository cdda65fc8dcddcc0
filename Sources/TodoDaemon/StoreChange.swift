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

    /// Does nothing when the wanted file is there, or no other.
    func run() throws {
        let others = StoreKind.allCases.filter {
            $0 != wanted.kind && isThere(Self.path(of: $0, in: directory))
        }
        guard let old = others.first else { return }
        let names = others.map { "todo.\($0.rawValue)" }.joined(separator: " and ")
        if isThere(Self.path(of: wanted.kind, in: directory)) {
            return log.write(
                .warning, "\(names) in \(directory) is not used: [Store] Type= is \(wanted.kind.rawValue)")
        }
        guard others.count == 1 else {
            throw StoreError(
                .other,
                "there is no todo.\(wanted.kind.rawValue) yet, and the items may be in \(names); move away what is not wanted",
                path: directory)
        }
        try bringOver(from: StoreConfiguration(old, path: Self.path(of: old, in: directory)))
    }

    private func bringOver(from old: StoreConfiguration) throws {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(old, migrating: configuration.migration())
        guard let store = coordinator.store, let oldPath = old.path else { return }
        try coordinator.migrate(store: store, to: wanted)
        coordinator.close()
        let kept = freeName(oldPath + ".old")
        guard rename(oldPath, kept) == 0 else {
            throw StoreError(
                .unreachable, "the items are in todo.\(wanted.kind.rawValue) now; move this file away",
                path: oldPath)
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
