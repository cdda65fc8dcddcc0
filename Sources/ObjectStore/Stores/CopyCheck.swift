/// The check of a copy before it is kept or restored.
enum CopyCheck {
    /// Throws if a new copy has problems, because it could not be restored.
    static func require(_ problems: [String], copy: String) throws(StoreError) {
        guard let first = problems.first else { return }
        throw StoreError(
            .damaged, "the copy is not sound, and was not kept; check the store it was made of: \(first)",
            path: copy)
    }

    /// Throws if the copy that is to replace a store has problems.
    static func requireSound(_ problems: [String], _ copy: String) throws(StoreError) {
        guard let first = problems.first else { return }
        throw StoreError(
            .damaged, "the copy is damaged, and nothing was changed; take another one: \(first)", path: copy)
    }
}
