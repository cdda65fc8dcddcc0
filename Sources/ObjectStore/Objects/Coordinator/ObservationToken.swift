/// The registration of an observer. The observer is called until the observation is cancelled or released.
public final class ObservationToken {
    private var end: (() -> Void)?

    init(_ end: @escaping () -> Void) {
        self.end = end
    }

    deinit {
        cancel()
    }

    /// Ends the observation. Further calls do nothing.
    public func cancel() {
        end?()
        end = nil
    }
}

/// The observers of one kind of event. They are called in the order in which they were added.
final class ObserverList<Event, Failure: Error> {
    private var handlers: [(id: Int, call: (Event) throws(Failure) -> Void)] = []
    private var nextID = 0

    var isEmpty: Bool { handlers.isEmpty }

    func add(_ handler: @escaping (Event) throws(Failure) -> Void) -> ObservationToken {
        let id = nextID
        nextID += 1
        handlers.append((id, handler))
        return ObservationToken { [weak self] in
            self?.handlers.removeAll { $0.id == id }
        }
    }

    /// Calls every handler, up to the first that throws an error.
    func notify(_ event: Event) throws(Failure) {
        for handler in handlers { try handler.call(event) }
    }
}
