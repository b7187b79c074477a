import Glibc
import Testing

@testable import Linux

@Suite("Memory that is shared")
struct SharedMemoryTests {
    @Test("What one mapping writes, another one reads; then the size is sealed, and nobody else may write")
    func oneWriter() throws {
        let memory = try SharedMemory("test", byteCount: 4096)
        let ours = try memory.map(isWritable: true)
        try memory.seal(.oneWriter)
        let theirs = try memory.map(isWritable: false)
        ours.base.storeBytes(of: 7, toByteOffset: 4095, as: UInt8.self)
        #expect(theirs.base.load(fromByteOffset: 4095, as: UInt8.self) == 7)
        #expect(pwrite(memory.descriptor, "x", 1, 0) == -1 && errno == EPERM)
        #expect(ftruncate(memory.descriptor, 0) == -1 && errno == EPERM)
        do throws(SystemError) {
            _ = try memory.map(isWritable: true)
            Issue.record("a second writer")
        } catch {
            #expect(error == SystemError(EPERM))
        }
    }

    @Test("Memory whose size is sealed can be written by everybody who has it")
    func size() throws {
        let memory = try SharedMemory("test", byteCount: 100)
        try memory.seal(.size)
        let mapping = try memory.map(isWritable: false)
        #expect(pwrite(memory.descriptor, "x", 1, 99) == 1)
        #expect(mapping.base.load(fromByteOffset: 99, as: UInt8.self) == UInt8(ascii: "x"))
        #expect(ftruncate(memory.descriptor, 200) == -1 && errno == EPERM)
    }

    @Test("What was appended stays as it is")
    func content() throws {
        let memory = try SharedMemory("test", byteCount: 6)
        for part in ["abc", "def"] {
            try Array(part.utf8).withUnsafeBufferPointer { (bytes) throws(SystemError) in
                try memory.append(UnsafeRawBufferPointer(bytes))
            }
        }
        try memory.seal(.content)
        let mapping = try memory.map(isWritable: false)
        #expect(Array(UnsafeRawBufferPointer(start: mapping.base, count: 6)) == Array("abcdef".utf8))
        #expect(pwrite(memory.descriptor, "x", 1, 0) == -1 && errno == EPERM)
    }

    @Test("Memory with a writable mapping can't be sealed for good")
    func mapped() throws {
        let memory = try SharedMemory("test", byteCount: 1)
        let mapping = try memory.map(isWritable: true)
        do throws(SystemError) {
            try memory.seal(.content)
            Issue.record("sealed")
        } catch {
            #expect(error == SystemError(EBUSY))
        }
        mapping.base.storeBytes(of: 1, as: UInt8.self)
    }
}
