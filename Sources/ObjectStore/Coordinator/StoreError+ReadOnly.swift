extension StoreError {
    /// An object cannot be changed, because its store was added read-only.
    static func readOnly(_ object: String, _ store: any PersistentStore) -> StoreError {
        StoreError(
            .readOnly,
            "\(object) cannot be changed: the store was added read-only; nothing was saved, roll back",
            path: store.name)
    }

    /// The metadata of a store cannot be changed, because it was added read-only.
    static func readOnly(_ store: any PersistentStore) -> StoreError {
        StoreError(
            .readOnly, "the store was added read-only; add it for writing to change it", path: store.name)
    }

    /// A store that is only read has to be there.
    static func nothingToRead(_ path: String) -> StoreError {
        StoreError(
            .unreachable, "there is no store to read; check the path, or add it for writing to make it",
            path: path)
    }
}
