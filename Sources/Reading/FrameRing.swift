import Linux
import ReaderProtocol
import Vocabulary

/// Slots for frames in sealed memory that the reader processes map read-only; the station is the only writer.
///
/// The seals are set once our writable mapping exists, so nobody else can get one or change the size. Memory is taken page by page as slots
/// are used.
///
/// `@unchecked Sendable`: the mapping never changes; `ReaderMachine` decides who may write to which slot.
final class FrameRing: @unchecked Sendable {
    let frameSize: FrameSize
    let slotCount: Int
    private let slotBytes: Int
    private let memory: SharedMemory
    private let mapping: SharedMemory.Mapping
    private let base: UnsafeMutableRawPointer

    /// A slot holds a whole frame, so that the viewport can grow without a new ring.
    init(frameSize: FrameSize, slotCount: Int) throws(ReaderError) {
        guard frameSize.isReadable else {
            throw ReaderError(
                "frames of \(frameSize) can't be read: sides must be 1…\(ReaderLimits.maxDimension) pixels; "
                    + "set capture.resolution to another size")
        }
        let page = 4096
        slotBytes = (frameSize.width * frameSize.height + page - 1) / page * page
        let byteCount = UInt64(slotBytes) * UInt64(slotCount)
        self.frameSize = frameSize
        self.slotCount = slotCount
        guard byteCount <= ReaderLimits.maxRingBytes else {
            throw ReaderError(
                "\(slotCount) frames of \(frameSize) need \(byteCount >> 20) MB of shared memory, more than the limit of "
                    + "\(ReaderLimits.maxRingBytes >> 20) MB: lower capture.resolution or reading.workers")
        }
        do throws(SystemError) {
            memory = try SharedMemory("scanstation-frames", byteCount: byteCount)
        } catch {
            throw ReaderError(
                "no shared memory for frames (\(byteCount >> 20) MB): \(error.text); lower capture.resolution")
        }
        do throws(SystemError) { mapping = try memory.map(isWritable: true) } catch {
            throw ReaderError(
                "shared memory for frames (\(byteCount >> 20) MB) can't be mapped: \(error.text); "
                    + "lower capture.resolution")
        }
        base = mapping.base
        do throws(SystemError) { try memory.seal(.oneWriter) } catch {
            throw ReaderError(
                "shared memory for frames can't be sealed: \(error.text); Linux 5.1 or newer is needed")
        }
    }

    var byteCount: UInt64 { memory.byteCount }

    /// The sealed memory, for passing on; closed with the ring.
    var descriptor: Int32 { memory.descriptor }

    func offset(ofSlot slot: Int) -> UInt64 { UInt64(slot) * UInt64(slotBytes) }

    func pixels(ofSlot slot: Int) -> UnsafeMutablePointer<UInt8> {
        (base + slot * slotBytes).assumingMemoryBound(to: UInt8.self)
    }
}
