/// Who a request is from, once that is known.
package struct Visitor: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A browser that signed in; by the hash of its cookie.
        case session([UInt8])
        /// A program; by the token's id.
        case token(String)
    }

    package var kind: Kind
    package var scopes: Set<Scope>
}
