import Testing
import TodoAPI

/// `todoctl sync conflicts` and the commands that resolve conflicts, with a server in the place of todod.
@Suite struct SyncConflictTests {
    @Test func conflictsShowBothValues() throws {
        let services = try FakeServices()
        #expect(try services.todoctl("sync conflicts").output == "There are no conflicts.\n")
        services.addConflicts()
        let output = try services.todoctl("sync conflicts").output
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "Conflict:      3, of item 12  Pay the rent")
        #expect(lines[1].hasPrefix("List:          home of dav.example.org, "))
        #expect(lines[2].contains("27 Nov 2031 09:00, in ") && lines[2].hasPrefix("Due:"))
        #expect(lines[3].hasPrefix("               lost: ") && lines[3].contains("28 Nov 2031 10:00, in "))
        #expect(lines[4] == "Priority:      2 (1 is the highest, 9 the lowest)")
        #expect(lines[5] == "               lost: none")
        #expect(lines[7] == "Conflict:      4, of item 13  Call  (deleted)")
        #expect(lines[9...10] == ["Name:          lost: Tea, green", "Location:      lost: Shop"])
        #expect(output.hasSuffix("To keep the present one:   todoctl sync conflicts clear 3\n"))
        let json = try services.todoctl("sync conflicts --json").output
        #expect(json.hasPrefix(#"{"conflicts":[{"id":3,"item":12"#))
    }

    @Test func lostDeletionIsShown() throws {
        let services = try FakeServices()
        services.set { $0.conflicts = [.sample(5, item: 13, [], "")] }
        let output = try services.todoctl("sync conflicts").output
        #expect(output.contains("\nLost:          the deletion of the item, because it was changed"))
        #expect(!output.contains("restore") && output.hasSuffix("todoctl sync conflicts clear 5\n"))
    }

    @Test func lostValueIsRestored() throws {
        let services = try FakeServices()
        services.addConflicts()
        let result = try services.todoctl("sync conflicts restore 3")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Restored the due time, priority: 12  Pay the rent  ("))
        #expect(services.calls == [#"ResolveSyncConflict {"id":3,"restore":true}"#])
        let unknown = try services.todoctl("sync conflicts restore 9")
        #expect(unknown.status == 1)
        #expect(
            unknown.errors
                == "todoctl: there is no conflict 9\nTo see all conflicts:  todoctl sync conflicts\n")
        for line in ["restore", "restore x", "restore 3-5", "clear", "clear 3 --all"] {
            #expect(try services.todoctl("sync conflicts \(line)").status == 2, "\(line)")
        }
    }

    @Test func conflictsAreCleared() throws {
        let services = try FakeServices()
        services.addConflicts()
        #expect(
            try services.todoctl("sync conflicts clear 3,4").output
                == "Cleared conflict 3\nCleared conflict 4\n")
        #expect(services.calls[1] == #"ResolveSyncConflict {"id":4,"restore":false}"#)
        let asked = try services.todoctl("sync conflicts clear --all")
        #expect(asked.status == 2)
        #expect(asked.errors.hasSuffix("To confirm:  todoctl sync conflicts clear --all --yes\n"))
        #expect(try services.todoctl("sync conflicts clear --all --yes").status == 0)
        #expect(services.calls.count == 4)
    }
}
