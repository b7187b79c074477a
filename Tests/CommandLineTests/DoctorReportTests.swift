import Foundation
import Station
import TestSupport
import Testing
import Wire

@testable import scanstation

@Suite("doctor --report")
struct DoctorReportTests {
    private let station: JSONValue = .object([
        "name": .string("anna's till"), "version": .string("1.0"), "versionNote": .string("1.1 didn't prove itself"),
        "camera": .object(["state": .string("running"), "model": .string("imx708|wide")]),
    ])

    @Test("it has versions, board, system, camera and findings")
    func facts() throws {
        let folder = TemporaryFolder()
        for (name, text) in [
            "usr/lib/scanstation/VERSION": "1.1\n", "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
            "etc/os-release": "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n",
            "boot/firmware/SCANSTATION.TXT": "ScanStation on till: READY\r\nmore\r\n",
            "boot/firmware/config.txt":
                "arm_64bit=1\n# >>> ScanStation: x\n[all]\n# a word\nenable_uart=1\n# <<< ScanStation\n[cm4]\n",
            "etc/rpi-issue": "Raspberry Pi reference 2026-10-01\n", "sys/class/net/eth0/operstate": "up\n",
            "sys/class/net/lo/operstate": "unknown\n", "sys/class/net/wlan0/operstate": "down\n",
            "sys/class/net/wlxb827eb123456/operstate": "up\n", "sys/class/net/wg-office/operstate": "up\n",
        ] {
            let url = URL(fileURLWithPath: "\(folder.path)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let report = DoctorReport(
            root: folder.path, version: "1.1", station: station, outputs: ["serial", "mqtt"], users: ["root", "bob"])
        let text = report.text([DoctorFinding(.warn, "clock", "not set", remedy: "wait")])
        for line in [
            "| program | 1.1 |", "| package | 1.1 |", "| station runs | 1.0 |", "| why | 1.1 didn't prove itself |",
            "| board | Raspberry Pi 4 Model B Rev 1.4 |", "| system | Debian GNU/Linux 13 (trixie) |",
            "| image | Raspberry Pi reference 2026-10-01 |", "| network | eth0 up, another up, wlan0 down, wlx… up |",
            "| config.txt | [all]; enable_uart=1 |", "| card | READY |",
            "| outputs | serial, mqtt |", "| camera | running, imx708\\|wide |", "WARN  clock      not set",
        ] { #expect(text.contains(line), "\(line)") }
    }

    @Test("names, addresses, what is behind ://, home folders and quoted secrets stay out")
    func masked() {
        let report = DoctorReport(
            root: "/nowhere", version: "1.1", station: station, outputs: [], users: ["root", "bob"])
        let text = report.text([
            DoctorFinding(.ok, "station", "\"anna's till\" is running and answers at /run/x.sock"),
            DoctorFinding(.fail, "outputs", "no answer from https://bob:hunter2@shop.example/hook?key=42 today"),
            DoctorFinding(
                .warn, "groups", "bob is not in: gpio", remedy: "sudo usermod -aG gpio bob, then log in again"),
            DoctorFinding(.fail, "journal", "/srv/bob/scans can't be written by (bob)."),
            DoctorFinding(.fail, "outputs", "can't read /home/bob/ca.pem, nor 192.168.7.9:1883, nor fe80::1:2:3:4"),
            DoctorFinding(.fail, "config", "outputs[0].mqtt.password \"hunter3\" isn't a file"),
        ])
        for secret in ["anna", "bob", "hunter", "shop", "192.168", "fe80", "key=42"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(text.contains("…, then log in again"))
        #expect(text.contains("https://… today") && text.contains("/home/…/ca.pem") && text.contains("/run/x.sock"))
    }
}
