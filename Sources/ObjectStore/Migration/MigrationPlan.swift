internal import CivilTime

/// The mapping models that lead from the model of a store to another model.
struct MigrationPlan {
    let source: ManagedObjectModel
    let steps: [ResolvedMapping]

    /// Finds the shortest chain of mapping models.
    ///
    /// - Throws: a `StoreError` if the store is newer, its model is unknown, or no chain exists; a
    ///   `MappingError` if a mapping cannot be inferred or does not fit its models.
    init(
        from metadata: StoreMetadata, to model: ManagedObjectModel, _ migration: StoreMigration,
        now: Timestamp,
        path: String
    ) throws {
        var versions = migration.versions
        if !versions.contains(where: { $0.versionHash == model.versionHash }) { versions.append(model) }
        guard let start = versions.firstIndex(where: { $0.versionHash == metadata.versionHash }),
            let end = versions.firstIndex(where: { $0.versionHash == model.versionHash })
        else { throw Self.unknown(metadata, model: model, path: path) }
        source = versions[start]
        guard let mappings = try Self.way(from: start, to: end, versions, migration) else {
            if start > end { throw Self.newer(metadata, model: model, path: path) }
            throw StoreError(
                .modelMismatch,
                "the store was written with model \(source.displayName), this is model \(model.displayName), "
                    + "and no mapping model leads from one to the other",
                path: path)
        }
        steps = try mappings.map { mapping in try ResolvedMapping(mapping, now: now) }
    }

    /// Returns the shortest chain, found by a breadth-first search over the versions, or `nil` if there is
    /// none. A given mapping model connects two versions. An inferred one connects a version to the next.
    private static func way(
        from start: Int, to end: Int, _ versions: [ManagedObjectModel], _ migration: StoreMigration
    ) throws(MappingError) -> [MappingModel]? {
        var ways: [Int: [Edge]] = [start: []]
        var waiting = [start]
        while let here = waiting.first, ways[end] == nil {
            waiting.removeFirst()
            for edge in edges(from: here, versions, migration) where ways[edge.target] == nil {
                ways[edge.target] = (ways[here] ?? []) + [edge]
                waiting.append(edge.target)
            }
        }
        guard let way = ways[end] else { return nil }
        var mappings: [MappingModel] = []
        var here = start
        for edge in way {
            if let given = edge.given {
                mappings.append(given)
            } else {
                mappings.append(try .inferred(from: versions[here], to: versions[edge.target]))
            }
            here = edge.target
        }
        return mappings
    }

    private struct Edge {
        let target: Int
        /// The mapping model, or `nil` if it is inferred.
        let given: MappingModel?
    }

    private static func edges(
        from here: Int, _ versions: [ManagedObjectModel], _ migration: StoreMigration
    ) -> [Edge] {
        let hash = versions[here].versionHash
        var edges = migration.mappings.filter { $0.source.versionHash == hash }.compactMap { mapping in
            versions.firstIndex { $0.versionHash == mapping.destination.versionHash }
                .map { Edge(target: $0, given: mapping) }
        }
        let next = here + 1
        if migration.infersMappings, next < versions.count, !edges.contains(where: { $0.target == next }) {
            edges.append(Edge(target: next, given: nil))
        }
        return edges
    }

    // MARK: - Refusals

    private static func newer(
        _ metadata: StoreMetadata, model: ManagedObjectModel, path: String
    ) -> StoreError {
        StoreError(
            .newer,
            "the store was written with model \(ManagedObjectModel.name(of: metadata.versionIdentifiers)), which is "
                + "newer than model \(model.displayName) of this program; install the newer program again, or",
            restoring: "a backup of the older store", path: path)
    }

    private static func unknown(
        _ metadata: StoreMetadata, model: ManagedObjectModel, path: String
    ) -> StoreError {
        if let theirs = number(metadata.versionIdentifiers), let ours = number(model.versionIdentifiers),
            theirs > ours
        {
            return newer(metadata, model: model, path: path)
        }
        return StoreError(
            .modelMismatch,
            "the store was written with model \(ManagedObjectModel.name(of: metadata.versionIdentifiers)) in a form "
                + "that this program does not know; its own is model \(model.displayName). Open it with the program "
                + "that wrote it, or",
            restoring: "a backup", path: path)
    }

    private static func number(_ identifiers: [String]) -> Int? {
        identifiers.count == 1 ? Int(identifiers[0]) : nil
    }
}
