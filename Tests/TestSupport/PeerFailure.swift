/// The other end of what is tested couldn't be set up.
package struct PeerFailure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
