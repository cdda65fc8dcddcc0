/// The objects that were saved, in order, until every context has read about them.
///
/// A context reads the new entries before it reads objects or saves. With one context, nothing is recorded. At most
/// `limit` entries are kept. A context that has missed entries treats all objects in its memory as doubtful.
final class ChangeHistory {
    struct Entry {
        let entity: Int32
        let store: Int16
        /// Whether the object was saved by another program. A context may have read it after that save.
        let isDoubt: Bool
        let id: Int64
    }

    /// The position up to which a context has read the history.
    final class Reader {
        /// The position of the first unread entry.
        fileprivate(set) var position: Int

        fileprivate init(_ position: Int) {
            self.position = position
        }
    }

    /// The maximum number of entries. With 16 bytes each, they take 1 MiB. A context rarely misses so many changes.
    static let limit = 1 << 16

    /// The number of saves so far.
    private(set) var saves = 0
    private var entries: [Entry] = []
    /// The position of the first entry that is kept.
    private var start = 0
    private var readers: [Reader] = []

    /// The position after the last entry.
    private(set) var end = 0

    /// Whether more than one context uses the coordinator.
    var isWatching: Bool { readers.count > 1 }

    var entryCount: Int { entries.count }

    func contextBegins() -> Reader {
        let reader = Reader(end)
        readers.append(reader)
        return reader
    }

    func contextEnds(_ reader: Reader) {
        readers.removeAll { $0 === reader }
        dropReadEntries()
    }

    func countSave() {
        saves += 1
    }

    func append(_ id: Int64, in registry: ObjectRegistry) {
        guard isWatching else { return }
        append(
            Entry(entity: Int32(registry.entity.index), store: Int16(registry.store), isDoubt: false, id: id))
    }

    /// Records that another program has saved an object.
    func appendDoubt(entity: Entity, store: Int, id: Int64) {
        append(Entry(entity: Int32(entity.index), store: Int16(store), isDoubt: true, id: id))
    }

    private func append(_ entry: Entry) {
        if entries.count == Self.limit {
            entries.removeAll(keepingCapacity: true)
            start = end
        }
        entries.append(entry)
        end += 1
    }

    /// Makes every context treat the objects in its memory as doubtful, because the stores may have other values.
    func distrustObjects() {
        saves += 1
        entries = []
        end += 1
        start = end
    }

    /// Whether entries were dropped that the context has not read.
    func hasMissedEntries(_ reader: Reader) -> Bool { reader.position < start }

    /// Returns the entries that a context has not read.
    func newEntries(for reader: Reader) -> ArraySlice<Entry> {
        entries.dropFirst(max(reader.position - start, 0))
    }

    /// Records that a context has read all entries or has itself added the last of them.
    func advance(_ reader: Reader) {
        reader.position = end
        dropReadEntries()
    }

    private func dropReadEntries() {
        let read = (readers.lazy.map(\.position).min() ?? end) - start
        guard read > 0 else { return }
        if read >= entries.count {
            // Keeps some capacity for the next save.
            entries.removeAll(keepingCapacity: entries.count <= 1024)
            start = end
        } else if read * 2 > entries.count {
            entries.removeFirst(read)
            start += read
        }
    }
}
