/// The objects that were saved, in order, until every context has read about them.
///
/// A context reads the entries that are new to it before it reads objects or saves. With one context nothing is recorded.
/// At most `limit` entries are kept; a context that has missed some treats every object in its memory as doubtful.
final class ChangeHistory {
    struct Entry {
        let entity: Int32
        let store: Int32
        let id: Int64
    }

    /// How far a context has read.
    final class Reader {
        /// The position of the first entry that it has not read.
        fileprivate(set) var position: Int

        fileprivate init(_ position: Int) {
            self.position = position
        }
    }

    /// With 16 bytes each this is 1 MiB. More objects than that are seldom changed while a context reads nothing.
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
        if entries.count == Self.limit {
            entries.removeAll(keepingCapacity: true)
            start = end
        }
        entries.append(Entry(entity: Int32(registry.entity.index), store: Int32(registry.store), id: id))
        end += 1
    }

    /// Makes every context treat the objects in its memory as doubtful: the stores may hold other values.
    func distrustObjects() {
        saves += 1
        entries = []
        end += 1
        start = end
    }

    /// Whether entries were dropped that the context has not read.
    func hasMissedEntries(_ reader: Reader) -> Bool { reader.position < start }

    /// The entries that are new to a context.
    func newEntries(for reader: Reader) -> ArraySlice<Entry> {
        entries.dropFirst(max(reader.position - start, 0))
    }

    /// Records that a context has read all entries, or made the last of them.
    func advance(_ reader: Reader) {
        reader.position = end
        dropReadEntries()
    }

    private func dropReadEntries() {
        let read = (readers.lazy.map(\.position).min() ?? end) - start
        guard read > 0 else { return }
        if read >= entries.count {
            // Some capacity is kept for the next save.
            entries.removeAll(keepingCapacity: entries.count <= 1024)
            start = end
        } else if read * 2 > entries.count {
            entries.removeFirst(read)
            start += read
        }
    }
}
