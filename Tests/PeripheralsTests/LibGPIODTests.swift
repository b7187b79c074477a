import Glibc
import TestSupport
import Testing

@testable import Peripherals

/// What can be said of the real library on a machine without a GPIO chip.
@Suite struct LibGPIODTests {
    @Test func knowsItsVersion() {
        #expect(LibGPIOD().version.first.map { "12".contains($0) } == true)
    }

    @Test func aFileThatIsNoChipIsListedWithItsFailureAndLinksAreLeftOut() throws {
        let folder = TemporaryFolder()
        let directory = folder.path
        let names = ["gpiochip10", "gpiochip2", "gpiomem", "gpiochip4"]
        for name in names.dropLast() { close(open("\(directory)/\(name)", O_CREAT | O_WRONLY, 0o600)) }
        symlink("gpiochip2", "\(directory)/gpiochip4")
        let chips = try LibGPIOD(directory: directory).chips()
        #expect(chips.map(\.path) == ["\(directory)/gpiochip2", "\(directory)/gpiochip10"])
        #expect(chips.allSatisfy { $0.failure != nil && $0.name.isEmpty })
    }

    @Test func aMissingFolderIsAFailure() {
        #expect(throws: GPIOFailure(errno: ENOENT)) { try LibGPIOD(directory: "/nonexistent").chips() }
    }

    @Test func aChipThatIsMissingFailsEveryCall() {
        let path = "/nonexistent/gpiochip0"
        let request = GPIORequest(chipPath: path, offset: 17, consumer: "test", isActiveLow: false)
        let library = LibGPIOD()
        #expect(throws: GPIOFailure.self) { try library.lines(ofChipAt: path) }
        #expect(throws: GPIOFailure.self) { try library.line(ofChipAt: path, offset: 0) }
        #expect(throws: GPIOFailure.self) { try library.find("GPIO17", onChipAt: path) }
        #expect(throws: GPIOFailure.self) { try library.requestOutput(request, isActive: false) }
        #expect(throws: GPIOFailure.self) {
            try library.requestInput(request, bias: .pullUp, debounceMicroseconds: 10_000)
        }
    }

    @Test func aReleasedHandleFailsAndIsReleasedOnce() {
        let handle = LibGPIODHandle(nil)
        handle.release()
        handle.release()
        #expect(throws: GPIOFailure(errno: ENODEV)) { try handle.set(true) }
        #expect(throws: GPIOFailure(errno: ENODEV)) { try handle.get() }
        #expect(throws: GPIOFailure(errno: ENODEV)) { try handle.readEdge() }
        #expect(handle.eventDescriptor == -1)
    }
}
