/// The source objects of one entity mapping and the destination objects created from them, in both
/// directions.
struct InstanceAssociations {
    private var destinations = IDMap()
    private var sources = IDMap()

    mutating func add(source: Int64, destination: Int64) {
        destinations.add(key: source, value: destination)
        sources.add(key: destination, value: source)
    }

    func destinations(of source: Int64) -> [Int64] { destinations.values(of: source) }

    func sources(of destination: Int64) -> [Int64] { sources.values(of: destination) }
}

/// A map from ids to ids that is small if keys and values increase together. A million objects that keep
/// their ids are one run.
struct IDMap {
    /// A mapping of `count` consecutive ids, starting at `key`, to consecutive ids, starting at `value`.
    private struct Run {
        let key: Int64
        let value: Int64
        var count: Int64
    }

    private static let layerLimit = 4
    /// Lists of runs with ascending keys, for binary search. An id with two values needs two layers.
    private var layers: [[Run]] = []
    /// The pairs that did not fit into a layer because their keys are out of order.
    private var scattered: [Int64: [Int64]] = [:]

    mutating func add(key: Int64, value: Int64) {
        for index in layers.indices {
            guard let last = layers[index].last, last.key + last.count <= key else { continue }
            if last.key + last.count == key && last.value + last.count == value {
                layers[index][layers[index].count - 1].count += 1
            } else {
                layers[index].append(Run(key: key, value: value, count: 1))
            }
            return
        }
        if layers.count < Self.layerLimit {
            layers.append([Run(key: key, value: value, count: 1)])
        } else {
            scattered[key, default: []].append(value)
        }
    }

    /// Returns the values of an id, in no particular order.
    func values(of key: Int64) -> [Int64] {
        var values = scattered.isEmpty ? [] : scattered[key] ?? []
        for layer in layers {
            if let value = Self.value(of: key, in: layer) { values.append(value) }
        }
        return values
    }

    private static func value(of key: Int64, in layer: [Run]) -> Int64? {
        var low = 0
        var high = layer.count
        while low < high {
            let middle = (low + high) / 2
            if layer[middle].key <= key { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let run = layer[low - 1]
        return key < run.key + run.count ? run.value + (key - run.key) : nil
    }
}
