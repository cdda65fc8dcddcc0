/// The objects of a request, kept current while contexts save and change objects.
///
///     let results = FetchedResultsController(
///         Book.all.ordered(by: \.publisher?.name).ordered(by: \.title), sectionedBy: \.publisher?.name, in: context)
///     try results.performFetch()
///     let observation = results.observe { changes in … }
///
/// The controller fetches again, and reports the difference to its observers, after each save of any context of the
/// coordinator, when it is on disk. It does the same after a rollback, an undo or a redo of its own context, and after a
/// merge of saves by other programs or by a background writer. ``ManagedObjectContext/processPendingChanges()`` reports
/// the unsaved changes of its own context.
///
/// Saves in a batch are reported together after the batch. Each report is the difference to the one before. A save of
/// entities that the request does not use has no fetch.
///
/// The controller belongs to the queue of its context, and keeps the context and the objects alive.
public final class FetchedResultsController<Object: ManagedObject> {
    /// The context of the objects.
    public let context: ManagedObjectContext
    /// The request. A change of it takes effect at the next ``performFetch()``.
    public var request: FetchRequest<Object>
    /// The error of the last fetch, or `nil` if it succeeded. After an error, the results stay as they were, and the
    /// next change tries again.
    public private(set) var failure: (any Error)?

    private let sectioning: Sectioning<Object>
    private let handlers = ObserverList<FetchedResultsChanges<Object>, Never>()
    private var arrangement = Arrangement()
    private var scope: RequestScope?
    private var observations: [ObservationToken] = []
    /// Whether the results may be out of date.
    private var isOutdated = false
    /// Whether the context computes derived attributes for these results, which then have the new values.
    private var isFetching = false
    private var isProcessing = false
    /// The objects of which a many-to-many relationship was changed since the last report.
    private var relinked: Set<ObjectID> = []
    /// The objects of which this context has changed a many-to-many relationship since its last save.
    private var relinkedHere: Set<ObjectID> = []
    /// The epoch of the context that the results include.
    private var epoch = 0

    /// Creates the results of a request in one section without a name. They are empty until `performFetch`.
    public convenience init(_ request: FetchRequest<Object>, in context: ManagedObjectContext) {
        self.init(request, context, .none)
    }

    /// Creates the results of a request in sections of objects with the same title.
    ///
    /// The sections are in the order of their first objects. If the request is ordered by the key first, they are in the
    /// order of its values. A section without objects does not exist.
    ///
    /// - Parameters:
    ///   - request: The objects and their order.
    ///   - key: An attribute, which may be at the end of to-one relationships: `\.publisher?.name`.
    ///   - title: The title for a value. By default it is the value as text, and empty for nil.
    ///   - context: The context of the objects.
    public convenience init<Value: AttributeValueConvertible>(
        _ request: FetchRequest<Object>, sectionedBy key: KeyPath<Object, Value>,
        titled title: ((Value) -> String)? = nil, in context: ManagedObjectContext
    ) {
        self.init(request, context, .key(RecordedKey.of(key).text, { try Self.title(of: $0, title) }))
    }

    /// Creates the results of a request in sections of objects with the same title, which is computed from the object.
    ///
    /// A title that depends on other objects is computed again when its object is fetched again: after a save of any
    /// entity.
    public convenience init(
        _ request: FetchRequest<Object>, sectionedBy title: @escaping (Object) throws -> String,
        in context: ManagedObjectContext
    ) {
        self.init(request, context, .object(title))
    }

    private init(
        _ request: FetchRequest<Object>, _ context: ManagedObjectContext, _ sectioning: Sectioning<Object>
    ) {
        self.request = request
        self.context = context
        self.sectioning = sectioning
    }

    // MARK: - Results

    /// The objects, section after section.
    public private(set) var objects: [Object] = []

    /// The sections. Without a section key, there is always one.
    public var sections: [FetchedResultsSection] { arrangement.sections }

    /// The object at a place.
    public subscript(place: FetchedResultsPlace) -> Object {
        self[section: place.section, index: place.index]
    }

    /// The object at an index of a section.
    public subscript(section section: Int, index index: Int) -> Object {
        guard arrangement.sections.indices.contains(section) else {
            let count = arrangement.sections.count
            fatalError("there is no section \(section); the results have \(count) sections")
        }
        let range = arrangement.sections[section].range
        guard index >= 0, index < range.count else {
            fatalError("section \(section) has \(range.count) objects and none at the index \(index)")
        }
        return objects[range.lowerBound + index]
    }

    /// Returns the index of an object in `objects`, or `nil` if it is not one of them.
    public func index(of object: Object) -> Int? {
        arrangement.indices[ObjectIdentifier(object)]
    }

    /// Returns the section of an object and its index there, or `nil` if it is not one of the results.
    public func place(of object: Object) -> FetchedResultsPlace? {
        index(of: object).map(arrangement.place)
    }

    // MARK: - Fetching

    /// Fetches the objects, and keeps them current from now on. The changes since an earlier fetch are not reported.
    public func performFetch() throws {
        let entity = try context.entity(request)
        let scope = try RequestScope(request, of: entity, sectioning.path, in: context.model)
        isOutdated = false
        relinked = []
        (objects, arrangement) = try fetched(scope)
        self.scope = sectioning.isComputed ? scope.widened : scope
        failure = nil
        if observations.isEmpty { beginObserving() }
    }

    /// Calls `handler` with each difference, after the results have changed, until the observation is cancelled or
    /// released.
    ///
    /// The handler may change objects and save. What results from that is reported afterwards.
    public func observe(_ handler: @escaping (FetchedResultsChanges<Object>) -> Void) -> ObservationToken {
        handlers.add(handler)
    }

    private func fetched(_ scope: RequestScope) throws -> ([Object], Arrangement) {
        isFetching = true
        defer { isFetching = false }
        let coordinator = context.coordinator
        let wasWriter = coordinator.isWriter(context)
        // Written changes would keep other programs from saving until this context saves.
        defer { if !wasWriter, coordinator.sharedPlace != nil { coordinator.abandonWriter() } }
        var request = request
        if request.order.isEmpty { request.order = [FetchOrder("id")] }
        if let key = sectioning.path { try context.deriveValues(usedBy: key) }
        let objects = try context.fetch(request)
        var targets: [ManagedObject] = []
        let titles: [String]?
        switch sectioning {
        case .none: titles = nil
        case .object(let title): titles = try objects.map(title)
        case .key(_, let title):
            titles = try objects.map { object in
                try title(try scope.sectionValue(of: object, in: context, keeping: &targets))
            }
        }
        epoch = context.relatedEpoch
        let new = Arrangement(objects, titles: titles, reusing: arrangement)
        if titles == nil { return (objects, new) }
        return (new.objects.map { unsafeDowncast($0, to: Object.self) }, new)
    }

    private static func title<Value: AttributeValueConvertible>(
        of stored: AttributeValue, _ title: ((Value) -> String)?
    ) throws -> String {
        guard let title else { return stored.isNull ? "" : stored.description }
        guard let value = Value(attributeValue: stored) else {
            throw FetchError(
                .unsupported,
                "a section has a value of the type \(stored.typeName), which \(Value.self) cannot hold")
        }
        return title(value)
    }

    // MARK: - Changes

    private func beginObserving() {
        observations = [
            context.observe { [weak self] event in self?.note(event) },
            context.coordinator.liveResults.add { [weak self] event in self?.note(event) },
        ]
    }

    private func note(_ event: ContextEvent) {
        switch event {
        case .inserted(let object), .deleted(let object): note(object)
        case .changed(let object, let property):
            if isFetching, let column = object.entity.column(named: property),
                object.entity.columns[column].derivation != nil
            {
                return
            }
            note(object)
            guard object is Object, case .toMany? = object.entity.property(named: property) else { return }
            relinked.insert(object.objectID)
            relinkedHere.insert(object.objectID)
        case .rolledBack:
            relinked.formUnion(relinkedHere)
            relinkedHere = []
            isOutdated = true
            process()
        case .saved, .merged: break
        }
    }

    private func note(_ object: ManagedObject) {
        if scope?.uses(object.storedEntity.name) != false { isOutdated = true }
    }

    private func note(_ event: LiveResultsEvent) {
        switch event {
        case .saved(let changes, let saver, let isDirect):
            // The changes of own objects were noted when they were made.
            if saver !== context || isDirect { relinked.formUnion(changes.updated) }
            if saver === context, !isDirect { relinkedHere = [] }
            // Each save of another context begins an epoch.
            if saver != nil, saver !== context { epoch += 1 }
            if scope?.isAffected(by: changes) != false { isOutdated = true }
        case .discarded: isOutdated = true
        case .settled: process()
        case .processing(let processed):
            guard processed === context else { return }
            context.coordinator.noticeOtherPrograms()
            context.noticeOtherSaves()
            if context.relatedEpoch != epoch { isOutdated = true }
            process(inBatch: true)
        }
    }

    /// Fetches again and reports the difference. A batch reports at its end, unless it asks for a report.
    private func process(inBatch isAsked: Bool = false) {
        guard !isProcessing, isAsked || context.coordinator.batch == nil else { return }
        isProcessing = true
        defer { isProcessing = false }
        while isOutdated, let scope {
            isOutdated = false
            let former = arrangement
            do {
                (objects, arrangement) = try fetched(scope)
                failure = nil
            } catch {
                failure = error
                isOutdated = true
                return
            }
            let linked = relinked
            relinked = []
            let difference = Difference(from: former, to: arrangement, relinked: linked)
            let changes = FetchedResultsChanges<Object>(difference, from: former, to: arrangement)
            if !changes.isEmpty { handlers.notify(changes) }
        }
        if !isOutdated { relinked = [] }
    }
}

extension ManagedObjectContext {
    /// Reports the unsaved changes of this context to its ``FetchedResultsController``s.
    ///
    /// A change of a property is not reported by itself, because most changes have several steps, and the objects may
    /// be inconsistent between them. Call this method when the steps are complete, such as at the end of an event. A
    /// save, a rollback, `undo` and `redo` do the same.
    public func processPendingChanges() {
        coordinator.reportToLiveResults(.processing(self))
    }
}

extension PersistentStoreCoordinator {
    /// Notifies the live results. Without any, the event is not even made.
    @inline(__always)
    func reportToLiveResults(_ event: @autoclosure () -> LiveResultsEvent) {
        if !liveResults.isEmpty { liveResults.notify(event()) }
    }
}

/// An event that can change live results, in addition to those of their own context.
enum LiveResultsEvent {
    /// Changes were saved: by a context of the coordinator, or by another program or a background writer if the context
    /// is `nil`. A direct save was made without objects of that context.
    case saved(SavedChanges, by: ManagedObjectContext?, isDirect: Bool)
    /// Saves that were visible are lost, or it is not known what another program has saved.
    case discarded
    /// The saves that were reported are complete.
    case settled
    /// The context is to report its unsaved changes.
    case processing(ManagedObjectContext)
}
