internal import Platform

/// The file in which a copy is prepared before it takes the place of a store.
enum IncomingCopy {
    /// Returns the path at which a copy is made before it replaces the store.
    static func path(of place: String) -> String { place + ".restoring" }

    /// Removes the files of a restoration that a crash interrupted. The caller has the store's lock.
    static func removeLeftovers(at path: String) {
        let incoming = Self.path(of: FileSystem.target(path))
        // One that cannot be removed is in no program's way before the next restoration, which says so.
        try? FileSystem.remove(incoming)
        PartialFile.removeLeftovers(of: incoming)
    }
}
