/// The effects of changes outside the store: new alerts, closed alerts, and calls that waited.
///
/// Confined to one queue.
final class ServiceEvents {
    /// Reports that a background writer has released the store's write lock.
    let storeDidBecomeFree: () -> Void
    private let itemsDidSave: () -> Void
    private let closeItemAlerts: ([Int64]) -> Void
    private var haveItemsChanged = false

    /// Creates events with these effects.
    ///
    /// - Parameters:
    ///   - itemsDidSave: called when changed items are on disk, once for all items that were changed together.
    ///   - closeAlerts: closes the visible alerts of these items.
    ///   - storeDidBecomeFree: called when a background writer has released the store's write lock.
    init(
        itemsDidSave: @escaping () -> Void = {}, closeAlerts: @escaping ([Int64]) -> Void = { _ in },
        storeDidBecomeFree: @escaping () -> Void = {}
    ) {
        self.itemsDidSave = itemsDidSave
        closeItemAlerts = closeAlerts
        self.storeDidBecomeFree = storeDidBecomeFree
    }

    /// Records that the due items may be different after the next COMMIT.
    func itemsDidChange() { haveItemsChanged = true }

    /// Closes the visible alerts of these items.
    func closeAlerts(of itemIDs: [Int64]) { closeItemAlerts(itemIDs) }

    /// Reports the items that have changed since the last COMMIT, which are on disk now.
    func didCommit() {
        guard haveItemsChanged else { return }
        haveItemsChanged = false
        itemsDidSave()
    }

    /// Forgets the items that have changed since the last COMMIT.
    func didRollBack() { haveItemsChanged = false }
}
