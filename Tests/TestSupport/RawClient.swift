/// A client of a Unix socket that shares no code with ours.
package enum RawClient {
    /// `nil` if nobody answers.
    package static func connect(_ path: String) -> ByteEnd? { UnixSocket.connect(path).map(ByteEnd.init) }
}
