/// The results of a request, current after each save, as `results(of:)` of a container returns them.
///
///     for try await books in container.results(of: Book.all.ordered(by: \.title)) {
///         show(books)
///     }
///
/// The first results are returned at once, and then those after each save that changes them. Equal results are not
/// repeated. A task that is slower than the saves gets the newest results only.
///
/// The sequence ends when the container is closed, when the task is cancelled, or with the first error. It keeps the
/// container open until then. Each of its iterators reads for itself.
public struct ContainerResults<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    /// The results, such as an array of snapshots.
    public typealias Element = Value

    let container: PersistentContainer
    /// Returns the entities that decide about the results, or `nil` if every save can change them.
    let scope: @Sendable (ManagedObjectContext) throws -> RequestScope?
    let fetch: @Sendable (ManagedObjectContext) throws -> Value

    /// An iterator of the results.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The most saves to keep during a fetch. If there are more, each of them may have changed the results.
        private static var saveLimit: Int { 16 }

        private let sequence: ContainerResults
        private let saves: SaveBuffer
        private var scope: RequestScope?
        private var last: Value?
        private var isBegun = false
        private var isEnded = false

        init(_ sequence: ContainerResults) {
            self.sequence = sequence
            saves = sequence.container.saves(limit: Self.saveLimit).buffer
        }

        /// Returns the next results when there are some, or `nil` at the end.
        ///
        /// - Throws: A ``FetchError``, a ``FetchPredicateError`` or a ``StoreError``.
        public mutating func next() async throws -> Value? {
            while !isEnded {
                if isBegun, await !isOutdated() { break }
                guard let value = try await current() else { break }
                if isBegun, last == value { continue }
                isBegun = true
                last = value
                return value
            }
            isEnded = true
            return nil
        }

        /// Waits for saves that may change the results. Returns `false` at the end of the saves.
        private func isOutdated() async -> Bool {
            while let save = await saves.next() {
                let all = [save] + saves.takeAll()
                if all.contains(where: mayChangeResults) { return true }
            }
            return false
        }

        private func mayChangeResults(_ save: ContainerSaves.Element) -> Bool {
            guard case .saved(let changes) = save, let scope else { return true }
            // A statement in SQL is a save without objects.
            return changes.isEmpty || scope.isAffected(by: changes)
        }

        /// Returns the results of the saved state, or `nil` if the container is closed or the task is cancelled.
        private mutating func current() async throws -> Value? {
            do {
                let (scope, value) = try await sequence.container.read { [sequence] context in
                    (try sequence.scope(context), try sequence.fetch(context))
                }
                self.scope = scope
                return value
            } catch {
                isEnded = true
                if sequence.container.isClosing || Task.isCancelled { return nil }
                throw error
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension PersistentContainer {
    /// Returns the objects of a request as snapshots: those that are saved now, and those after each save that changes
    /// them.
    ///
    /// A save of entities that the request does not use has no fetch. Saves of other programs are included when
    /// ``noticeSavesOfOtherPrograms()`` finds them. For the difference between two results, compare their object IDs:
    ///
    ///     let change = new.map(\.objectID).difference(from: old.map(\.objectID)).inferringMoves()
    ///
    /// - Parameter request: The objects and their order. Without an order, they are ordered by their IDs.
    public func results<Object: ManagedObject>(
        of request: FetchRequest<Object>
    ) -> ContainerResults<[ObjectSnapshot<Object>]> {
        var ordered = request
        if ordered.order.isEmpty { ordered.order = [FetchOrder("id")] }
        return ContainerResults(container: self) { [ordered] context in
            try RequestScope(ordered, of: context.entity(ordered), nil, in: context.model)
        } fetch: { [ordered] context in
            try context.fetch(ordered).map { $0.snapshot() }
        }
    }

    /// Returns a value that is read from the store: the one of the saved state now, and those after each save that
    /// changes it.
    ///
    ///     for try await count in container.results(of: { try $0.count(Book.all) }) { … }
    ///
    /// - Parameter read: Reads the value, with a context like that of ``read(_:)``. It is called after each save.
    public func results<Value: Equatable & Sendable>(
        of read: @escaping @Sendable (ManagedObjectContext) throws -> Value
    ) -> ContainerResults<Value> {
        ContainerResults(container: self, scope: { _ in nil }, fetch: read)
    }
}
