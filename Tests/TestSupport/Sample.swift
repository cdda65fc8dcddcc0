package import ObjectStore

/// An entity with an attribute of each type, and values that are hard to store.
package enum Sample {
    package static func model() throws -> ManagedObjectModel {
        let attributes = AttributeType.allCases.map { AttributeDescription($0.rawValue, $0) }
        let required: [AttributeDescription] = [
            .string("text", .required), .integer64("number", .required), .boolean("flag", .required),
        ]
        return try ManagedObjectModel(
            versionIdentifiers: ["sample", "1"],
            entities: [
                EntityDescription(
                    "Sample", attributes: attributes + required,
                    relationships: [
                        .toOne("next", destination: "Sample", inverse: "previous"),
                        .toMany("previous", destination: "Sample", inverse: "next"),
                        .toMany("likes", destination: "Sample", inverse: "likedBy"),
                        .toMany("likedBy", destination: "Sample", inverse: "likes"),
                    ])
            ])
    }

    package static let texts = [
        "", " ", "plain", "  two  ends ", "line\nbreak\r\nand\ttab", "<a href=\"x\">&amp;'</a>]]>",
        "\u{0}nul\u{1B}[0m\u{7F}",
        "\\u1b00 is no escape, \\ nor is this, \\\\u nor that", "e\u{301} \u{E9} \u{1F469}\u{200D}\u{1F680}",
        "\u{FFFE}\u{FFFF}\u{FEFF}",
        "\u{85}\u{2028}\u{A0}", "\u{10FFFF}", "ends in \\u", String(repeating: "long ", count: 20_000),
    ]

    package static let doubles = [
        0, -0.0, 1, 0.1, -0.1, .pi, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        1e300, Double.leastNonzeroMagnitude,
    ]

    package static let moments = [
        0, -0.1, 0.1, 978_307_200, 978_307_199.9, 1_314_354_117.001_642, -1e-9, 1e-9, 1_700_000_000.123_456_7,
        -62_135_596_800,
        4_102_444_800.5, 1e15, -1e15, 0x1p62, 0x1p90, 1e200, -1e200,
    ]

    /// Inserts an object for each of the values, with relationships to other objects.
    package static func fill(_ context: ManagedObjectContext) throws {
        let count = max(texts.count, doubles.count, moments.count)
        var objects: [ManagedObject] = []
        for index in 0..<count {
            let object = try context.insert(entity: "Sample")
            let text = texts[index % texts.count]
            let values: [String: AttributeValue] = [
                "string": .string(text), "text": .string(text), "uri": .uri("x:" + text),
                "double": .double(doubles[index % doubles.count]),
                "date": .date(Timestamp(secondsSince1970: moments[index % moments.count])),
                "integer16": .integer(index.isMultiple(of: 2) ? Int64(Int16.min) : Int64(Int16.max)),
                "integer32": .integer(index.isMultiple(of: 2) ? Int64(Int32.min) : Int64(Int32.max)),
                "integer64": .integer(index.isMultiple(of: 2) ? .min : .max),
                "number": .integer(Int64(index)), "flag": .boolean(index.isMultiple(of: 3)),
                "boolean": .boolean(index.isMultiple(of: 2)),
                "decimal": .decimal("-123456789012345678901234567890.\(index + 1)1"),
                "binary": .binary((0..<index).map { UInt8(truncatingIfNeeded: $0 * 37) }),
                "uuid": .uuid(UUIDValue(high: .max - UInt64(index), low: UInt64(index))),
            ]
            for (name, value) in values { try object.setValue(value, of: name) }
            objects.append(object)
        }
        // An object with only the required values.
        let bare = try context.insert(entity: "Sample")
        try bare.setValue(.string("bare"), of: "text")
        try bare.setValue(.integer(-1), of: "number")
        try bare.setValue(.boolean(false), of: "flag")
        for (index, object) in objects.enumerated() where index > 0 {
            try object.setTarget(objects[index - 1], of: "next")
            try object.objects(of: "likes").insert(objects[(index * 7) % count])
        }
        try objects[0].setTarget(objects[0], of: "next")
        try objects[0].objects(of: "likes").insert(objects[0])
        try context.save()
        // An id that is never used again, and a gap in the ids.
        try context.delete(try context.insert(entity: "Sample", text: "gone"))
        try context.delete(objects[3])
        try context.save()
        let last = try context.insert(entity: "Sample", text: "last")
        try context.save()
        try context.delete(last)
        try context.save()
    }
}

extension ManagedObjectContext {
    fileprivate func insert(entity: String, text: String) throws -> ManagedObject {
        let object = try insert(entity: entity)
        try object.setValue(.string(text), of: "text")
        try object.setValue(.integer(0), of: "number")
        try object.setValue(.boolean(true), of: "flag")
        return object
    }
}
