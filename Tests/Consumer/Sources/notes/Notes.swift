import ObjectStore

// The program of the article "Getting started in ten minutes", which shows all of its code.

final class Note: ManagedObject {
    @Attribute("text") var text: String
    @Attribute("written") var written: Timestamp
    @ToOne("topic") var topic: Topic?
}

final class Topic: ManagedObject {
    @Attribute("name") var name: String
    @ToMany("notes") var notes: RelatedObjects<Note>
}

func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
        versionIdentifiers: ["1"],
        entities: [
            EntityDescription(
                "Note", class: Note.self,
                attributes: [.string("text", .required, .length(1...500)), .date("written", .required)],
                relationships: [.toOne("topic", destination: "Topic", inverse: "notes")]),
            EntityDescription(
                "Topic", class: Topic.self,
                attributes: [.string("name", .required, .uniqueIgnoringCase)],
                relationships: [.toMany("notes", destination: "Note", inverse: "topic", deleteRule: .cascade)]
            ),
        ])
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
    if let topic = try context.object(of: Topic.self, matching: "name", equals: name) {
        note.topic = topic
    } else {
        let topic = try context.insert(Topic.self)
        topic.name = name
        note.topic = topic
    }
    try context.save()
}

func find(_ word: String, in context: ManagedObjectContext) throws -> [Note] {
    let predicate = try FetchPredicate("text CONTAINS[cd] %@", word)
    return try context.fetch(
        FetchRequest<Note>(
            matching: predicate, orderedBy: [FetchOrder("written", ascending: false)], limit: 20))
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
