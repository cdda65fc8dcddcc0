import ObjectStore

/// A list of recipes on a screen, in sections by course. It belongs to the queue of its context.
public final class RecipeList {
    /// The recipes of a course.
    public struct Section: Hashable, Sendable {
        public var name: String
        public var titles: [String]

        public init(name: String, titles: [String]) {
            self.name = name
            self.titles = titles
        }
    }

    /// The sections that the screen shows.
    public private(set) var sections: [Section] = []
    /// The number of rows that the differences took out, inserted or showed again.
    public private(set) var drawnRows = 0

    private let results: FetchedResultsController<Recipe>
    private var observation: ObservationToken?

    /// Shows the recipes of a context, and follows its changes.
    public init(in context: ManagedObjectContext) throws {
        results = FetchedResultsController(
            Recipe.all.ordered(by: \.course).ordered(by: \.title), sectionedBy: \.course,
            titled: { "\($0)" }, in: context)
        try results.performFetch()
        sections = current
        observation = results.observe { [weak self] changes in self?.apply(changes) }
    }

    /// The sections of the results, without the differences.
    public var current: [Section] {
        results.sections.map { section in
            Section(name: section.name, titles: results.objects[section.range].map(\.title))
        }
    }

    private func apply(_ changes: FetchedResultsChanges<Recipe>) {
        for (_, place) in changes.removals { sections[place.section].titles.remove(at: place.index) }
        for position in changes.deletedSections { sections.remove(at: position) }
        for position in changes.insertedSections {
            sections.insert(Section(name: results.sections[position].name, titles: []), at: position)
        }
        for (recipe, place) in changes.insertions {
            sections[place.section].titles.insert(recipe.title, at: place.index)
        }
        for (recipe, place) in changes.updated { sections[place.section].titles[place.index] = recipe.title }
        drawnRows += changes.removals.count + changes.insertions.count + changes.updated.count
    }
}
