import CQRCode
import Vocabulary

/// A QR code as rows of modules: the page draws it.
struct CodePicture: Hashable, Sendable {
    /// `1` is dark. The page adds the margin.
    let rows: [String]

    /// The largest that there is (version 40).
    private static let longestSide = 177

    /// `nil`: no memory.
    init?(_ code: FirstPasswordCode) {
        var modules = [UInt8](repeating: 0, count: Self.longestSide * Self.longestSide)
        let side = Int(CQRCode_encode(code.text, &modules, modules.count))
        guard side > 0 else { return nil }
        rows = (0..<side).map { row in
            String(modules[(row * side)..<((row + 1) * side)].map { $0 == 1 ? "1" : "0" } as [Character])
        }
    }
}
