extension StoreError {
    /// Returns the error for a change of an object in a store that was added read-only.
    static func readOnly(_ object: String, _ store: any PersistentStore) -> StoreError {
        StoreError(
            .readOnly,
            "\(object) cannot be changed: the store was added read-only; nothing was saved, roll back",
            path: store.name)
    }

    /// Returns the error for a change of the metadata of a store that was added read-only.
    package static func readOnly(_ store: any PersistentStore) -> StoreError {
        StoreError(
            .readOnly, "the store was added read-only; add it for writing to change it", path: store.name)
    }

    /// Returns the error for a commit without an open transaction.
    package static func noTransaction(_ store: any PersistentStore) -> StoreError {
        StoreError(.misuse, "there is no open transaction to commit; begin one first", path: store.name)
    }

    /// Returns the error for an empty file. A store is never an empty file, so the file was damaged or made by
    /// another program.
    static func emptyFile(_ path: String) -> StoreError {
        StoreError(
            .damaged, "the file is empty; remove it to begin with an empty store, or", restoring: "a backup",
            path: path)
    }

    /// Returns the error for a database that a crash left in the middle of a change. It cannot be read before its
    /// journal is rolled back.
    static func halfChanged(_ path: String) -> StoreError {
        StoreError(
            .unreachable,
            "a crash interrupted its last change; open the store for writing once, which rolls that change back",
            path: path)
    }

    /// Returns the error for a store that does not exist and is to be opened read-only.
    package static func nothingToRead(_ path: String) -> StoreError {
        StoreError(
            .unreachable, "there is no store to read; check the path, or add it for writing to create it",
            path: path)
    }
}
