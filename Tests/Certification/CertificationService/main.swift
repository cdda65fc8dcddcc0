import Dispatch
import Foundation
import Varlink

// CertificationService SOCKET INTERFACE  serves org.varlink.certification. INTERFACE is the file with its
// text.
// CertificationService SOCKET            is the client of the server at that socket.

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("CertificationService: \(reason)\n".utf8))
    exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count > 1, let address = UnixAddress(path: arguments[1]) else {
    fail("the path of a socket is missing")
}

do {
    if arguments.count > 2 {
        let service = Service(
            interfaceText: try String(contentsOfFile: arguments[2], encoding: .utf8),
            queue: DispatchQueue(label: "certification"))
        try service.start(at: address)
        dispatchMain()
    }
    try Client(connection: ClientConnection(to: address)).run()
    print("Certification passed")
} catch {
    fail("\(error)")
}
