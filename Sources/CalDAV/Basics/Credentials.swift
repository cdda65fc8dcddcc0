/// The user name and the password of an account.
///
/// The description does not contain the password.
package struct Credentials: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package let user: String
    package let password: String

    package init(user: String, password: String) {
        (self.user, self.password) = (user, password)
    }

    package var description: String { user }

    package var debugDescription: String { user }
}
