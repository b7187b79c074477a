import Glibc
import Linux
import Settings

/// An open serial device in raw mode: what is written is what is sent.
///
/// Opened without waiting for a carrier, never as the controlling terminal, and for us alone (TIOCEXCL and an advisory lock, which minicom,
/// picocom and pyserial honour).
struct SerialPort {
    let descriptor: Descriptor
    /// Settings that the device didn't take over, for a warning: USB adapters and ptys ignore some.
    let ignoredSettings: [String]

    /// Throws `DeliveryError`, which says what is wrong and what to do about it.
    static func open(_ settings: SerialSettings, diagnosis: SerialDiagnosis) throws(DeliveryError) -> SerialPort {
        try diagnosis.checkBeforeOpening(settings.device)
        let number = Glibc.open(settings.device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw diagnosis.openFailed(settings.device, SystemError()) }
        let descriptor = Descriptor(number)
        guard isatty(number) == 1 else { throw diagnosis.notASerialDevice(settings.device) }
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw diagnosis.inUse(settings.device) }
        _ = ioctl(number, UInt(TIOCEXCL))
        let ignored = try configure(number, settings)
        // Bytes that came in before the device was ours aren't answers to us.
        tcflush(number, TCIOFLUSH)
        return SerialPort(descriptor: descriptor, ignoredSettings: ignored)
    }

    private static func configure(_ number: Int32, _ settings: SerialSettings) throws(DeliveryError) -> [String] {
        func failed() -> DeliveryError {
            DeliveryError(.system, "cannot set up \(settings.device): \(SystemError().text)")
        }
        guard let speed = BaudRate.table[settings.baud] else {
            throw DeliveryError(.badSetting, "\(settings.baud) baud is not a serial speed")
        }
        var wanted = termios()
        guard tcgetattr(number, &wanted) == 0 else { throw failed() }
        cfmakeraw(&wanted)
        wanted.c_cflag &= ~tcflag_t(CSIZE | PARENB | PARODD | CSTOPB) & ~CRTSCTS_FLAG
        wanted.c_cflag |= tcflag_t(CREAD | CLOCAL) | tcflag_t(settings.dataBits == 7 ? CS7 : CS8)
        wanted.c_iflag &= ~tcflag_t(IXON | IXOFF | IXANY)
        switch settings.parity {
        case .none: break
        case .even: wanted.c_cflag |= tcflag_t(PARENB)
        case .odd: wanted.c_cflag |= tcflag_t(PARENB | PARODD)
        }
        if settings.stopBits == 2 { wanted.c_cflag |= tcflag_t(CSTOPB) }
        switch settings.flowControl {
        case .none: break
        case .rtscts: wanted.c_cflag |= CRTSCTS_FLAG
        case .xonxoff: wanted.c_iflag |= tcflag_t(IXON | IXOFF)
        }
        // VMIN 1: a read without data says EAGAIN, so that 0 means "hung up".
        withUnsafeMutableBytes(of: &wanted.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        cfsetispeed(&wanted, speed)
        cfsetospeed(&wanted, speed)
        guard tcsetattr(number, TCSANOW, &wanted) == 0 else { throw failed() }

        // tcsetattr succeeds if any of the settings was taken over.
        var granted = termios()
        guard tcgetattr(number, &granted) == 0 else { throw failed() }
        guard cfgetospeed(&granted) == speed else {
            throw DeliveryError(
                .badSetting, "\(settings.device) doesn't do \(settings.baud) baud: set a lower \"baud\"")
        }
        return differences(wanted, granted, settings)
    }

    private static func differences(_ wanted: termios, _ granted: termios, _ settings: SerialSettings) -> [String] {
        func differ(_ mask: tcflag_t) -> Bool { wanted.c_cflag & mask != granted.c_cflag & mask }
        var ignored: [String] = []
        if differ(tcflag_t(CSIZE)) { ignored.append("\(settings.dataBits) data bits") }
        if differ(tcflag_t(PARENB | PARODD)) { ignored.append("parity \(settings.parity.rawValue)") }
        if differ(tcflag_t(CSTOPB)) { ignored.append("\(settings.stopBits) stop bits") }
        if differ(CRTSCTS_FLAG) { ignored.append("flow control \(settings.flowControl.rawValue)") }
        return ignored
    }

    /// Bytes that the driver still holds.
    var unsentBytes: Int {
        var count: Int32 = 0
        return ioctl(descriptor.number, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    /// Throws away what the driver still holds; otherwise closing a line that flow control blocks takes 30 s.
    func discardUnsent() { tcflush(descriptor.number, TCOFLUSH) }

    /// Call before closing: the close then doesn't wait, and others may open it.
    func release() {
        discardUnsent()
        _ = ioctl(descriptor.number, UInt(TIOCNXCL))
    }
}

/// CRTSCTS is bit 31, which Swift imports as an Int.
private let CRTSCTS_FLAG = tcflag_t(truncatingIfNeeded: CRTSCTS)
