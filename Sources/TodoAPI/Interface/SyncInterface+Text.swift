extension SyncInterface {
    /// The text of `dev.todod.Sync.varlink`, returned by `GetInterfaceDescription`.
    package static var description: String {
        String(decoding: PackageResources.dev_todod_Sync_varlink, as: UTF8.self)
    }

    /// The qualified names of the methods that change nothing.
    package static var readingMethods: Set<String> { [FindLists.qualifiedName, GetSyncState.qualifiedName] }
}
