/// The `org.varlink.service` interface. Every Varlink service has it, so that clients can identify the
/// service.
package enum ServiceInterface {
    package static let name = "org.varlink.service"

    package static let description = """
        # What every Varlink service answers about itself.
        interface org.varlink.service

        # Who made this service, and the interfaces it has.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The description of one interface, in this language.
        method GetInterfaceDescription(interface: string) -> (description: string)

        error InterfaceNotFound (interface: string)
        error MethodNotFound (method: string)
        error MethodNotImplemented (method: string)
        error InvalidParameter (parameter: string)
        error PermissionDenied ()
        error ExpectedMore ()

        """
}
