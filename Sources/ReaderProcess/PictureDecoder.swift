import ReaderProtocol

/// Decodes picture files. Only one of the two reader processes has it: a process that gets a camera's frames has no need for the libraries
/// of eight picture formats.
package protocol PictureDecoder {
    /// - Parameters:
    ///   - memory: bounded to what the picture's pixels need while it is decoded, and lifted afterwards.
    ///   - beside: called while it is bounded, for the test's faults.
    func decode(
        _ file: SharedBytes, maxPixels: UInt64, memory: WorkerMemory, beside: () -> Void
    ) throws(PictureRefusal) -> DecodedPicture
}

/// Why a picture file can't be decoded, in words for its owner.
package struct PictureRefusal: Error {
    package var message: String

    package init(message: String) { self.message = message }
}

/// A decoded picture: its pixels live as long as `owner`.
package struct DecodedPicture {
    package let view: LumaView
    /// What is missing or wrong; `nil`: nothing.
    package let damage: String?
    package let owner: AnyObject

    package init(view: LumaView, damage: String?, owner: AnyObject) {
        self.view = view
        self.damage = damage
        self.owner = owner
    }
}
