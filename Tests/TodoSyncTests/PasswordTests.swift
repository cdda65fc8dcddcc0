import Foundation
import TestProcesses
import Testing

@testable import TodoSync

@Suite final class PasswordTests {
    private let directory = "\(TestRun.directoryPrefix)secrets-\(UUID().uuidString.prefix(8))"
    /// A bus that does not exist.
    private let noBus = "unix:path=/nonexistent/bus"

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private func passwords(credentials: String? = nil) -> Passwords {
        Passwords(directory: "\(directory)/sync", busAddress: noBus, credentialsDirectory: credentials)
    }

    private func write(_ text: String, mode: Int, to name: String = "pw") throws -> String {
        let path = "\(directory)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func read(_ source: String, command: String? = nil) throws(PasswordError) -> String {
        guard let source = PasswordSource(source) else { throw PasswordError("no source") }
        return try passwords().password(of: "home", from: source, command: command)
    }

    // MARK: - Sources

    @Test(arguments: ["keyring", "file:/a b", "command:pass show a:b", "credential:pw", ""])
    func sourceIsWrittenAsItWasRead(text: String) {
        #expect(PasswordSource(text)?.description == text)
    }

    @Test(arguments: ["secret", "keyring:x", "file:", "file:relative", "command:", "credential:../x", ":"])
    func wrongSourceIsRefused(text: String) {
        #expect(PasswordSource(text) == nil)
    }

    // MARK: - Files

    @Test func firstLineOfAFileIsThePassword() throws {
        let path = try write("secret word \r\nmore\n", mode: 0o600)
        #expect(try read("file:\(path)") == "secret word ")
    }

    @Test(arguments: [0o640, 0o604, 0o644, 0o620])
    func fileForOtherUsersIsRefused(mode: Int) throws {
        let path = try write("secret", mode: mode)
        let error = #expect(throws: PasswordError.self) { try self.read("file:\(path)") }
        #expect(error?.description == "other users have access to \(path); run:  chmod 600 '\(path)'")
    }

    @Test func missingOrEmptyFileIsNamed() throws {
        let missing = #expect(throws: PasswordError.self) { try self.read("file:\(self.directory)/none") }
        #expect(missing?.description.contains("\(directory)/none") == true)
        let path = try write("\n", mode: 0o600)
        let empty = #expect(throws: PasswordError.self) { try self.read("file:\(path)") }
        #expect(empty?.description == "\(path) has no password; write the password into its first line")
    }

    @Test func linkIsRefused() throws {
        let path = try write("secret", mode: 0o600)
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory)/link", withDestinationPath: path)
        #expect(throws: PasswordError.self) { try self.read("file:\(self.directory)/link") }
    }

    @Test func passwordIsStoredInAFileWithoutASecretService() throws {
        let source = try passwords().store("secret", of: "my/../home")
        let path = "\(directory)/sync/my%2f%2e%2e%2fhome.password"
        #expect(source == .file(path))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        #expect(try passwords().password(of: "my/../home", from: source, command: nil) == "secret")
        try passwords().remove(passwordOf: "my/../home", from: source)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func fileOfTheUserIsNotRemoved() throws {
        let path = try write("secret", mode: 0o600)
        try passwords().remove(passwordOf: "home", from: .file(path))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    // MARK: - Commands

    @Test func firstLineOfACommandIsThePassword() throws {
        #expect(try read("command:printf 'a b\\nuser: x\\n'") == "a b")
    }

    @Test func configurationHasTheDefaultCommand() throws {
        #expect(try read("", command: "echo secret") == "secret")
        let error = #expect(throws: PasswordError.self) { try self.read("") }
        #expect(error?.description.contains("PasswordCommand=") == true)
    }

    @Test(arguments: [("exit 3", "status 3"), ("kill -9 $$", "signal 9"), ("true", "printed nothing")])
    func failedCommandIsReported(command: String, reason: String) {
        let error = #expect(throws: PasswordError.self) { try self.read("command:\(command)") }
        #expect(error?.description.contains(reason) == true)
    }

    @Test func hangingCommandIsKilled() {
        let error = #expect(throws: PasswordError.self) {
            try PasswordCommand(text: "sleep 60 & sleep 60").read(secondsLimit: 1)
        }
        #expect(error?.description.contains("within 1 s") == true)
    }

    @Test func commandHasNoInput() throws {
        #expect(try read("command:cat; echo end") == "end")
    }

    // MARK: - Credentials

    @Test func credentialIsAFileOfTheService() throws {
        _ = try write("secret\n", mode: 0o440, to: "dav")
        let password = try passwords(credentials: directory).password(
            of: "home", from: .credential("dav"), command: nil)
        #expect(password == "secret")
        let error = #expect(throws: PasswordError.self) { try self.read("credential:dav") }
        #expect(error?.description.contains("LoadCredential=dav:PATH") == true)
    }

    @Test func absentKeyringIsNamed() {
        let error = #expect(throws: PasswordError.self) { try self.read("keyring") }
        #expect(error?.description.contains("no keyring is running") == true)
    }
}
