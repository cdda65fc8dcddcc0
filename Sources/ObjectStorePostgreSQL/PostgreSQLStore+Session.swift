internal import Dispatch
internal import ObjectStore
internal import PostgreSQLDriver

extension PostgreSQLStore {
    /// The time between two attempts to connect, in milliseconds.
    private static let attemptInterval = 100

    public func waitForLocks(seconds: Double) {
        waitingTime = max(0.001, min(seconds, 2_000_000))
        // If the connection is lost, the next call connects again.
        try? limitWaiting()
    }

    private func limitWaiting() throws(PostgreSQLError) {
        try connection.execute("SET lock_timeout TO \(Int(waitingTime * 1000))")
    }

    // MARK: - Sessions

    /// Prepares a new connection, which has the lock of the store.
    func beginSession() throws {
        if isReadOnly {
            try connection.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
        } else {
            if recordsHistory { try historyTables.continueNumbers(after: lastRecorded) }
            try commits.register()
            lockTime = try connection.texts("SELECT clock_timestamp()")[0].text(0) ?? ""
        }
        if isReadOnly || isShared { try connection.execute("LISTEN \(schema.channel)") }
        try limitWaiting()
        let times = try connection.texts(
            "SELECT backend_start, pg_postmaster_start_time() FROM pg_catalog.pg_stat_activity WHERE pid = pg_backend_pid()"
        )
        session = (connection.serverProcess, times[0].text(0) ?? "", times[0].text(1) ?? "")
    }

    /// Ends the former session, whose end the server may not have noticed. It would keep the lock of the store and an open
    /// transaction. A statement that runs is left to its end, because it may be a COMMIT.
    private func endFormerSession() throws(PostgreSQLError) {
        var parameters = PostgreSQLParameters()
        parameters.append(session.process)
        try parameters.append(session.beginning)
        _ = try connection.query(
            "SELECT pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity "
                + "WHERE pid = $1 AND backend_start::text = $2 AND state <> 'active'", parameters)
    }

    var commits: Commits { Commits(connection: connection, writer: writerNumber) }

    /// Connects again after the connection was lost. Tries it for a while, because a server may be restarting.
    ///
    /// - Throws: A `StoreError`. It is also the `damage` of the store if another program has used the store meanwhile in a way
    ///   that this one cannot follow.
    func reconnect() throws {
        let deadline = ContinuousClock.now + .seconds(waitingTime)
        while true {
            do throws(PostgreSQLError) {
                try connection.reconnect()
                break
            } catch {
                guard error.mayBeTemporary, ContinuousClock.now < deadline else {
                    throw Self.storeError(error, name: name)
                }
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(Self.attemptInterval))
            }
        }
        reader.forgetReading()
        do {
            try endFormerSession()
            try schema.beginSession()
            if !isReadOnly { try schema.lock(isShared: isShared) }
            try requireSameStore()
            if !isReadOnly, !isShared { try requireNoOtherWriter() }
            let former = session.serverBeginning
            try beginSession()
            try expectLosses(formerServer: former)
        } catch {
            // The next call must not use a session without its locks.
            connection.drop()
            throw error
        }
        externalChanges += 1
    }

    /// Distrusts all that was read from the former server if the present one may not have all of its transactions: it is another
    /// one, or it was started again, or it lacks a save of this program.
    private func expectLosses(formerServer: String) throws {
        let hasLost = try !isReadOnly && commits.number() < committedNumber
        guard hasLost || session.serverBeginning != formerServer else { return }
        lossCount += 1
        versions.forgetAll()
        // Objects in memory of a store that is not shared are not read again.
        guard hasLost, !isShared else { return }
        throw ended(
            StoreError(
                .replaced,
                "the server has lost saves of this program; start the program again",
                path: name))
    }

    /// Throws if the schema has another store now, or one of another model.
    private func requireSameStore() throws {
        let found = try schema.readMetadata()
        guard found.identifier == metadata.identifier else {
            throw ended(
                StoreError(
                    .replaced,
                    "the store was replaced while the connection was lost; start the program again",
                    path: name))
        }
        guard found.versionHash == metadata.versionHash else {
            throw ended(found.migratedError(model, path: name))
        }
    }

    /// Throws if another program has opened the store while this one did not have its lock. Objects in memory and the next IDs
    /// could be wrong.
    private func requireNoOtherWriter() throws {
        var parameters = PostgreSQLParameters()
        parameters.append(writerNumber)
        try parameters.append(lockTime)
        let found = try connection.query(
            "SELECT FROM \"_commits\" WHERE \"writer\" <> $1 AND \"time\" > $2::timestamptz LIMIT 1",
            parameters)
        guard found.count == 0 else {
            throw ended(
                StoreError(
                    .replaced,
                    "another program has opened the store while the connection was lost; start the program again",
                    path: name))
        }
    }

    /// Records that the store is no longer used.
    private func ended(_ error: StoreError) -> StoreError {
        damage = error
        return error
    }

    // MARK: - Migrations by other programs

    /// Throws if another program has migrated the store to another model.
    func requireModel() throws {
        guard let found = try? schema.readMetadata(), found.versionHash != metadata.versionHash else {
            return
        }
        throw ended(found.migratedError(model, path: name))
    }
}

extension PostgreSQLError {
    /// Whether a connection may be possible a moment later.
    fileprivate var mayBeTemporary: Bool {
        switch kind {
        case .cannotConnect, .connectionLost, .tooManyConnections: true
        default: false
        }
    }
}
