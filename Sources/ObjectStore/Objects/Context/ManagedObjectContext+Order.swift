// An ordered relationship keeps the place of each member in an attribute of the member. The places are far apart, so a
// member that moves usually changes its own place only. Members without a place come last, in the order of their IDs:
// new objects, and those that a batch change or another program has added.

extension ManagedObjectContext {
    /// The distance between the places of neighbors, if there is room.
    private static let distance: Int64 = 1 << 32

    /// Gives an object a place among the members of its new target, if the relationship is ordered.
    ///
    /// A place that an object without a target has was set by the program, and is kept.
    ///
    /// - Parameters:
    ///   - object: The object, whose target has been changed.
    ///   - old: The ID of its former target.
    ///   - target: Its new target.
    ///   - column: The column of the to-one relationship.
    func changePlace(
        of object: ManagedObject, from old: AttributeValue, to target: ManagedObject?, column: Int
    ) throws {
        guard let order = orderColumn(ofTargetIn: column, of: object.entity),
            case .toMany(let position) = object.entity.toOne(at: column).inverse
        else { return }
        guard let target else { return setPlace(nil, inColumn: order, of: object) }
        guard !old.isNull || object.values[order].isNull else { return }
        try placeLast(object, in: target, position: position)
    }

    /// Moves a new member of a relationship to the end, if the relationship is ordered.
    func placeLast(_ object: ManagedObject, in owner: ManagedObject, position: Int) throws {
        guard let column = owner.entity.toMany[position].orderColumn else { return }
        // The member with the largest ID comes last without a place.
        if try memberIDs(of: owner, position: position).last == object.id {
            setPlace(nil, inColumn: column, of: object)
        } else {
            let others = try members(of: owner, position: position).filter { $0 !== object }
            place(object, among: others, at: others.count, column: column)
        }
    }

    /// Traps if a relationship is not ordered, or if an object cannot have this index in it.
    func requirePlace(
        for object: ManagedObject, in owner: ManagedObject, position: Int, at index: Int
    ) throws {
        _ = orderColumn(of: owner, position: position)
        let ids = try memberIDs(of: owner, position: position)
        let others = ids.count - (ids.contains(sorted: object.id) ? 1 : 0)
        guard (0...others).contains(index) else {
            let name = owner.entity.toMany[position].name
            fatalError("the index \(index) is not in 0...\(others), where \(name) has room")
        }
    }

    /// Moves a member of an ordered relationship to an index.
    func place(_ object: ManagedObject, in owner: ManagedObject, position: Int, at index: Int) throws {
        let column = orderColumn(of: owner, position: position)
        let others = try members(of: owner, position: position).filter { $0 !== object }
        place(object, among: others, at: index, column: column)
    }

    /// Gives the members of a relationship the order of `objects`, if the relationship is ordered.
    func setOrder(_ objects: [ManagedObject], of owner: ManagedObject, position: Int) throws {
        guard let column = owner.entity.toMany[position].orderColumn,
            try members(of: owner, position: position).map(\.id) != objects.map(\.id)
        else { return }
        number(objects, column: column)
    }

    /// Returns the members of a relationship in its order. `members` have the order of their IDs.
    func inOrder(_ members: [ManagedObject], of relationship: Entity.Relationship) -> [ManagedObject] {
        guard let column = relationship.orderColumn else { return members }
        let ranks = members.map { member in
            let place = member.place(inColumn: column)
            return (place == nil ? 1 : 0, place ?? 0, member.id)
        }
        let isOrdered = zip(ranks, ranks.dropFirst()).allSatisfy { $0 <= $1 }
        return isOrdered ? members : members.indices.sorted { ranks[$0] < ranks[$1] }.map { members[$0] }
    }

    /// Gives an object the place that belongs to its owner, after columns that are unchanged here were read again.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - mine: Its values before that.
    ///   - row: The values that were read.
    func keepPlaces(of object: ManagedObject, since mine: RowValues, reading row: RowValues) {
        for column in object.entity.firstToOne..<object.entity.columns.count {
            guard let order = orderColumn(ofTargetIn: column, of: object.entity) else { continue }
            let saved = (object.savedValues ?? object.values)[column]
            if object.values[column] != saved, object.values[order] != mine[order] {
                object.values[order] = mine[order]
                object.changed.insert(order)
                object.unwritten.insert(order)
                track(object)
            } else if object.values[column] != mine[column], object.changed.contains(order) {
                object.values[order] = row[order]
                object.savedValues?[order] = row[order]
                object.changed.remove(order)
                object.unwritten.remove(order)
            }
        }
    }

    private func orderColumn(of owner: ManagedObject, position: Int) -> Int {
        let relationship = owner.entity.toMany[position]
        guard let column = relationship.orderColumn else {
            fatalError(
                "\(owner.entity.name).\(relationship.name) has no order; declare it with orderedBy")
        }
        return column
    }

    private func place(_ object: ManagedObject, among others: [ManagedObject], at index: Int, column: Int) {
        var places = others.map { $0.place(inColumn: column) }
        // The members before the object need a place.
        for position in places.indices.prefix(index) where places[position] == nil {
            let former = position == 0 ? 0 : places[position - 1] ?? 0
            guard let next = former.adding(Self.distance) else {
                return number(others.inserting(object, at: index), column: column)
            }
            places[position] = next
            setPlace(next, inColumn: column, of: others[position])
        }
        let former = index > 0 ? places[index - 1] : nil
        let next = index < places.count ? places[index] : nil
        if let place = Self.place(after: former, before: next) {
            setPlace(place, inColumn: column, of: object)
        } else {
            number(others.inserting(object, at: index), column: column)
        }
    }

    /// Returns a place between two others, or `nil` if there is no room.
    private static func place(after former: Int64?, before next: Int64?) -> Int64? {
        switch (former, next) {
        case (nil, nil): return 0
        case (let former?, nil): return former.adding(distance)
        case (nil, let next?): return next.adding(-distance)
        case (let former?, let next?):
            let (gap, overflow) = next.subtractingReportingOverflow(former)
            return overflow || gap < 2 ? nil : former + gap / 2
        }
    }

    /// Gives new places to all members.
    private func number(_ members: [ManagedObject], column: Int) {
        for (index, member) in members.enumerated() {
            setPlace(Int64(index) * Self.distance, inColumn: column, of: member)
        }
    }

    private func setPlace(_ place: Int64?, inColumn column: Int, of object: ManagedObject) {
        let value = place.map { AttributeValue.integer($0) } ?? .null
        if object.values[column] != value { set(value, inColumn: column, of: object) }
    }
}

extension ManagedObject {
    fileprivate func place(inColumn column: Int) -> Int64? {
        if case .integer(let place) = values[column] { place } else { nil }
    }
}

extension Int64 {
    /// The sum, or `nil` if it is too large.
    fileprivate func adding(_ distance: Int64) -> Int64? {
        let (sum, overflow) = addingReportingOverflow(distance)
        return overflow ? nil : sum
    }
}

extension [ManagedObject] {
    fileprivate func inserting(_ object: ManagedObject, at index: Int) -> [ManagedObject] {
        var copy = self
        copy.insert(object, at: index)
        return copy
    }
}
