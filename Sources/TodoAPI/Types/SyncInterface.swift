/// The Varlink interface of the program that synchronizes.
package enum SyncInterface {
    package static let name = "dev.todod.Sync"
}
