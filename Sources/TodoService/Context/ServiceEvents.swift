/// The effects of changes outside the store: new alerts, closed alerts, and calls that waited.
///
/// Confined to one queue.
final class ServiceEvents {
    private let itemsAreSaved: () -> Void
    private let closeAlerts: ([Int64]) -> Void
    private let storeIsFree: () -> Void
    private var haveItemsChanged = false

    /// Creates events with these effects.
    ///
    /// - Parameters:
    ///   - itemsAreSaved: called when changed items are on disk, once for all items that were changed together.
    ///   - closeAlerts: closes the visible alerts of these items.
    ///   - storeIsFree: called when a background writer has released the store's write lock.
    init(
        itemsAreSaved: @escaping () -> Void = {}, closeAlerts: @escaping ([Int64]) -> Void = { _ in },
        storeIsFree: @escaping () -> Void = {}
    ) {
        self.itemsAreSaved = itemsAreSaved
        self.closeAlerts = closeAlerts
        self.storeIsFree = storeIsFree
    }

    /// Records that the due items may be different after the next COMMIT.
    func itemsDidChange() { haveItemsChanged = true }

    /// Closes the visible alerts of these items.
    func withdrawAlerts(of itemIDs: [Int64]) { closeAlerts(itemIDs) }

    /// Reports that a background writer has released the store's write lock.
    func storeDidBecomeFree() { storeIsFree() }

    /// Reports the items that have changed since the last COMMIT, which are on disk now.
    func didCommit() {
        guard haveItemsChanged else { return }
        haveItemsChanged = false
        itemsAreSaved()
    }

    /// Forgets the items that have changed since the last COMMIT.
    func didRollBack() { haveItemsChanged = false }
}
