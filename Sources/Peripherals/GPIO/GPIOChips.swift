import Glibc
import Linux
import Settings
import Vocabulary

/// The machine's GPIO chips, through libgpiod, and its PWM channels, through sysfs. Holds nothing itself: each line belongs to the part
/// that opened it.
package struct GPIOChips: LineProvider {
    private let library: any GPIOLibrary
    private let clock: any PeripheralClock
    private let pwmDirectory: String

    package init() { self.init(library: LibGPIOD()) }

    init(
        library: any GPIOLibrary, clock: any PeripheralClock = BootClock(), pwmDirectory: String = "/sys/class/pwm"
    ) {
        self.library = library
        self.clock = clock
        self.pwmDirectory = pwmDirectory
    }

    package func openOutput(_ settings: LineSettings, role: LineRole) throws(LineError) -> any OutputLine {
        let place = try find(settings.line, role: role)
        do {
            let handle = try library.requestOutput(place.request(activeLow: settings.activeLow), isActive: false)
            return GPIOOutputLine(handle: handle, place: place)
        } catch {
            throw requestFailed(error, place)
        }
    }

    package func openInput(_ settings: ButtonSettings, role: LineRole) throws(LineError) -> any InputLine {
        let place = try find(settings.line.line, role: role)
        let microseconds = max(0, min(settings.debounce.wholeNanoseconds / 1000, Int64(UInt32.max)))
        do {
            let (handle, isDebounced) = try library.requestInput(
                place.request(activeLow: settings.line.activeLow), bias: GPIOBias(settings.bias),
                debounceMicroseconds: UInt32(microseconds))
            return GPIOInputLine(handle: handle, isDebounced: isDebounced, place: place, clock: clock)
        } catch {
            throw requestFailed(error, place)
        }
    }

    package func openTone(_ settings: BuzzerSettings) throws(LineError) -> any ToneOutput {
        switch settings.drive {
        case .line(let line):
            LineTone(line: try openOutput(line, role: .buzzer))
        case .pwm(let chip, let channel):
            try PWMTone(
                directory: pwmDirectory, chip: chip, channel: channel, frequencyHertz: settings.frequencyHertz,
                volume: settings.volume)
        }
    }

    package func inventory() -> LineInventory.Report {
        let source = "libgpiod \(library.version)"
        do {
            let chips = try library.chips()
            return LineInventory.Report(
                chips: chips.map(describe), problem: chips.isEmpty ? GPIOErrors.noChips : nil, source: source)
        } catch {
            return LineInventory.Report(
                chips: [], problem: "the GPIO chips can't be listed: \(GPIOErrors.text(error.errno))", source: source)
        }
    }

    private func describe(_ chip: GPIOChip) -> LineInventory.Chip {
        let name = chip.name.isEmpty ? GPIOErrors.lastPart(of: chip.path) : chip.name
        var result = LineInventory.Chip(name: name, path: chip.path, label: chip.label, lines: [])
        do {
            if let failure = chip.failure { throw GPIOFailure(errno: failure) }
            result.lines = try library.lines(ofChipAt: chip.path).map { line in
                LineInventory.Line(
                    offset: line.offset, name: line.name,
                    holder: line.isUsed ? (line.consumer.isEmpty ? "?" : line.consumer) : nil,
                    isOutput: line.isOutput, isActiveLow: line.isActiveLow)
            }
        } catch let failure as GPIOFailure {
            result.problem =
                "\(name) can't be read: \(GPIOErrors.text(failure.errno))\(GPIOErrors.remedy(failure.errno))"
        } catch {
            result.problem = "\(name) can't be read: \(error)"
        }
        return result
    }

    /// Looks the line up on every chip that can be opened, and remembers those that can't.
    private func find(_ text: String, role: LineRole) throws(LineError) -> GPIOPlace {
        guard let address = LineAddress(text) else { throw GPIOErrors.badAddress(text, role: role) }
        let chips: [GPIOChip]
        do {
            chips = try library.chips()
        } catch {
            throw GPIOErrors.chipsUnlisted(text, role: role, errno: error.errno)
        }
        var failures: [(chip: GPIOChip, errno: Int32)] = []
        for chip in chips {
            do {
                if let failure = chip.failure { throw GPIOFailure(errno: failure) }
                guard let offset = try offset(of: address, on: chip) else { continue }
                return GPIOPlace(role: role, line: text, chip: chip, offset: offset)
            } catch let failure as GPIOFailure {
                failures.append((chip, failure.errno))
            } catch {
                continue
            }
        }
        throw GPIOErrors.notFound(text, role: role, chips: chips, failures: failures)
    }

    private func offset(of address: LineAddress, on chip: GPIOChip) throws(GPIOFailure) -> UInt32? {
        switch address {
        case .name(let name): try library.find(name, onChipAt: chip.path)
        case .offset(let label, let offset): chip.label == label ? offset : nil
        }
    }

    private func requestFailed(_ failure: GPIOFailure, _ place: GPIOPlace) -> LineError {
        guard failure.errno == EBUSY else { return GPIOErrors.requestFailed(failure.errno, place) }
        let holder = try? library.line(ofChipAt: place.chip.path, offset: place.offset).consumer
        return GPIOErrors.taken(by: holder.flatMap { $0.isEmpty ? nil : $0 }, place)
    }
}

/// A line that was found: what it is for, what it is called, where it is.
struct GPIOPlace: Hashable, Sendable {
    var role: LineRole
    var line: String
    var chip: GPIOChip
    var offset: UInt32

    func request(activeLow: Bool) -> GPIORequest {
        GPIORequest(chipPath: chip.path, offset: offset, consumer: role.consumer, isActiveLow: activeLow)
    }
}

extension GPIOBias {
    init(_ bias: ButtonSettings.Bias) {
        self =
            switch bias {
            case .pullUp: .pullUp
            case .pullDown: .pullDown
            case .none: .disabled
            }
    }
}
