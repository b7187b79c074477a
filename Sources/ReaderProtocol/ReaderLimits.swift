/// The bounds of the protocol between the station and its reader processes. Both sides keep to them; the station drops a reader that
/// doesn't.
package enum ReaderLimits {
    /// Rises with every change to the packets; station and reader come from one package and must agree (`ReaderBuild`).
    package static let protocolVersion: UInt16 = 7
    /// Longest packet either way. Holds the longest symbol (below) with its header.
    package static let maxPacketLength = 36 * 1024
    /// How many codes are reported per frame; any more are counted as omitted.
    package static let maxSymbolsPerFrame = 256
    /// How many places that look like a code and aren't read are reported per frame.
    package static let maxUnreadCodes = 8
    /// Their figures, and their modules in pixels.
    package static let unreadFigures = 0.0...65_536.0
    /// How many places where codes may be are reported per frame.
    package static let maxPlaces = 24
    /// How many refuted codes are reported per frame, and their bytes: the longest Code 128 that the soft reader looks for has 33 pairs of digits.
    package static let maxRefuted = 8
    package static let maxRefutedBytes = 66
    /// Data of one code. The largest real one: QR version 40-L with 7089 digits.
    package static let maxSymbolBytes = 8192
    /// Its text in UTF-8: three bytes for each of Latin-1 or Shift JIS.
    package static let maxTextBytes = 3 * maxSymbolBytes
    /// AIM identifier, add-on, structured-append id.
    package static let maxShortBytes = 64
    /// Width and height of anything that is read.
    package static let maxDimension = 32_768
    /// Frame memory shared with the readers. A photo of 12 MP in each of six slots is 74 MB.
    package static let maxRingBytes: UInt64 = 256 << 20
    /// A message in a refusal.
    package static let maxMessageBytes = 512
    /// Corners may be a little outside the view, never far.
    package static let cornerRange = -1.0...2.0
    /// Passes of an exhaustive read.
    package static let maxPasses = 4096
    /// The number of the pass after all others, which says why codes weren't read.
    package static let explanation = maxPasses
}
