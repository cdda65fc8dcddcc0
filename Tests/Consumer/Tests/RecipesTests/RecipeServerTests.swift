import Foundation
import ObjectStore
import Recipes
import Testing

/// A server with many tasks.
@Suite struct RecipeServerTests {
    private let directory = Directory()

    @Test func hundredTasksSeeWholeStates() async throws {
        let server = try RecipeServer(.sqlite(path: directory.url.appending(path: "server.sqlite").path))
        let counts = try await withThrowingTaskGroup(of: Int?.self) { group in
            for task in 1...100 {
                group.addTask {
                    guard task % 4 == 0 else {
                        let (titles, seconds) = try await server.course(.soup)
                        // Each recipe takes a minute, so another sum would be that of another state.
                        #expect(seconds == titles.count * 60)
                        return nil
                    }
                    return try await server.add("soup \(task)", seconds: 60, .soup)
                }
            }
            var counts: [Int] = []
            for try await count in group { if let count { counts.append(count) } }
            return counts
        }
        // Writes run one after the other, so each has counted one more recipe.
        #expect(counts.sorted() == Array(1...25))
        #expect(try await server.course(.soup).titles.count == 25)
        await server.close()
    }

    /// Tasks are cancelled while they wait, while they read and after their end.
    @Test func cancelledTasksLeaveServerUsable() async throws {
        let server = try RecipeServer(.sqlite(path: directory.url.appending(path: "server.sqlite").path))
        let saves = server.saves
        let reported = Task { await saves.reduce(into: 0) { count, _ in count += 1 } }
        let tasks = (1...100).map { number in
            Task {
                if number % 4 == 0 { _ = try await server.add("soup \(number)", seconds: 60, .soup) }
                return try await server.recipes(.soup).map(\.title)
            }
        }
        for task in tasks.prefix(50) { task.cancel() }
        for task in tasks.suffix(50) { #expect(try await Set(task.value).count == task.value.count) }
        for task in tasks.prefix(50) { _ = await task.result }

        let recipes = try await server.recipes(.soup)
        #expect((13...25).contains(recipes.count) && recipes.allSatisfy { $0.seconds == 60 })
        await server.close()
        #expect(await reported.value == recipes.count)
    }
}
