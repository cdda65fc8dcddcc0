import Foundation
import ObjectStore
import ObjectStorePostgreSQL
import PostgreSQLDriver
import TestServers
import TestSupport
import Testing

/// A standby takes over without the last saves of the primary server, which it had confirmed. The programs that were connected go
/// on with what the standby has.
@Suite(.serialized) struct PostgreSQLFailoverTests {
    private let servers: (primary: PostgreSQLServer, standby: PostgreSQLServer)
    private let store: StoreConfiguration
    private let alone: StoreConfiguration

    init() throws {
        servers = try PostgreSQLServer.pair("failover-\(UUID())")
        let hosts = [servers.primary, servers.standby].map(\.directory.path).joined(separator: ",")
        let connection = "host=\(hosts) user=tester dbname=postgres target_session_attrs=read-write"
        store = .postgresql(connection, schema: "shared", shared: true)
        alone = .postgresql(connection, schema: "alone", shared: false)
        try Ledger.make(store)
        try Ledger.make(alone)
    }

    /// Ends the connection of the standby, so that it does not get later saves.
    private func detachStandby() throws {
        let primary = try PostgreSQLConnection(servers.primary.connection, program: "tests")
        let standby = try PostgreSQLConnection(servers.standby.connection, program: "tests")
        let position = try primary.texts("SELECT pg_current_wal_lsn()")[0].text(0) ?? ""
        try wait(standby, "pg_last_wal_replay_lsn() >= '\(position)'")
        try standby.execute("ALTER SYSTEM SET primary_conninfo TO ''")
        try standby.execute("SELECT pg_reload_conf()")
        try wait(primary, "NOT EXISTS (SELECT FROM pg_stat_replication)")
    }

    private func wait(_ connection: PostgreSQLConnection, _ condition: String) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try !connection.query("SELECT \(condition)")[0].boolean(0) {
            try #require(ContinuousClock.now < deadline, "\(condition)")
        }
    }

    private func failOver() throws {
        servers.primary.stop()
        let standby = try PostgreSQLConnection(servers.standby.connection, program: "tests")
        try standby.execute("SELECT pg_promote()")
    }

    @Test func programsSeeWhatTheStandbyHas() throws {
        let writer = try Ledger.context(store, author: "writer")
        let reader = try Ledger.context(store, author: "reader")
        try Ledger.add(1, to: writer)
        #expect(try Ledger.total(reader) == 1)
        try detachStandby()
        // These saves are lost.
        for number in 2...20 { try Ledger.add(Int64(number), to: writer) }
        #expect(try Ledger.total(reader) == 20)
        try reader.coordinator.mergeSavesOfOtherPrograms(into: [reader])
        let lost = try writer.coordinator.lastHistoryToken()
        try failOver()

        // A program that knows nothing of the lost saves goes on with their numbers.
        let third = try Ledger.context(store, author: "third")
        try Ledger.add(1, to: third)
        #expect(try Ledger.total(reader) == 2)
        #expect(try Ledger.total(writer) == 2)
        for context in [reader, writer] {
            let error = #expect(throws: StoreError.self) {
                try context.coordinator.mergeSavesOfOtherPrograms(into: [context])
            }
            #expect(error?.code == .historyLost)
        }
        let error = #expect(throws: StoreError.self) { _ = try writer.coordinator.history(after: lost) }
        #expect(error?.code == .historyLost)

        try Ledger.add(2, to: writer)
        try Ledger.add(2, to: third)
        #expect(try Ledger.total(reader) == 4)
        #expect(try reader.coordinator.mergeSavesOfOtherPrograms(into: [reader]).count == 2)
        // The token of a lost save does not become one of a later save.
        let later = #expect(throws: StoreError.self) { _ = try writer.coordinator.history(after: lost) }
        #expect(later?.code == .historyLost)
    }

    /// A server may lose the last saves although it was not started again.
    @Test func lostSaveOfTheProgramIsNoticedOnTheSameServer() throws {
        let writer = try Ledger.context(store, author: "writer")
        try Ledger.add(1, to: writer)
        let connection = try PostgreSQLConnection(servers.primary.connection, program: "tests")
        try connection.execute(
            """
            UPDATE shared."_commits" SET "number" = "number" - 1 WHERE "number" > 0;
            UPDATE shared."Counter" SET "total" = 5;
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ObjectStore'
            """)
        #expect(try Ledger.total(writer) == 5)
        let error = #expect(throws: StoreError.self) {
            try writer.coordinator.mergeSavesOfOtherPrograms(into: [writer])
        }
        #expect(error?.code == .historyLost)
    }

    @Test func changeOfLostValueIsConflict() throws {
        let writer = try Ledger.context(store, author: "writer")
        try detachStandby()
        try Ledger.add(1, to: writer)
        let counter = try #require(try writer.fetch(Ledger.counters).first)
        try failOver()
        let third = try Ledger.context(store, author: "third")
        // The row has the version again that the lost save had given it.
        try third.fetch(Ledger.counters)[0].setValue(.integer(7), of: "total")
        try third.save()
        try counter.setValue(.integer(2), of: "total")
        #expect(throws: ConflictError.self) { try writer.save() }
        #expect(try Ledger.total(third) == 7)
    }

    @Test func programAloneEndsAfterLoss() throws {
        let writer = try Ledger.context(alone, author: "writer")
        try Ledger.add(1, to: writer)
        try detachStandby()
        try Ledger.add(2, to: writer)
        try failOver()
        let error = #expect(throws: StoreError.self) { _ = try writer.count(Ledger.entries) }
        #expect(error?.message == "the server has lost saves of this program; start the program again")
        writer.coordinator.close()
        let again = try Ledger.context(alone, author: "again")
        #expect(try Ledger.total(again) == 1)
    }

    @Test func programAloneGoesOnWithoutLoss() throws {
        let writer = try Ledger.context(alone, author: "writer")
        try Ledger.add(1, to: writer)
        try detachStandby()
        try failOver()
        try Ledger.add(2, to: writer)
        #expect(try Ledger.total(writer) == 2)
    }
}
