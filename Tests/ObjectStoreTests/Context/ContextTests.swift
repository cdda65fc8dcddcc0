import ObjectStore
import Testing

@Suite struct ContextTests {
    /// A book, after its context was released.
    private func detached() throws -> Book {
        try TemporaryStore().context().insert(Book.self)
    }

    /// Assigning to a property of a deleted object traps. Setting it by name throws, because the name may
    /// come from outside.
    @Test func deletedObjectCannotBeChangedByName() throws {
        let store = TemporaryStore()
        let context = try store.context()
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        try context.insert(Book.self).title = "Persuasion"
        let cover = try context.insert(Cover.self)
        cover.image = [1]
        try context.save()
        try context.delete(book)
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            for change in [
                { try book.setValue(.string("x"), of: "title") },
                { try book.setTarget(publisher, of: "publisher") },
                { try cover.setTarget(book, of: "book") },
            ] as [() throws -> Void] {
                let error = #expect(throws: PropertyError.self) { try change() }
                #expect(error?.description.contains("deleted") == true)
            }
        }
        #expect(!context.hasChanges)
        #expect(try store.rows("SELECT title FROM Book") == ["Persuasion"])
        #expect(throws: PropertyError.self) { try detached().setValue(.string("x"), of: "title") }
    }

    let store = TemporaryStore()

    @Test func savedObjectsAreReadByNextCoordinator() throws {
        do {
            let context = try store.context()
            let book = try context.insert(Book.self)
            book.title = "Persuasion"
            book.published = Timestamp(secondsSince1970: -4_796_668_800)
            book.pages = 249
            #expect(context.hasChanges)
            try context.save()
            #expect(!context.hasChanges)
        }
        let context = try store.context()
        let book = try #require(try context.object(of: Book.self, id: 1))
        #expect(book.title == "Persuasion")
        #expect(book.published == Timestamp(secondsSince1970: -4_796_668_800))
        #expect(book.pages == 249)
        #expect(book.inPrint)
        #expect(book.isbn == nil)
        #expect(
            try store.rows("SELECT * FROM Book") == ["1|Persuasion|-4796668800.0|249|1|NULL|NULL|NULL|NULL"])
    }

    @Test func valueOfEveryTypeIsReadBackUnchanged() throws {
        let token = try #require(UUIDValue("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        do {
            let context = try store.context()
            let cover = try context.insert(Cover.self)
            cover.image = [0, 1, 255]
            cover.token = token
            cover.price = DecimalValue("+012.50")
            let publisher = try context.insert(Publisher.self)
            publisher.name = "Smith\u{0}Elder 🦉"
            publisher.site = URIValue("https://example.org/a?b=c")
            try context.save()
        }
        let context = try store.context()
        let cover = try #require(try context.objects(of: Cover.self).first)
        #expect(cover.image == [0, 1, 255])
        #expect(cover.token == token)
        #expect(cover.price?.text == "12.5")
        let publisher = try #require(try context.objects(of: Publisher.self).first)
        #expect(publisher.name == "Smith\u{0}Elder 🦉")
        #expect(publisher.site == URIValue("https://example.org/a?b=c"))
        #expect(
            try store.rows("SELECT hex(image), token, price FROM Cover")
                == ["0001FF|E621E1F8-C36C-495A-93FC-0C247A3E6E5F|12.5"])
    }

    @Test func contextHasOneObjectForEachID() throws {
        let context = try store.context()
        let book = try context.insert(Book.self)
        book.title = "Emma"
        try context.save()
        #expect(try context.object(of: Book.self, id: book.id) === book)
        #expect(try context.objects(of: Book.self).first === book)
    }

    @Test func unsavedChangesAreFetchedOnlyByTheirContext() throws {
        let context = try store.context()
        let book = try context.insert(Book.self)
        book.title = "Emma"
        #expect(try context.objects(of: Book.self, matching: "title", equals: "Emma") == [book])
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try other.objects(of: Book.self).isEmpty)
        #expect(try store.rows("SELECT * FROM Book").isEmpty)
        book.title = "Sanditon"
        #expect(try context.objects(of: Book.self, matching: "title", equals: "Sanditon") == [book])
        #expect(try context.objects(of: Book.self, matching: "title", equals: "Emma").isEmpty)
        try context.delete(book)
        #expect(try context.objects(of: Book.self).isEmpty)
        #expect(!context.hasChanges)
    }

    @Test func rollbackRevertsAllChanges() throws {
        let context = try store.context()
        let kept = try context.insert(Book.self)
        kept.title = "Emma"
        let doomed = try context.insert(Book.self)
        doomed.title = "Lady Susan"
        try context.save()
        kept.title = "Emma, revised"
        try context.delete(doomed)
        let new = try context.insert(Book.self)
        #expect(try context.count(FetchRequest<Book>()) == 2)
        context.rollback()
        #expect(!context.hasChanges)
        #expect(kept.title == "Emma")
        #expect(new.isDeleted)
        #expect(!doomed.isDeleted)
        #expect(try context.objects(of: Book.self) == [kept, doomed])
    }

    @Test func idsAreNeverReused() throws {
        do {
            let context = try store.context()
            let first = try context.insert(Author.self)
            first.name = "A"
            let second = try context.insert(Author.self)
            second.name = "B"
            try context.save()
            #expect([first.id, second.id] == [1, 2])
            try context.delete(second)
            try context.save()
        }
        let context = try store.context()
        #expect(try context.insert(Author.self).id == 3)
    }

    @Test func failedSaveKeepsChangesAndStore() throws {
        let context = try store.context()
        let book = try context.insert(Book.self)
        book.pages = -1
        book.isbn = String(repeating: "x", count: 3)
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property) == ["title", "pages"])
        #expect(error?.failures.map(\.rule) == [.required, .range])
        #expect(context.hasChanges)
        #expect(try store.rows("SELECT * FROM Book").isEmpty)
        book.title = "Emma"
        book.pages = 1
        try context.save()
        #expect(try store.rows("SELECT title FROM Book") == ["Emma"])
    }

    @Test func uniqueValuesMayBeSwapped() throws {
        let context = try store.context()
        let first = try context.insert(Book.self)
        first.title = "A"
        first.isbn = "1"
        let second = try context.insert(Book.self)
        second.title = "B"
        second.isbn = "2"
        try context.save()
        swap(&first.isbn, &second.isbn)
        try context.save()
        #expect(try store.rows("SELECT isbn FROM Book ORDER BY id") == ["2", "1"])
        second.isbn = "2"
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.description == "Book 2.isbn: unique: Book 1 has the same value")
        #expect(try store.rows("SELECT isbn FROM Book ORDER BY id") == ["2", "1"])
    }
}
