import Vocabulary

/// Makes the only copy of a frame: from the camera's memory, row after row (that memory may be uncached), into a slot of the ring.
package enum FrameCopier {
    /// Copies the part of `frame` that `view` wants to `slot`, rows without padding, mirrored if the orientation says so, and fills
    /// `signature` on the way.
    package static func copy(
        _ frame: LumaFrame, _ view: FrameView, to slot: UnsafeMutablePointer<UInt8>, signature: inout FrameSignature
    ) {
        let (crop, width) = (view.crop, view.crop.width)
        let step = frame.pixelStride
        signature.begin(view.size)
        let rowStep = signature.rowStep
        let start = frame.base + crop.y * frame.rowStride + crop.x * step
        for y in 0..<crop.height {
            let source = (start + y * frame.rowStride).assumingMemoryBound(to: UInt8.self)
            let target = slot + y * width
            switch (step, view.orientation.isMirrored) {
            case (1, false): target.update(from: source, count: width)
            case (1, true): mirror(source, to: target, count: width)
            case (2, false): pick2(source, to: target, count: width)
            default: pick(source, step: step, mirrored: view.orientation.isMirrored, to: target, count: width)
            }
            if y % rowStep == 0 {
                signature.add(row: target, above: y >= rowStep ? target - rowStep * width : nil, y: y)
            }
        }
        signature.end()
    }

    /// Copies all of `frame`, as delivered, to rows without padding.
    static func copyAll(_ frame: LumaFrame, to target: UnsafeMutablePointer<UInt8>) {
        let (width, step) = (frame.size.width, frame.pixelStride)
        for y in 0..<frame.size.height {
            let source = (frame.base + y * frame.rowStride).assumingMemoryBound(to: UInt8.self)
            let row = target + y * width
            switch step {
            case 1: row.update(from: source, count: width)
            case 2: pick2(source, to: row, count: width)
            default: pick(source, step: step, mirrored: false, to: row, count: width)
            }
        }
    }

    // Plain counted loops, each of one kind, so that the compiler vectorises them.

    private static func mirror(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let last = source + (count - 1)
        for x in 0..<count { target[x] = last[0 &- x] }
    }

    /// The luma of YUYV.
    private static func pick2(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for x in 0..<count { target[x] = source[2 &* x] }
    }

    private static func pick(
        _ source: UnsafePointer<UInt8>, step: Int, mirrored: Bool, to target: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for x in 0..<count { target[x] = source[(mirrored ? count - 1 - x : x) * step] }
    }
}
