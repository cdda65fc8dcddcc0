/// The daemon's Varlink interface.
package enum TodoInterface {
    package static let name = "dev.todod.Todo"
}

/// The version of the programs and of this package.
package let tododVersion = "0.1.0"
