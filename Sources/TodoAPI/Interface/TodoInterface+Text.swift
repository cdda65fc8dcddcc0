extension TodoInterface {
    /// The text of `dev.todod.Todo.varlink`, returned by `GetInterfaceDescription`.
    package static var description: String {
        String(decoding: PackageResources.dev_todod_Todo_varlink, as: UTF8.self)
    }

    /// The qualified names of the methods that change nothing.
    package static var readingMethods: Set<String> {
        [
            CheckConfig.qualifiedName, DueItems.qualifiedName, Export.qualifiedName, GetConfig.qualifiedName,
            GetItem.qualifiedName, ListCategories.qualifiedName, ListHistory.qualifiedName,
            ListItems.qualifiedName, ListTags.qualifiedName, ListSyncAccounts.qualifiedName,
            ListSyncConflicts.qualifiedName, ListSyncEntries.qualifiedName, ListViews.qualifiedName,
            Status.qualifiedName,
            Watch.qualifiedName,
        ]
    }
}
