/// The daemon's Varlink interface: its name and its description.
package enum TodoInterface {
    package static let name = "dev.todod.Todo"

    /// The text of `dev.todod.Todo.varlink`, returned by `GetInterfaceDescription`.
    package static var description: String {
        String(decoding: PackageResources.dev_todod_Todo_varlink, as: UTF8.self)
    }

    /// The qualified names of the methods that change nothing.
    package static var readingMethods: Set<String> {
        [
            CheckConfig.qualifiedName, DueItems.qualifiedName, Export.qualifiedName, GetConfig.qualifiedName,
            GetItem.qualifiedName, ListCategories.qualifiedName, ListItems.qualifiedName,
            Status.qualifiedName, Watch.qualifiedName,
        ]
    }
}

/// The version of the programs and of this package.
package let tododVersion = "0.1.0"
