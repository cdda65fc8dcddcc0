import Testing
import Varlink

@Suite struct MessageTests {
    @Test func callIsRead() throws {
        let call = try MethodCall(
            message: Array(#"{"method":"a.b.C","parameters":{"x":1},"more":true}"#.utf8))
        #expect(call.method == "a.b.C")
        #expect(call.interface == "a.b")
        #expect(call.parameters["x"] == .integer(1))
        #expect(call.wantsMore && !call.isOneway)
        let bare = try MethodCall(message: Array(#"{"method":"a.B","parameters":null,"oneway":null}"#.utf8))
        #expect(bare.parameters.members.isEmpty && !bare.isOneway)
    }

    @Test(arguments: [
        "", "x", "[]", "{}", #"{"method":""}"#, #"{"method":1}"#, #"{"method":"a.B","parameters":[]}"#,
        #"{"method":"a.B","parameters":1}"#,
        #"{"method":"a.B","more":1}"#, #"{"method":"a.B","oneway":"yes"}"#,
        #"{"method":"a.B","oneway":true,"more":true}"#,
        #"{"method":"a.B","upgrade":true}"#, #"{"method":"a.B","method":"a.C"}"#,
    ])
    func malformedCallIsRefused(text: String) {
        #expect(throws: MessageError.self) { try MethodCall(message: Array(text.utf8)) }
    }

    @Test func writtenCallReadsBack() throws {
        let bytes = MethodCall.bytes("a.b.C", isOneway: true) { fields in
            fields.name("x")
            fields.value("y")
        }
        let call = try MethodCall(message: bytes)
        #expect(call.method == "a.b.C" && call.isOneway && call.parameters["x"] == .string("y"))
    }

    @Test func writtenReplyReadsBack() throws {
        let bytes = MethodReply.bytes(error: "a.E", continues: true) { fields in
            fields.name("x")
            fields.value(Int64(2))
        }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"error":"a.E","parameters":{"x":2},"continues":true}"#)
        let reply = try MethodReply(message: bytes)
        #expect(reply.error == "a.E" && reply.continues && reply.parameters["x"] == .integer(2))
    }
}
