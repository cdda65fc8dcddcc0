/// The `org.varlink.service` interface. Every Varlink service has it, so that clients can identify the
/// service.
package enum ServiceInterface {
    package static let name = "org.varlink.service"

    package static let description = """
        # The interface that every Varlink service has.
        interface org.varlink.service

        # Returns the vendor, the product, the version and the interfaces of the service.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Returns the description of an interface, in this language.
        method GetInterfaceDescription(interface: string) -> (description: string)

        error InterfaceNotFound (interface: string)
        error MethodNotFound (method: string)
        error MethodNotImplemented (method: string)
        error InvalidParameter (parameter: string)
        error PermissionDenied ()
        error ExpectedMore ()

        """
}
