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

    /// Whether there are no observers. Each change of an object asks this.
    @exclusivity(unchecked) private(set) var isEmpty = true

    func add(_ handler: @escaping (Event) throws(Failure) -> Void) -> ObservationToken {
        let id = nextID
        nextID += 1
        handlers.append((id, handler))
        isEmpty = false
        return ObservationToken { [weak self] in
            guard let self else { return }
            handlers.removeAll { $0.id == id }
            isEmpty = handlers.isEmpty
        }
    }

    /// Calls every handler, up to the first that throws an error.
    func notify(_ event: Event) throws(Failure) {
        for handler in handlers { try handler.call(event) }
    }
}
