import Foundation
import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

@Suite struct XMLFormatTests {
    let directory = TemporaryStore()
    private var path: String { TestedStore.xml.path(in: directory) }

    private static let model = try? ManagedObjectModel(
        versionIdentifiers: ["1"],
        entities: [
            EntityDescription(
                "ToDo",
                attributes: [
                    .string("name", .required), .date("dueDate"), .boolean("completed", default: false),
                    .integer16("priority"), .binary("image"), .double("weight"), .decimal("price"),
                ],
                relationships: [.toOne("category", destination: "Category", inverse: "toDos")]),
            EntityDescription(
                "Category", attributes: [.string("name", .required)],
                relationships: [.toMany("toDos", destination: "ToDo", inverse: "category")]),
        ])

    private func write(_ document: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory.directory, withIntermediateDirectories: true)
        try Data(document.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func text() throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    private func context() throws -> ManagedObjectContext {
        try TestedStore.xml.context(in: directory, Self.model)
    }

    /// Opens the document, which is refused and not changed.
    private func refused(_ document: String) throws -> StoreError? {
        try write(document)
        let error = #expect(throws: StoreError.self) { try context() }
        #expect(try text() == document)
        return error
    }

    // MARK: - A document of Core Data

    private static let prolog = """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
        """

    private static let information = """
            <databaseInfo>
                <version>134481920</version>
                <UUID>343C8D7F-A000-42C4-8463-43FA1E5EF3FB</UUID>
                <nextObjectID>109</nextObjectID>
                <metadata>
                    <plist version="1.0">
                        <dict>
                            <key>NSPersistenceFrameworkVersion</key>
                            <integer>641</integer>
                            <key>NSStoreModelVersionHashes</key>
                            <dict>
                                <key>ToDo</key>
                                <data>
        Gl79yicU/qMmmjW+02T6r/N/3wY/MXt1/ETG6BgiQvk=
        </data>
                            </dict>
                            <key>empty</key>
                            <string></string>
                            <key>list</key>
                            <array><string>a &lt; b</string><true></true></array>
                        </dict>
                    </plist>
                </metadata>
            </databaseInfo>
        """

    private static let objects = #"""
            <object type="CATEGORY" id="z102">
                <attribute name="name" type="string">Home \u2600 garden</attribute>
                <relationship name="todos" type="0/0" destination="TODO" idrefs="z104 z103"></relationship>
            </object>
            <object type="TODO" id="z103">
                <attribute name="priority" type="int16">-3</attribute>
                <attribute name="name" type="string">Pay &amp; sign\u3c00!\u3e00</attribute>
                <attribute name="duedate" type="date">336046917.00164198875427246094</attribute>
                <attribute name="completed" type="bool">1</attribute>
                <attribute name="image" type="binary">AAEC
        /w==</attribute>
                <attribute name="weight" type="float">1.50000000</attribute>
                <attribute name="price" type="decimal">12.50</attribute>
                <relationship name="category" type="1/1" destination="CATEGORY" idrefs="z102"></relationship>
            </object>
            <object type="TODO" id="z104">
                <attribute name="name" type="string"></attribute>
                <attribute name="completed" type="bool">0</attribute>
                <relationship name="category" type="1/1" destination="CATEGORY" idrefs="z102"/>
            </object>
        """#

    private static let document = "\(prolog)\n\(information)\n\(objects)\n</database>\n"

    @Test func documentOfCoreDataOpens() throws {
        try write(Self.document)
        let context = try context()
        #expect(try text() == Self.document)
        #expect(
            try context.store.metadata.identifier == UUIDValue("343C8D7F-A000-42C4-8463-43FA1E5EF3FB"))
        let item = try #require(try context.object(ObjectID(entity: "ToDo", id: 103)))
        let values = try ["name", "dueDate", "completed", "priority", "image", "weight", "price"].map(
            item.value)
        #expect(
            values == [
                .string("Pay & sign<!>"), .date(Timestamp(secondsSince1970: 1_314_354_117.001_642)),
                .boolean(true),
                .integer(-3), .binary([0, 1, 2, 255]), .double(1.5), .decimal("12.5"),
            ])
        let category = try #require(try item.target(of: "category"))
        #expect(try category.value(of: "name") == .string("Home & garden"))
        #expect(try category.objects(of: "toDos").map(\.id) == [103, 104])
        #expect(try context.insert(entity: "ToDo").id == 110)
    }

    @Test func metadataOfOtherProgramIsKept() throws {
        try write(Self.document)
        var context = try context()
        try context.object(ObjectID(entity: "ToDo", id: 104))?.setValue(.string("Walk"), of: "name")
        try context.save()
        let before = try context.contents()
        context.coordinator.close()
        context = try self.context()
        #expect(try context.contents() == before)
        let text = try text()
        for kept in [
            "<key>NSPersistenceFrameworkVersion</key>\n                    <integer>641</integer>",
            "Gl79yicU/qMmmjW+02T6r/N/3wY/MXt1/ETG6BgiQvk=", "<string>a &lt; b</string>", "<true></true>",
            "<UUID>343C8D7F-A000-42C4-8463-43FA1E5EF3FB</UUID>", #"<object type="CATEGORY" id="z204">"#,
            #"<relationship name="todos" type="0/0" destination="TODO" idrefs="z207 z209"></relationship>"#,
        ] {
            #expect(text.contains(kept), "\(kept)")
        }
    }

    @Test func exactlyOneModelHasToFit() throws {
        func model(_ version: String, _ more: AttributeDescription...) throws -> ManagedObjectModel {
            let base = try #require(Self.model).entities.map(\.description)
            var changed = base
            changed[0].attributes += more
            return try ManagedObjectModel(versionIdentifiers: [version], entities: changed)
        }
        try write(Self.document)
        let first = try model("1")
        let second = try model("2", .boolean("doNotAlert", default: false))
        #expect(try XMLDocument.fittingModel(forForeign: path, among: [first, second]) === first)
        let third = try model("3", .string("notes"))
        for (models, reason) in [
            ([second], "model 2: TODO requires doNotAlert, which the document does not have"),
            ([first, third], "fits the models 1, 3"),
        ] {
            let error = #expect(throws: StoreError.self) {
                try XMLDocument.fittingModel(forForeign: path, among: models)
            }
            #expect(error?.code == .modelMismatch)
            #expect(error?.message.contains(reason) == true)
        }
        let context = try context()
        try context.object(ObjectID(entity: "ToDo", id: 104))?.setValue(.string("ours now"), of: "name")
        try context.save()
        #expect(try XMLDocument.fittingModel(forForeign: path, among: [first, second]) == nil)
    }

    @Test func documentHasFormatOfCoreData() throws {
        let context = try context()
        let item = try context.insert(entity: "ToDo")
        try item.setValue(.string("<Pay>\u{1B}"), of: "name")
        try item.setValue(.date(Timestamp(secondsSince1970: 978_307_201.5)), of: "dueDate")
        try context.save()
        let text = try text()
        #expect(
            text.hasPrefix(
                """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

                <database>
                    <databaseInfo>
                        <version>134481920</version>
                        <UUID>\(try context.store.metadata.identifier)</UUID>
                        <nextObjectID>3</nextObjectID>

                """))
        #expect(
            text.hasSuffix(
                #"""
                    <object type="TODO" id="z3">
                        <attribute name="name" type="string">&lt;Pay&gt;\u1b00</attribute>
                        <attribute name="duedate" type="date">1.5</attribute>
                        <attribute name="completed" type="bool">0</attribute>
                        <relationship name="category" type="1/1" destination="CATEGORY"></relationship>
                    </object>
                </database>

                """#))
    }

    /// Python's XML parser and property list reader find the same values in the document.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func documentIsReadByAnotherParser() throws {
        let context = try TestedStore.xml.context(in: directory, try Sample.model())
        try Sample.fill(context)
        try context.store.setMetadataEntries(["key": "<value>"])
        let script = """
            import plistlib, re, sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[1]).getroot()
            text = lambda t: re.sub(r'\\\\\\\\u([0-9a-f]{2})([0-9a-f]{2})', lambda m: chr(int(m[2] + m[1], 16)), t or '')
            objects = {o.get('id'): {a.get('name'): a for a in o} for o in root.iter('object')}
            for o in sorted(objects.values(), key=lambda o: int(o['number'].text)):
                print(o['number'].text, [ord(c) for c in text(o['text'].text)], sep='|')
                for end in (o['next'].get('idrefs') or '').split(): assert end in objects
            info = plistlib.loads(tree.tostring(root.find('databaseInfo/metadata/plist')))
            print(info['ObjectStore']['Entries']['key'], info['ObjectStore']['LargestIDs']['Sample'], sep='|')
            """
        let output = try Self.python(script.replacingOccurrences(of: "\\\\\\\\u", with: "\\\\u"), path)
        let entity = try #require(context.model.entity(named: "Sample"))
        let rows = try context.rows(
            FetchRequest<ManagedObject>(entity: "Sample", orderedBy: [FetchOrder("number")]),
            of: ["number", "text"])
        var expected: [String] = []
        for row in rows {
            guard case .integer(let number) = row[0], case .string(let text) = row[1] else { continue }
            expected.append("\(number)|\(text.unicodeScalars.map { Int($0.value) })")
        }
        expected.append("<value>|\(try context.store.largestID(of: entity))")
        #expect(output.split(separator: "\n").map(String.init) == expected)
    }

    private static func python(_ script: String, _ argument: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, argument]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self)
    }

    // MARK: - Refusals that change nothing

    @Test(arguments: [
        ("hello", StoreError.Code.notADatabase), ("<?xml version=\"1.0\"", .notADatabase),
        ("{}", .notADatabase),
        ("<html></html>", .foreign), ("<databases></databases>", .foreign),
        ("<!DOCTYPE database SYSTEM \"file:///etc/passwd\"><database></database>", .foreign),
        ("<!DOCTYPE database [<!ENTITY e \"x\">]><database>&e;</database>", .foreign),
        (
            "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\" [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><database>&e;</database>",
            .foreign
        ),
        ("<!DOCTYPE database PUBLIC \"a\" \"http://localhost/\"><database></database>", .foreign),
        ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><database></database>", .foreign),
        ("<database>", .damaged), ("<database></database><database></database>", .damaged),
        ("<database><object></object></database>", .damaged), ("<database>text</database>", .damaged),
        ("<database>&e;</database>", .damaged), ("<database><x/></database>", .damaged),
        ("<database><!DOCTYPE database [<!ENTITY e \"x\">]></database>", .damaged),
    ])
    func otherDocumentsAreRefused(_ document: String, _ code: StoreError.Code) throws {
        #expect(try refused(document)?.code == code)
    }

    @Test(arguments: [
        ("type=\"TODO\" id=\"z104\"", "type=\"NOTE\" id=\"z104\"", "it has no entity NOTE"),
        ("name=\"priority\"", "name=\"urgency\"", "TODO has no attribute urgency"),
        (
            "name=\"priority\" type=\"int16\"", "name=\"priority\" type=\"string\"",
            "priority, but of the type integer16, not string"
        ),
        ("name=\"category\"", "name=\"list\"", "TODO has no relationship list"),
        ("destination=\"CATEGORY\"", "destination=\"LIST\"", "category, but to Category, not LIST"),
        ("idrefs=\"z102\"></r", "idrefs=\"z102 z104\"></r", "category, but to one object only"),
        ("<attribute name=\"completed\" type=\"bool\">0</attribute>", "", "TODO requires completed"),
    ])
    func documentOfAnotherModelIsRefused(_ old: String, _ new: String, _ reason: String) throws {
        let error = try refused(Self.document.replacingOccurrences(of: old, with: new))
        #expect(error?.code == .modelMismatch)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("id=\"z104\"", "id=\"z103\"", "TODO z103 occurs twice"),
        ("id=\"z104\"", "id=\"104\"", "expected an object with a type and an id"),
        ("idrefs=\"z102\"/>", "idrefs=\"z99\"/>", "ToDo 104 refers to an object that is not in the file"),
        ("idrefs=\"z102\"/>", "idrefs=\"x\"/>", "expected the id of an object such as z102, found x"),
        (">-3<", ">40000<", "priority of TODO z103 is not a value of the type int16"),
        ("/w==<", "/w=<", "image of TODO z103"), ("336046917.0016", "tomorrow", "duedate of TODO z103"),
        ("<attribute name=\"name\" type=\"string\"></attribute>", "<note/>", "note has no name or no type"),
        ("</database>", "", "the document is incomplete"),
        ("</database>", "</base>", "Opening and ending tag mismatch"),
        ("</database>", "</database><x/>", "the document is incomplete, or continues after its end"),
    ])
    func damagedDocumentIsRefused(_ old: String, _ new: String, _ reason: String) throws {
        let error = try refused(Self.document.replacingOccurrences(of: old, with: new))
        #expect(error?.code == .damaged)
        #expect(error?.message.hasPrefix("line ") == true)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func documentOfLaterVersionIsLeftUnchanged() throws {
        try context().coordinator.close()
        let later = try text().replacingOccurrences(
            of: "<key>FormatVersion</key>\n                        <integer>1<",
            with: "<key>FormatVersion</key>\n                        <integer>2<")
        #expect(try refused(later)?.code == .newer)
    }

    /// A truncated document is refused, at every position.
    @Test func truncatedDocumentIsFound() throws {
        let context = try TestedStore.xml.shelf(in: directory)
        context.coordinator.close()
        let whole = Array(try text().utf8)
        // The last byte ends the line.
        for count in stride(from: 1, to: whole.count - 1, by: 97) {
            try Data(whole[..<count]).write(to: URL(fileURLWithPath: path))
            #expect(throws: StoreError.self) { try TestedStore.xml.context(in: directory) }
        }
    }
}
