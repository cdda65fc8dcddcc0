internal import Alerts
internal import CivilTime
internal import ObjectStore
internal import Platform
internal import Systemd
internal import TodoService

/// Detects that the open store is damaged or was replaced, or that its changes do not reach the disk.
///
/// Confined to the daemon's queue.
final class StoreHealth {
    private let coordinator: PersistentStoreCoordinator
    private let store: StoreConfiguration
    private let log: Log
    private let now: @Sendable () -> Timestamp
    /// Called once when the store is damaged, or when its file was removed or replaced.
    private var storeWasLost: ((StoreError, KeptContent) -> Void)?
    private var hasReportedDurability = false
    /// Whether a failed copy was reported. It is retried each minute, and reported once.
    private var hasReportedRescue = false
    private var saves: ObservationToken?

    init(
        of coordinator: PersistentStoreCoordinator, store: StoreConfiguration, log: Log,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.coordinator = coordinator
        self.store = store
        self.log = log
        self.now = now
        saves = coordinator.observeSaves { [unowned self] _ in reportDurability() }
    }

    private var path: String { store.path ?? "" }

    /// Logs that the disk was full when the store was opened.
    func reportOpeningError() {
        guard let error = coordinator.openingError else { return }
        log.write(
            .critical,
            "The disk of the store is full: alerts are sent, but changes cannot be saved. Free space, then restart todod. "
                + "Until then, 'todoctl backup' does not work (\(error))",
            fields: [(name: "TODO_PATH", value: path)])
    }

    /// Reports a loss of the store from now on, once.
    func reportLoss(to storeWasLost: @escaping (StoreError, KeptContent) -> Void) {
        self.storeWasLost = storeWasLost
    }

    /// Reports the loss of the store if it is damaged or was replaced.
    func check() {
        // A background change finds the damage itself, and this check is repeated after it.
        guard let storeWasLost, !coordinator.hasBackgroundWriter, let damage = coordinator.damage else {
            return
        }
        var kept = KeptContent.nothing
        if damage.code == .replaced, let path = store.path {
            let place = SafetyCopy.freePath(beside: path, before: "Replacement", at: now())
            switch rescue(damage, to: place) {
            case .kept: kept = .copy(place)
            case .impossible: if FileSystem.exists(place + "-wal") { kept = .log(place + "-wal") }
            case .failed: return
            }
        }
        self.storeWasLost = nil
        storeWasLost(damage, kept)
    }

    /// The part of the content of a lost store that is kept in another file, and its path.
    enum KeptContent {
        case nothing
        case copy(String)
        case log(String)
    }

    /// Logs once that saved changes may not survive a loss of power, until a save reaches the disk again.
    private func reportDurability() {
        guard let error = coordinator.durabilityError else { return hasReportedDurability = false }
        guard !hasReportedDurability else { return }
        hasReportedDurability = true
        log.write(
            .warning, "Changes were saved, but may be lost in a loss of power: \(error)",
            fields: [(name: "TODO_PATH", value: path)])
    }

    private enum Rescue {
        case kept
        /// The file has other contents, and the log and the memory do not contain a whole store.
        case impossible
        /// The copy failed for a reason that may be temporary.
        case failed
    }

    /// Copies the contents of the replaced file, which otherwise would be lost when the daemon ends.
    private func rescue(_ damage: StoreError, to copy: String) -> Rescue {
        do {
            try coordinator.rescueReplacedStore(to: copy)
            return .kept
        } catch let error as StoreError where error.code == .damaged || error.code == .notADatabase {
            return .impossible
        } catch {
            guard !hasReportedRescue else { return .failed }
            hasReportedRescue = true
            log.write(
                .critical,
                "\(damage); its contents cannot be kept: \(error); todod retries every minute, and continues without saving",
                id: .storeReplaced,
                fields: [(name: "TODO_PATH", value: path), (name: "TODO_BACKUP", value: "none yet")])
            return .failed
        }
    }
}
