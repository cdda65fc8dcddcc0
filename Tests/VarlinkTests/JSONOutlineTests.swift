import Testing

@testable import Varlink

@Suite struct JSONOutlineTests {
    /// The values of a list that is read one by one.
    private func values(_ outline: JSONOutline?, in text: String) throws -> [String] {
        guard case .list(let list)? = outline else { return ["no list"] }
        return try values(list, in: text)
    }

    private func values(_ list: JSONList, in text: String) throws -> [String] {
        var reader = JSONListReader(list, in: text)
        var values: [String] = []
        while let value = try reader.next() { values.append(value.text) }
        #expect(reader.index == list.count && values.count == list.count)
        return values
    }

    @Test(arguments: [
        ("[]", []), (" [ ] ", []), ("[1]", ["1"]),
        (
            " [ {\"a\" : [1, 2]} ,\n\"é]\",[[]], null ] ",
            ["{\"a\":[1,2]}", "\"é]\"", "[[]]", "null"]
        ),
    ])
    func listIsReadValueByValue(text: String, wanted: [String]) throws {
        #expect(try values(JSONOutline(of: text), in: text) == wanted)
    }

    @Test(arguments: ["{\"a\":1} {\"b\":[2]}", "{\"a\":1}\r\n{\"b\":[2]}\n", "{\"a\":1},\n{\"b\":[2]},"])
    func consecutiveObjectsAreAList(text: String) throws {
        #expect(try values(JSONOutline(of: text), in: text) == ["{\"a\":1}", "{\"b\":[2]}"])
        #expect(try values(JSONList(objectsIn: text), in: text) == ["{\"a\":1}", "{\"b\":[2]}"])
    }

    @Test func membersOfObjectAreKept() throws {
        let text = #" {"version": 1, "list" : [ 1 , {"x":2} ], "inner": {"list":[3]}, "last":[] } "#
        let outline = try JSONOutline(of: text)
        guard case .object(let members) = outline else { return #expect(Bool(false)) }
        #expect(members.map(\.name) == ["version", "list", "inner", "last"])
        guard case .value(.integer(1))? = outline["version"] else { return #expect(Bool(false)) }
        #expect(try values(outline["list"], in: text) == ["1", "{\"x\":2}"])
        #expect(try values(outline["last"], in: text) == [])
        #expect(outline["inner"]?.kind == "an object" && outline["list"]?.kind == "an array")
        #expect(outline["none"] == nil && outline.kind == "an object")
        #expect(try values(JSONList(objectsIn: text), in: text).count == 1)
    }

    @Test(arguments: ["1", "\"x\"", "null", "-1.5"])
    func singleValueIsRead(text: String) throws {
        guard case .value(let value) = try JSONOutline(of: text) else { return #expect(Bool(false)) }
        #expect(value.text == text)
    }

    /// The error is that of a parser that reads all of the text at once.
    @Test(arguments: [
        "", " ", "[1,]", "[1 2]", "[", "[1", "{\"a\"}", "{\"a\":1,}", "{a:1}", "{\"a\":1,\"a\":2}",
        "{\"a\":[1,{\"b\":1,\"b\":2}]}", "{\"a\":[1 2]}", "{\"a\":[}", "{\"a\":1}x", "1 2", "[1][2]",
        "[{\"a\":\"\\ud800\"}]", "{\"a\":", "{",
        String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
        "{\"a\":" + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}",
    ])
    func malformedJSONIsRefusedAtSameByte(text: String) {
        let whole = #expect(throws: JSONError.self) { try JSONParser.parse(text.utf8) }
        let outline = #expect(throws: JSONError.self) { try JSONOutline(of: text) }
        #expect(outline == whole)
    }

    @Test(arguments: ["{\"a\":1}{\"b\":}", "{\"a\":1} [2]", "{\"a\":1} 2", "{\"a\":1};{\"b\":2}"])
    func consecutiveObjectsWithOtherValuesAreRefused(text: String) {
        #expect(throws: JSONError.self) { try JSONOutline(of: text) }
    }

    @Test func nestingLimitIsThatOfParser() throws {
        let depth = JSONParser.nestingLimit
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        _ = try JSONOutline(of: deep)
        _ = try JSONOutline(of: "{\"a\":\(deep.dropFirst().dropLast())}")
    }
}
