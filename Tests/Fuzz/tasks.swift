/// Runs one input. libFuzzer calls this repeatedly. A failure is a trap, after which libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try TaskFuzz.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
