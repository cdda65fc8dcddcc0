import Foundation
import ObjectStore
import ObjectStoreFoundation
import Testing

// Saves, many objects at once, background writers, and coding.
extension BooksExample {
    @Test func savingAndFailing() throws {
        let context = try filled()
        let draft = try context.insert(Book.self)
        draft.pages = -1
        do {
            try context.save()
            Issue.record("a draft was saved")
        } catch let error as ValidationError {
            for failure in error.failures { print(failure) }
            // Book 2.title: required: there is no value
            // Book 2.pages: range: less than the lower bound
            #expect(
                error.failures.map(\.description) == [
                    "Book 2.title: required: there is no value",
                    "Book 2.pages: range: less than the lower bound",
                ])
        }
        draft.title = "Draft"
        (draft.pages, draft.published) = (0, Timestamp(secondsSince1970: 0))
        let error = try #require(throws: ValidationError.self) { try context.save() }
        #expect(error.description == "Book 2.pages: custom: is 0 in a published book")
        context.rollback()

        try context.coordinator.batch {
            for title in ["Persuasion", "Sanditon"] {
                try context.insert(Book.self).title = title
                try context.save()
            }
        }
        #expect(try context.count(FetchRequest<Book>()) == 3)

        context.undoLevels = 100
        let emma = try #require(try context.object(of: Book.self, id: 1))
        emma.title = "Emma, revised"
        context.endUndoGroup()
        context.undo()
        #expect(emma.title == "Emma")
        context.redo()
        #expect(emma.title == "Emma, revised")

        let observation = context.coordinator.observeSaves { changes in
            print(changes.inserted, changes.updated, changes.deleted)
        }
        try context.save()
        withExtendedLifetime(observation) {}

        let form = ManagedObjectContext(parent: context)
        let edited = try form.counterpart(of: emma)
        edited?.title = "Emma, third edition"
        try form.save()
        #expect(emma.title == "Emma, third edition" && context.hasChanges)
        try context.save()
        #expect(!context.hasChanges)
    }

    @Test func upserting() throws {
        let context = try filled()
        context.uniquenessPolicy = .newObjectWins
        let murray = try context.insert(Publisher.self)
        murray.name = "JOHN MURRAY"
        try context.save()
        print(try context.objects(of: Publisher.self).map(\.name))  // ["JOHN MURRAY"]
        #expect(try context.objects(of: Publisher.self).map(\.name) == ["JOHN MURRAY"])
    }

    @Test func savingVeryMuch() throws {
        let context = try open()
        try context.coordinator.transaction {
            for number in 1...2_000 {
                try context.insert(Book.self).title = "Volume \(number)"
                if number.isMultiple(of: 500) { try context.save() }
            }
            try context.save()
        }
        #expect(try context.count(FetchRequest<Book>()) == 2_000)
    }

    @Test func backgroundWriterSavesChanges() throws {
        let context = try filled()
        if let writer = try context.coordinator.beginBackgroundWrite() {
            let other = try writer.open()
            var saved = SavedChanges()
            let observation = other.observeSaves { saved.append($0) }
            let background = ManagedObjectContext(coordinator: other)
            try background.insert(Book.self).title = "Lady Susan"
            try background.save()
            #expect(try context.count(FetchRequest<Book>()) == 1)
            try context.coordinator.merge(saved, into: [context])
            observation.cancel()
            other.close()
            context.coordinator.endBackgroundWrite()
        }
        #expect(try context.count(FetchRequest<Book>()) == 2)
    }

    @Test func manyAtOnce() throws {
        let context = try filled()
        let unknown = Book.where { $0.published == nil }
        try context.updateAll(unknown) { $0.genre = .novel }
        try context.deleteAll(Book.where { $0.pages == 0 })
        var updates = TypedUpdates(of: Book.self, setting: \.pages, \.genre)
        for (id, pages) in try context.rows(unknown, of: \.id, \.pages) {
            updates.append(id: id, pages + 1, .novel)
        }
        try context.updateEach([updates.updates])
        #expect(try context.count(unknown) == 1)
    }

    struct Address: JSONAttribute {
        var street: String
        var city: String
    }

    @Test func encodingAndDecoding() throws {
        let context = try filled()
        let emma = try #require(try context.object(of: Book.self, id: 1))
        let coding = ObjectCoding<Book>(\.title, \.pages)
            .nesting(\.publisher, ObjectCoding(\.name)).nesting(\.authors, ObjectCoding(\.name))
        let data = try JSONEncoder().encode(coding.encoding(emma))
        print(String(decoding: data, as: UTF8.self))
        let copy = try coding.insert(into: context, fromJSON: data)
        try ObjectCoding<Book>().fill(copy, fromJSON: Data(#"{"pages": 500}"#.utf8))
        let snapshots = try JSONEncoder().encode([emma.snapshot()])
        let decoder = JSONDecoder()
        decoder.userInfo[.managedObjectModel] = context.model
        let received = try decoder.decode([ObjectSnapshot<Book>].self, from: snapshots)
        try ObjectCoding(\Book.title, \.pages).fill(emma, from: received[0])
        #expect(!emma.isUpdated && received == [emma.snapshot()])
        #expect(copy.title == "Emma" && copy.pages == 500)
        #expect(copy.authors.map(\.name) == ["Jane Austen"] && copy.publisher?.name == "John Murray")
        let address = Address(street: "Albemarle Street", city: "London")
        #expect(address.attributeValue == .string(#"{"city":"London","street":"Albemarle Street"}"#))
    }
}
