/// A store in a database server, where an open transaction delays other programs even while nothing happens in it.
///
/// A coordinator keeps no transaction open in such a store between the calls of a program, except in a batch.
package protocol ServerStore: PersistentStore {}
