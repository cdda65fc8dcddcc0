extension Sequence<UInt8> {
    /// Returns the 64-bit FNV-1a hash of the bytes, which is the same in each process and version.
    package func stableHash(from start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
