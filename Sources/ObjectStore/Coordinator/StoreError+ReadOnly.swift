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

    /// No store is ever empty: an empty file is what is left of one, or was made by another program.
    static func emptyFile(_ path: String) -> StoreError {
        StoreError(
            .damaged, "the file is empty; remove it to begin with an empty store, or restore a backup",
            path: path)
    }

    /// A crash interrupted the last change of a database, which cannot be read before its journal is rolled back.
    static func halfChanged(_ path: String) -> StoreError {
        StoreError(
            .unreachable,
            "a crash interrupted its last change; open the store for writing once, which takes that change back",
            path: path)
    }

    /// A store that is only read has to be there.
    static func nothingToRead(_ path: String) -> StoreError {
        StoreError(
            .unreachable, "there is no store to read; check the path, or add it for writing to make it",
            path: path)
    }
}
