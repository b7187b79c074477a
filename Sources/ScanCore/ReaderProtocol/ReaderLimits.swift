/// The bounds of the protocol between the station and its reader processes. Both sides hold to them; the station drops a
/// reader that doesn't.
public enum ReaderLimits {
    /// Rises with every change of the packets; station and reader come from one package and must agree.
    public static let protocolVersion: UInt16 = 2
    /// Longest packet either way. Holds the longest symbol (below) with its header.
    public static let maxPacketLength = 36 * 1024
    /// Codes reported of one frame; more are counted as omitted.
    public static let maxSymbolsPerFrame = 256
    /// Data of one code. The largest real one: QR version 40-L with 7089 digits.
    public static let maxSymbolBytes = 8192
    /// Its text in UTF-8: three bytes for each of Latin-1 or Shift JIS.
    public static let maxTextBytes = 3 * maxSymbolBytes
    /// AIM identifier, add-on, structured-append id.
    public static let maxShortBytes = 64
    /// Width and height of anything that is read.
    public static let maxDimension = 32_768
    /// Frame memory shared with the readers. A photo of 12 MP in each of six slots is 74 MB.
    public static let maxRingBytes: UInt64 = 256 << 20
    /// A message in a refusal.
    public static let maxMessageBytes = 512
    /// Corners may lie a little outside of the view, never far.
    public static let cornerRange = -1.0...2.0
    /// Passes of an exhaustive read.
    public static let maxPasses = 4096
}
