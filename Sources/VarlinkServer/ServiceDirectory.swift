internal import Varlink

/// An implementation of `org.varlink.service`, which describes the service and each of its interfaces.
package struct ServiceDirectory {
    private let vendor: String
    private let product: String
    private let version: String
    private let url: String
    private let descriptions: [(interface: String, text: String)]

    /// Creates a directory.
    ///
    /// - Parameter interfaces: all interfaces except `org.varlink.service`, which is added.
    package init(
        vendor: String, product: String, version: String, url: String,
        interfaces: [(interface: String, text: String)]
    ) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
        descriptions = [(ServiceInterface.name, ServiceInterface.description)] + interfaces
    }

    /// Whether the service has this interface.
    package func has(interface: String) -> Bool {
        descriptions.contains { $0.interface == interface }
    }

    /// Answers a call to `org.varlink.service` with a reply or an error.
    package func answer(_ responder: Responder) {
        switch responder.call.method {
        case "\(ServiceInterface.name).GetInfo": info(responder)
        case "\(ServiceInterface.name).GetInterfaceDescription": description(responder)
        case let method:
            responder.fail("\(ServiceInterface.name).MethodNotFound") { fields in
                fields.name("method")
                fields.value(method)
            }
        }
    }

    private func info(_ responder: Responder) {
        guard checkParameters(responder, known: []) else { return }
        responder.reply { fields in
            for (name, value) in [
                ("vendor", vendor), ("product", product), ("version", version), ("url", url),
            ] {
                fields.name(name)
                fields.value(value)
            }
            fields.name("interfaces")
            fields.array { array in for entry in descriptions { array.value(entry.interface) } }
        }
    }

    private func description(_ responder: Responder) {
        guard checkParameters(responder, known: ["interface"]) else { return }
        guard case .string(let interface)? = responder.call.parameters["interface"] else {
            return invalidParameter("interface", responder)
        }
        guard let found = descriptions.first(where: { $0.interface == interface }) else {
            return responder.fail("\(ServiceInterface.name).InterfaceNotFound") { fields in
                fields.name("interface")
                fields.value(interface)
            }
        }
        responder.reply { fields in
            fields.name("description")
            fields.value(found.text)
        }
    }

    private func checkParameters(_ responder: Responder, known: [String]) -> Bool {
        guard let unknown = responder.call.parameters.members.first(where: { !known.contains($0.name) })
        else {
            return true
        }
        invalidParameter(unknown.name, responder)
        return false
    }

    private func invalidParameter(_ name: String, _ responder: Responder) {
        responder.fail("\(ServiceInterface.name).InvalidParameter") { fields in
            fields.name("parameter")
            fields.value(name)
        }
    }
}
