import ObjectStore
import TestSupport
import Testing

/// Fetches of attributes that are derived from related objects, with unsaved changes.
@Suite struct RelatedDerivationFetchTests: PoetSuite {
    let directory = TemporaryStore()

    @Test(arguments: TestedStore.allCases)
    func fetchSeesValuesOfUnsavedChanges(_ kind: TestedStore) throws {
        let context = try context(kind)
        let (keats, byron) = (try poet("Keats", context), try poet("Byron", context))
        let ode = try poem("Ode", lines: 1, keats, context)
        try context.save()
        let hasPoems = try FetchRequest<Poet>(matching: FetchPredicate("poemCount > 0"))
        ode.poet = byron
        #expect(try context.fetch(hasPoems) == [byron])
        #expect(byron.poemCount == 1 && keats.poemCount == 0)
        // The row in the open transaction refers to Byron, and the saved one to Keats.
        ode.poet = nil
        #expect(try context.fetch(hasPoems) == [])
        #expect(byron.poemCount == 0)
        ode.poet = byron
        #expect(try context.fetch(hasPoems) == [byron])
        context.rollback()
        #expect(byron.poemCount == 0 && keats.poemCount == 1 && ode.poetName == "KEATS")
        #expect(try context.fetch(hasPoems) == [keats])
        ode.poet = byron
        #expect(try context.fetch(hasPoems) == [byron])
        try context.refresh(ode)
        #expect(byron.poemCount == 0 && keats.poemCount == 1)
        try requireEqual(context.coordinator)
    }
}
