import Settings

/// What a client asks of `preview`.
package struct PreviewRequest: Hashable, Sendable {
    /// Pixels: narrower shows nothing, wider costs more than it tells.
    package static let widths = 32...640

    /// The frame that the client has already; `nil`: any that comes from now on.
    package var after: UInt64?
    package var maxWidth: Int

    package init(after: UInt64? = nil, maxWidth: Int = PreviewRequest.widths.upperBound) {
        self.after = after
        self.maxWidth = maxWidth
    }
}

/// The reply to `preview`: its line, then the picture's bytes. No bytes: there was no picture in time.
package struct PreviewReply: Sendable {
    package var reply: Reply
    /// Rows of grey without padding, as many as the reply's `preview.bytes` says.
    package var pixels: [UInt8]

    package init(_ reply: Reply, pixels: [UInt8] = []) {
        self.reply = reply
        self.pixels = pixels
    }

    /// In one piece, so that nothing comes between the two.
    package func bytes(tag: JSONValue?) -> [UInt8] { reply.line(tag: tag) + pixels }
}

/// Waits for a picture. The text of codes with a password or a secret is shown as the policy says.
package typealias PreviewHandler = @Sendable (PreviewRequest, SecretPolicy) async -> PreviewReply
