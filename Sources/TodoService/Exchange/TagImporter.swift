internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Imports the tags of a file into the context. Tags with a known `uid` or name are the same, others are added.
///
/// Items of a file name their tags. Such a name means the tag that has it in the file, even if that tag has another name
/// in the store.
struct TagImporter {
    private let service: ServiceContext
    /// The tags of the file and those that its items name, by their names in the file.
    private var tags: [String: Tag] = [:]
    /// All tags of the store by their names there, or `nil` until the first one is requested.
    private var stored: [String: Tag]?
    private(set) var added: Int64 = 0
    private(set) var updated: Int64 = 0

    init(service: ServiceContext) { self.service = service }

    /// Imports a tag. Returns a remark if the store keeps another name of it.
    mutating func take(_ exported: ExportedTag, field: String) throws -> String? {
        let name = try TypedValue.tag(exported.name, field: field)
        let context = service.store.context
        let known =
            try context.object(of: Tag.self, matching: \.uid, equals: exported.uid)
            ?? stored(named: name)
        guard let known else {
            let tag = try make(named: name)
            if !exported.uid.isEmpty { tag.uid = exported.uid }
            if let date = exported.createdDate { tag.createdDate = date }
            if let date = exported.modifiedDate { tag.modifiedDate = date }
            return nil
        }
        tags[name.caseFolded] = known
        guard known.name != name else { return nil }
        guard let written = exported.modifiedDate, written > known.modifiedDate else {
            return "the tag '\(known.name)' is not renamed: the name in the file, '\(name)', is not newer"
        }
        guard try stored(named: name) ?? known === known else {
            return "the tag '\(known.name)' keeps its name: another tag is called '\(name)'"
        }
        updated += 1
        stored?[known.name.caseFolded] = nil
        stored?[name.caseFolded] = known
        try service.store.rename(known, to: name)
        known.modifiedDate = written
        return nil
    }

    /// Returns the tag that an item of the file names, or `nil` if there is none.
    mutating func known(named name: String) throws -> Tag? {
        if let known = tags[name.caseFolded] { return known }
        let found = try stored(named: name)
        if let found { tags[name.caseFolded] = found }
        return found
    }

    /// Returns the tag that has this name in the store, or `nil` if there is none.
    private mutating func stored(named name: String) throws -> Tag? {
        if stored == nil {
            stored = Dictionary(
                try service.store.context.fetch(Tag.all).map { ($0.name.caseFolded, $0) },
                uniquingKeysWith: { first, _ in first })
        }
        return stored?[name.caseFolded]
    }

    /// Returns the tags that an item of the file names, and adds those that do not exist.
    mutating func tags(named names: [String]) throws -> Set<Tag> {
        var found: Set<Tag> = []
        for name in names { found.insert(try known(named: name) ?? make(named: name)) }
        return found
    }

    private mutating func make(named name: String) throws -> Tag {
        let tag = try service.store.context.insertTag(name, at: service.times.now())
        tags[name.caseFolded] = tag
        stored?[name.caseFolded] = tag
        added += 1
        return tag
    }
}
