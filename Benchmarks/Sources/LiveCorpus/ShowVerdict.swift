/// What the scans of a show come to.
struct ShowVerdict {
    private(set) var verdict = Verdict()
    /// When each code was first scanned, in milliseconds; the key is its index among the picture's codes.
    private(set) var times: [Int: Double] = [:]
    /// Scans of a code that had been scanned before, though it was in view all the time.
    private(set) var repeated = 0
    /// How often the easy code beside the picture was scanned.
    private(set) var neighbours = 0

    /// Pictures that show one code several times: each of them is a scan.
    private static let copies = ["quagga/code_128/image-006.jpg": 2]

    init(_ result: LiveShowResult, of picture: CorpusPicture) {
        var scansOfKnown = 0
        for scan in result.scans {
            if scan.reading.symbology == .ean13, scan.reading.bytes == ShownPicture.neighbour.digits {
                neighbours += 1
                continue
            }
            let one = Verdict([scan.reading], of: picture)
            let new = one.right.subtracting(verdict.right)
            if !one.right.isEmpty, new.isEmpty { scansOfKnown += 1 }
            for code in new { times[code] = scan.milliseconds }
            verdict.right.formUnion(one.right)
            verdict.wrong.formUnion(one.wrong)
        }
        repeated = max(0, scansOfKnown - (Self.copies[picture.path] ?? 1) + 1) + max(0, neighbours - 1)
    }
}
