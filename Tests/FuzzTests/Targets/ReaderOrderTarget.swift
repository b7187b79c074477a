import ReaderProtocol

/// Orders as a reader process takes them: one packet.
enum ReaderOrderTarget {
    static func check(_ input: inout FuzzInput) throws {
        let packet = input.all()
        guard let order = packet.withUnsafeBytes({ ReaderRequest($0) }) else { return }
        try demand(order.encode() == packet, "what is let in is what a station would send: \(order)")
        switch order {
        case .rules(let rules):
            try demand(DecodeRules(rules.encode()) == rules, "rules survive their bytes")
        case .ring(let count), .canvas(let count):
            try demand((1...ReaderLimits.maxRingBytes).contains(count), "shared memory is within the limit")
        case .read(let order):
            try demand(order.size.isReadable && order.rowStride >= order.size.width, "a frame has rows of its width")
            // As the reader does before it looks at a pixel.
            let ring: UInt64 = 1 << 20
            if order.fits(ringBytes: ring) {
                let last = UInt64(order.rowStride) * UInt64(order.size.height - 1) + UInt64(order.size.width)
                try demand(order.offset <= ring && last <= ring - order.offset, "a frame that fits lies in the ring")
            }
        case .picture(let order):
            try demand(order.byteCount > 0 && (0...ReaderLimits.maxPasses).contains(order.firstPass), "a picture order")
        case .show(let order):
            try demand(order.frame.isReadable, "what is shown has a size")
            if order.fits(canvasBytes: 1 << 20) {
                try demand(order.frame.width * order.frame.height <= 1 << 20, "a frame that fits lies in the canvas")
            }
        case .capabilities: break
        }
    }
}
