import ObjectStore

// The program of the article "Getting started in ten minutes", which shows all of its code.

final class Note: ManagedObject {
    @Attribute(.required, .length(1...500)) var text: String
    @Attribute var written: Timestamp
    @ToOne var topic: Topic?
}

final class Topic: ManagedObject {
    @Attribute(.required, .uniqueIgnoringCase) var name: String
    @ToMany(inverse: \.topic, deleteRule: .cascade) var notes: RelatedObjects<Note>
}

func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
        versionIdentifiers: ["1"], entities: [EntityDescription(Note.self), EntityDescription(Topic.self)])
}

func open(_ path: String) throws -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(model: try model())
    try coordinator.addStore(.sqlite(path: path))
    return ManagedObjectContext(coordinator: coordinator)
}

func add(_ text: String, to name: String, _ context: ManagedObjectContext) throws {
    let note = try context.insert(Note.self)
    note.text = text
    note.written = .now
    let known = Topic.where { $0.name.equals(name, options: .caseInsensitive) }
    if let topic = try context.fetch(known.limit(1)).first {
        note.topic = topic
    } else {
        let topic = try context.insert(Topic.self)
        topic.name = name
        note.topic = topic
    }
    try context.save()
}

func find(_ word: String, in context: ManagedObjectContext) throws -> [Note] {
    try context.fetch(
        Note.where { $0.text.contains(word, options: [.caseInsensitive, .diacriticInsensitive]) }
            .ordered(by: \.written, ascending: false).limit(20))
}

@main
struct Notes {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { return print("usage: notes PATH WORD | notes PATH TOPIC TEXT") }
        let context = try open(arguments[0])
        if arguments.count > 2 {
            do {
                try add(arguments[2], to: arguments[1], context)
            } catch let error as ValidationError {
                for failure in error.failures { print(failure) }
            }
        } else {
            for note in try find(arguments[1], in: context) {
                print(note.id, note.topic?.name ?? "-", note.text)
            }
        }
    }
}
