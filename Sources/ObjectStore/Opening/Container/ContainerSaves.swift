internal import Platform

/// The saves of a container, one after the other, as `saves(limit:)` returns them.
///
///     for await save in container.saves() {
///         switch save {
///         case .saved(let changes): update(changes)
///         case .missed: readEverythingAgain()
///         }
///     }
///
/// The sequence begins at the call of `saves(limit:)`, and ends when the container is closed or released, or when the task
/// is cancelled. Each sequence has one iterator at a time.
public struct ContainerSaves: AsyncSequence, Sendable {
    /// A save, or the information that saves are unknown.
    public enum Element: Hashable, Sendable {
        /// A save of the container, or of another program that ``PersistentContainer/noticeSavesOfOtherPrograms()`` found.
        case saved(SavedChanges)
        /// Saves that are unknown, because the sequence was read too slowly or another program purged the history.
        case missed
    }

    /// An iterator of the saves.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let buffer: SaveBuffer

        /// Returns the next save when there is one, or `nil` at the end.
        public mutating func next() async -> Element? { await buffer.next() }
    }

    let buffer: SaveBuffer

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(buffer: buffer) }
}

/// The saves that one sequence has not returned yet.
final class SaveBuffer: Sendable {
    private struct State {
        var saves: [ContainerSaves.Element] = []
        /// The iterator that waits for a save.
        var waiting: CheckedContinuation<ContainerSaves.Element?, Never>?
        var isEnded = false
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = limit }

    /// Adds a save. If the buffer is full, `missed` takes the place of all saves in it.
    func add(_ save: ContainerSaves.Element) {
        let waiting = state.withLock { state in
            if state.waiting == nil {
                if state.saves.count == limit { state.saves = [.missed] } else { state.saves.append(save) }
            }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: save)
    }

    /// Ends the sequence after the saves in the buffer.
    func end() {
        let waiting = state.withLock { state in
            state.isEnded = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }

    /// Returns the saves in the buffer, and removes them.
    func takeAll() -> [ContainerSaves.Element] {
        state.withLock { state in
            defer { state.saves = [] }
            return state.saves
        }
    }

    func next() async -> ContainerSaves.Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let next: ContainerSaves.Element?? = state.withLock { state in
                    guard state.waiting == nil else {
                        fatalError("the saves of a container have one iterator at a time")
                    }
                    if !state.saves.isEmpty { return state.saves.removeFirst() }
                    if state.isEnded { return .some(nil) }
                    state.waiting = continuation
                    return nil
                }
                if let next { continuation.resume(returning: next) }
            }
        } onCancel: {
            end()
        }
    }
}

/// The sequences of the saves of one container.
final class SaveBuffers: Sendable {
    private struct State {
        var buffers: [WeakBuffer] = []
        var isEnded = false
    }

    private struct WeakBuffer {
        weak var buffer: SaveBuffer?
    }

    private let state = Locked(State())

    deinit { end() }

    func add(limit: Int) -> SaveBuffer {
        let buffer = SaveBuffer(limit: limit)
        let isEnded = state.withLock { state in
            state.buffers.removeAll { $0.buffer == nil }
            state.buffers.append(WeakBuffer(buffer: buffer))
            return state.isEnded
        }
        if isEnded { buffer.end() }
        return buffer
    }

    func report(_ save: ContainerSaves.Element) {
        for buffer in current { buffer.add(save) }
    }

    func end() {
        state.withLock { $0.isEnded = true }
        for buffer in current { buffer.end() }
    }

    private var current: [SaveBuffer] { state.withLock { $0.buffers.compactMap(\.buffer) } }
}
