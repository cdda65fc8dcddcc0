import Varlink

/// The calls of `org.varlink.certification` in their order, and the values of each.
///
/// The reply to one call contains the parameters of the next one, so one table serves both ends.
enum Certification {
    static let interface = "org.varlink.certification"

    struct Step {
        let method: String
        /// The parameters that the caller sends besides its `client_id`.
        let parameters: JSONObject
    }

    static let steps: [Step] = [
        step("Test01", "{}"),
        step("Test02", #"{"bool":true}"#),
        step("Test03", #"{"int":1}"#),
        step("Test04", #"{"float":1.0}"#),
        step("Test05", #"{"string":"ping"}"#),
        step("Test06", #"{"bool":false,"int":2,"float":3.141592653589793,"string":"a lot of string"}"#),
        step(
            "Test07",
            #"{"struct":{"bool":false,"int":2,"float":3.141592653589793,"string":"a lot of string"}}"#),
        step("Test08", #"{"map":{"foo":"Foo","bar":"Bar"}}"#),
        step("Test09", #"{"set":{"one":{},"two":{},"three":{}}}"#),
        step(
            "Test10",
            #"{"mytype":{"object":{"method":"org.varlink.certification.Test09","#
                + #""parameters":{"map":{"foo":"Foo","bar":"Bar"}}},"enum":"two","#
                + #""struct":{"first":1,"second":"2"},"array":["one","two","three"],"#
                + #""dictionary":{"foo":"Foo","bar":"Bar"},"stringset":{"one":{},"two":{},"three":{}},"#
                + #""interface":{"foo":[null,{"foo":"foo","bar":"bar"},null,{"one":"foo","two":"bar"}],"#
                + #""anon":{"foo":true,"bar":false}}}}"#),
        Step(method: "Test11", parameters: lastReplies),
        step("End", "{}"),
    ]

    /// The replies to Test10, which requests several.
    static let replies = (1...10).map { "Reply number \($0)" }

    private static let lastReplies = JSONObject([
        (name: "last_more_replies", value: .array(replies.map { .string($0) }))
    ])

    private static func step(_ method: String, _ parameters: String) -> Step {
        guard case .object(let object)? = try? JSONParser.parse(Array(parameters.utf8)) else {
            preconditionFailure("\(method) has parameters that are not JSON")
        }
        return Step(method: method, parameters: object)
    }

    /// A value in which the order of members is ignored, a member that is null is absent, and 1.0 is 1.
    static func normalized(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.filter { $0.value != .null }.sorted { $0.name < $1.name }
                        .map { (name: $0.name, value: normalized($0.value)) }))
        case .array(let elements): .array(elements.map(normalized))
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? json
        default: json
        }
    }
}
