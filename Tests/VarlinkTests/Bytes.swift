import Varlink

extension FrameDecoder {
    mutating func append(_ bytes: some Sequence<UInt8>) {
        Array(bytes).withUnsafeBufferPointer { append($0) }
    }
}

extension ServerConnection {
    mutating func receive(_ bytes: some Sequence<UInt8>) {
        Array(bytes).withUnsafeBufferPointer { receive($0) }
    }
}
