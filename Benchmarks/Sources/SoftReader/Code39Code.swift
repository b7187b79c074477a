/// A Code 39 to draw, by the standard's table. Written apart from the reader's, so that a mistake in one of them shows.
struct Code39Code: DrawnLinearCode {
    let text: String
    /// 1 is a bar; entries are eighths of a module.
    let modules: [UInt8]
    static let perModule = 8
    var entriesPerModule: Int { Self.perModule }

    /// Bars and spaces of each character from the left, wide ones in capitals.
    private static let elements: [Character: String] = [
        "0": "bsbSBsBsb", "1": "BsbSbsbsB", "2": "bsBSbsbsB", "3": "BsBSbsbsb", "4": "bsbSBsbsB", "5": "BsbSBsbsb",
        "6": "bsBSBsbsb", "7": "bsbSbsBsB", "8": "BsbSbsBsb", "9": "bsBSbsBsb", "A": "BsbsbSbsB", "B": "bsBsbSbsB",
        "C": "BsBsbSbsb", "D": "bsbsBSbsB", "E": "BsbsBSbsb", "F": "bsBsBSbsb", "G": "bsbsbSBsB", "H": "BsbsbSBsb",
        "I": "bsBsbSBsb", "J": "bsbsBSBsb", "K": "BsbsbsbSB", "L": "bsBsbsbSB", "M": "BsBsbsbSb", "N": "bsbsBsbSB",
        "O": "BsbsBsbSb", "P": "bsBsBsbSb", "Q": "bsbsbsBSB", "R": "BsbsbsBSb", "S": "bsBsbsBSb", "T": "bsbsBsBSb",
        "U": "BSbsbsbsB", "V": "bSBsbsbsB", "W": "BSBsbsbsb", "X": "bSbsBsbsB", "Y": "BSbsBsbsb", "Z": "bSBsBsbsb",
        "-": "bSbsbsBsB", ".": "BSbsbsBsb", " ": "bSBsbsBsb", "*": "bSbsBsBsb", "$": "bSbSbSbsb", "/": "bSbSbsbSb",
        "+": "bSbsbSbSb", "%": "bsbSbSbSb",
    ]

    /// - Parameters:
    ///   - wide: eighths of a module.
    ///   - gap: between characters, in eighths of a module.
    private init(_ text: String, wide: Int, gap: Int) {
        self.text = text
        var modules: [UInt8] = []
        for character in "*" + text + "*" {
            if !modules.isEmpty { modules += [UInt8](repeating: 0, count: gap) }
            for element in Self.elements[character] ?? "" {
                let width = element.isUppercase ? wide : Self.perModule
                modules += [UInt8](repeating: element.lowercased() == "b" ? 1 : 0, count: width)
            }
        }
        self.modules = modules
    }

    /// Letters and digits, mostly; wide ones of 2 to 3 modules.
    static func random(by random: inout SplitMix) -> Code39Code {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ01234567890123456789-. $/+%")
        let text = (0..<Int.random(in: 3...11, using: &random)).map { _ in
            characters.randomElement(using: &random) ?? "0"
        }
        return Code39Code(
            String(text), wide: .random(in: 2 * perModule...3 * perModule, using: &random), gap: perModule)
    }

    var meaning: String { text }
    func isSaid(by text: String) -> Bool { text == self.text }
}
