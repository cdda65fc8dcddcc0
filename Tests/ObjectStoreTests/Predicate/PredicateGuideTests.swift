import CivilTime
import Testing

@testable import ObjectStore

/// The tables of `docs/predicates.md`: the objects that each predicate finds, and its SQL, are as the page
/// says.
@Suite struct PredicateGuideTests {
    @Test func predicatesFindObjectsOfGuide() throws {
        let lines = try Guide.lines(under: "| Format | Finds | |")
        #expect(lines.count > 130)
        let shelf = try Guide.Shelf()
        for line in lines {
            if line.result == "error" {
                #expect(throws: FetchPredicateError.self, "\(line.format)") {
                    try FetchPredicate(line.format).check(against: shelf.book, in: shelf.context.model)
                }
                continue
            }
            let ids = line.result.split(separator: " ").compactMap { Int64($0) }
            #expect(try shelf.idsInMemory(line.format) == ids, "\(line.format), in memory")
            #expect(try shelf.idsInSQL(line.format) == ids, "\(line.format), in SQL")
        }
    }

    /// The words that the page lists as not supported.
    @Test(arguments: [
        ("FUNCTION(title, 'uppercase') == 'EMMA'", "FUNCTION"), ("median(pages) == 1", "median"),
        ("mode(pages) == 1", "mode"), ("stddev(pages) == 1", "stddev"), ("random(pages) == 1", "random"),
        ("(authors UNION authors).@count == 1", "UNION"),
        ("(authors INTERSECT authors).@count == 1", "INTERSECT"),
        ("(authors MINUS authors).@count == 1", "MINUS"), ("authors == authors", "authors"),
        ("title := 'Emma'", ":"), ("{ $0 }", "$"),
    ])
    func errorNamesUnsupportedWord(_ format: String, _ word: String) throws {
        let shelf = try Guide.Shelf()
        let error = #expect(throws: FetchPredicateError.self) {
            try FetchPredicate(format).check(against: shelf.book, in: shelf.context.model)
        }
        #expect(error.map { "\($0)".contains(word) } == true, "\(String(describing: error))")
    }

    @Test func sqlOfPredicatesIsThatOfGuide() throws {
        let shelf = try Guide.Shelf()
        for line in try Guide.lines(under: "| Format | SQL |") {
            let list: any PredicateArgument = line.format.contains("IN %@") ? [1, 2] : "1999-02-01T00:00:00Z"
            let predicate = try FetchPredicate(
                format: line.format, arguments: line.format.contains("%@") ? [list] : [])
            let select = SQLSelect(
                StoreRequest(entity: shelf.book, predicate: predicate), model: shelf.context.model)
            let sql = try select.ids().text
            #expect(
                "`" + (sql.firstRange(of: " WHERE ").map { String(sql[$0.upperBound...]) } ?? "") + "`"
                    == line.result)
        }
    }
}

/// The page, and the books of its first table.
enum Guide {
    struct Line {
        let format: String
        let result: String
    }

    /// The lines of every table with that head: a format in backquotes, and the next column.
    static func lines(under head: String) throws -> [Line] {
        try rows(under: head).compactMap { cells in
            guard cells[0].hasPrefix("`"), cells[0].hasSuffix("`") else { return nil }
            return Line(format: String(cells[0].dropFirst().dropLast()), result: cells[1])
        }
    }

    /// The cells of every table with that head. A `\|` in a cell does not end the cell.
    static func rows(under head: String) throws -> [[String]] {
        var rows: [[String]] = []
        var isInside = false
        for line in try Repository.text(of: "docs/predicates.md").split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line == head {
                isInside = true
            } else if !line.hasPrefix("|") {
                isInside = false
            } else if isInside, !line.hasPrefix("| ---") {
                let cells = line.replacing("\\|", with: "\u{1}").split(
                    separator: "|", omittingEmptySubsequences: false)
                rows.append(cells.dropFirst().map { trimmed($0).replacing("\u{1}", with: "|") })
            }
        }
        return rows
    }

    private static func trimmed(_ cell: Substring) -> String {
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// The books of the page in a store.
    struct Shelf {
        let directory = TemporaryStore()
        let context: ManagedObjectContext
        let book: Entity
        let books: [ManagedObject]

        init() throws {
            context = try directory.context(try Guide.model())
            book = try #require(context.model.entity(named: "Book"))
            let head =
                "| id | title | subtitle | pages | rating | published | inPrint | publisher | authors |"
            var books: [ManagedObject] = []
            for cells in try Guide.rows(under: head) { books.append(try Self.insert(cells, context)) }
            self.books = books
            for (name, born) in [("Rousseau", 1712), ("Austen", 1775), ("Pratchett", 1948)]
                as [(String, Int64)]
            {
                try Self.named(name, "Author", context).setValue(.integer(born), of: "born")
            }
            try context.save()
        }

        func idsInMemory(_ format: String) throws -> [Int64] {
            let compiled = try FetchPredicate(format).compiled(for: book, in: context.model)
            return try books.filter { try compiled.matches($0) }.map(\.id)
        }

        func idsInSQL(_ format: String) throws -> [Int64] {
            try context.ids(
                FetchRequest<ManagedObject>(
                    entity: "Book", matching: FetchPredicate(format), orderedBy: [FetchOrder("id")]))
        }

        private static func insert(_ cells: [String], _ context: ManagedObjectContext) throws -> ManagedObject
        {
            let book = try context.insert(entity: "Book")
            try book.setValue(.string(cells[1]), of: "title")
            if cells[2] != "nil" { try book.setValue(.string(cells[2]), of: "subtitle") }
            try book.setValue(.integer(try #require(Int64(cells[3]))), of: "pages")
            if let rating = Double(cells[4]) { try book.setValue(.double(rating), of: "rating") }
            if let date = Timestamp(iso8601: cells[5]) { try book.setValue(.date(date), of: "published") }
            try book.setValue(.boolean(cells[6] == "YES"), of: "inPrint")
            if cells[7] != "nil" {
                try book.setTarget(named(cells[7], "Publisher", context), of: "publisher")
            }
            for name in cells[8].split(separator: ", ") {
                try book.objects(of: "authors").insert(named(String(name), "Author", context))
            }
            return book
        }

        private static func named(
            _ name: String, _ entity: String, _ context: ManagedObjectContext
        ) throws -> ManagedObject {
            let request = FetchRequest<ManagedObject>(
                entity: entity, matching: FetchPredicate(.key("name"), .equal, .value(.string(name))))
            if let known = try context.fetch(request).first { return known }
            let object = try context.insert(entity: entity)
            try object.setValue(.string(name), of: "name")
            return object
        }
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "Book",
                attributes: [
                    .string("title"), .string("subtitle"), .integer32("pages"), .double("rating"),
                    .date("published"),
                    .boolean("inPrint"),
                ],
                relationships: [
                    .toOne("publisher", destination: "Publisher", inverse: "books"),
                    .toMany("authors", destination: "Author", inverse: "books"),
                ],
                indexes: [
                    .index("title"), .index("published", where: try FetchPredicate("inPrint == YES")),
                ]),
            EntityDescription(
                "Publisher", attributes: [.string("name")],
                relationships: [.toMany("books", destination: "Book", inverse: "publisher")]),
            EntityDescription(
                "Author", attributes: [.string("name"), .integer16("born")],
                relationships: [.toMany("books", destination: "Book", inverse: "authors")]),
        ])
    }
}
