import Foundation
import Settings
import Testing

@testable import Station

@Suite("Doctor")
struct DoctorTests {
    private let user = UserIdentity(id: 1000, name: "pat", groups: ["pat", "video"])

    @Test("says how to get at a camera when there is no node")
    func noCamera() async throws {
        let machine = try FakeRoot()
        let findings = await CameraNodesCheck().findings(
            in: DoctorContext(settings: StationSettings(), root: machine.path, user: user))
        #expect(findings.map(\.level) == [.fail])
        #expect(findings[0].remedy?.contains("camera_auto_detect=1") == true)
    }

    @Test("needs no camera node for replayed pictures")
    func replay() async throws {
        let machine = try FakeRoot()
        let findings = await CameraNodesCheck().findings(
            in: DoctorContext(settings: StationSettings().withReplayedScene, root: machine.path, user: user))
        #expect(findings.map(\.level) == [.ok])
    }

    @Test("names the groups that the user isn't in, among those that exist here")
    func groups() async throws {
        let machine = try FakeRoot()
        try machine.write("/etc/group", "video:x:44:pat\ngpio:x:997:\n")
        let findings = await GroupsCheck().findings(
            in: DoctorContext(settings: StationSettings(), root: machine.path, user: user))
        #expect(findings.map(\.level) == [.warn])
        #expect(findings[0].finding == "pat is not in: gpio")
    }

    @Test("finds the kernel's console on the serial port of an output, under its other name too")
    func console() async throws {
        let machine = try FakeRoot()
        try machine.write("/proc/cmdline", "console=serial0,115200 console=tty1 root=PARTUUID=1\n")
        try machine.write("/dev/ttyAMA0", "")
        var settings = StationSettings()
        settings.outputs = [OutputSettings(name: "till", kind: .serial(SerialSettings(device: "/dev/ttyAMA0")))]
        let findings = await SerialPortCheck().findings(
            in: DoctorContext(settings: settings, root: machine.path, user: user))
        #expect(findings.map(\.level) == [.fail])
        #expect(findings[0].finding.contains("console=serial0"))
    }

    @Test("looks at every folder that the configuration writes to, by the key that names it")
    func folders() async throws {
        let machine = try FakeRoot()
        try machine.write("/srv/crashes/a", "")
        try machine.write("/run/keep", "")
        var settings = StationSettings()
        settings.reading.crashFolder = "/srv/crashes"
        settings.control.socket = "/run/scanstation/station.sock"
        settings.outputs = [
            OutputSettings(name: "till", kind: .unixSocket(UnixSocketSettings(path: "/nowhere/at/all/till.sock"))),
            OutputSettings(name: "records", kind: .file(FileSettings(path: "/nowhere/else/scans.jsonl"))),
        ]
        let findings = await DiskCheck().findings(
            in: DoctorContext(settings: settings, root: machine.path, user: user))
        #expect(findings.count == 4)
        #expect(findings[3].level == .fail)
        #expect(findings[3].finding.hasPrefix("/nowhere/else (outputs[1].file.path): No such file"))
        #expect(findings[0].finding.hasPrefix("/srv/crashes (reading.crashFolder): "))
        #expect(findings[1].finding == "/run/scanstation is made at the start (control.socket)")
        #expect(findings[2].level == .fail)
        #expect(findings[2].finding.hasPrefix("/nowhere/at/all (outputs[0].unix.path): No such file"))
    }

    @Test("looks at a passive buzzer's PWM: the chip, its channels, the right to set them")
    func pwm() async throws {
        let machine = try FakeRoot()
        var settings = StationSettings()
        func finding(chip: Int, channel: Int) async -> DoctorFinding? {
            settings.buzzer = BuzzerSettings(drive: .pwm(chip: chip, channel: channel))
            return await PWMCheck().findings(
                in: DoctorContext(settings: settings, root: machine.path, user: user)
            ).first
        }
        #expect(await finding(chip: 0, channel: 0)?.remedy?.contains("dtoverlay=pwm") == true)
        try machine.write("/sys/class/pwm/pwmchip2/npwm", "2\n")
        #expect(await finding(chip: 0, channel: 0)?.finding.contains("the PWM chips are: pwmchip2") == true)
        #expect(await finding(chip: 2, channel: 2)?.finding.contains("2 channels, counted from 0") == true)
        #expect(await finding(chip: 2, channel: 1)?.finding.contains("export: No such file") == true)
        try machine.write("/sys/class/pwm/pwmchip2/export", "")
        #expect(await finding(chip: 2, channel: 1)?.level == .ok)
        settings.buzzer = BuzzerSettings(drive: .line(LineSettings(line: "GPIO18")))
        let none = await PWMCheck().findings(in: DoctorContext(settings: settings, root: machine.path, user: user))
        #expect(none == [])
    }

    @Test(
        "tells under-voltage now from under-voltage since boot",
        arguments: [("50005", "FAIL"), ("50000", "WARN"), ("0", "OK")])
    func power(throttled: String, level: String) async throws {
        let machine = try FakeRoot()
        try machine.write("/sys/devices/platform/soc/soc:firmware/get_throttled", throttled + "\n")
        let findings = await PowerCheck().findings(
            in: DoctorContext(settings: StationSettings(), root: machine.path, user: user))
        #expect(findings.first?.level.rawValue == level)
    }
}
