import Foundation
import ObjectStore
import ObjectStorePostgreSQL
import TestServers

extension TemporaryStore {
    /// The schema of the store in PostgreSQL.
    var schema: String { URL(filePath: directory).lastPathComponent }

    /// A store in a schema of its own of the server that all tests share.
    var postgresql: StoreConfiguration { postgresql(named: "") }

    /// One of several such stores.
    func postgresql(named name: String) -> StoreConfiguration {
        .postgresql(
            PostgreSQLServer.sharedConnection, schema: schema + name)
    }

    /// A store of a kind.
    func configuration(
        _ kind: StoreKind, history: Bool = false, shared: Bool = false
    ) -> StoreConfiguration {
        let path = kind == .postgresql ? postgresql.path ?? "" : "\(directory)/store.\(kind)"
        return StoreConfiguration(kind, path: path, history: history, shared: shared)
    }
}
