import Foundation
import Settings
import Testing
import Vocabulary

@testable import Capture
@testable import Station

@Suite("Station with rpicam-vid", .timeLimit(.minutes(10)))
struct RpicamStationTests {
    private static let standIn = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("CaptureTests/Support/rpicam-stand-in").path

    @Test("a code comes through the program's pipe, exposed before it was delivered")
    func reads() async throws {
        let program = RpicamSettings(
            program: Self.standIn, arguments: ["--do", "picture=\(StationHarness.scene)/04-qr-url.png"])
        let harness = try await StationHarness(
            pictures: [],
            {
                $0.capture.preset = .medium
                $0.capture.frameTimeout = StationHarness.patience
            },
            options: {
                $0.cameraSystem = RpicamSystem(
                    settings: program, patience: .init(list: StationHarness.patience, start: StationHarness.patience))
            })
        try await harness.station.start()
        let scan = try await harness.nextScan().scan
        #expect(scan.symbol.symbology == .qrCode)
        let report = await harness.station.figures().capture
        #expect(report?.camera?.model == "imx708")
        #expect(report?.granted?.sensorMode?.size == FrameSize(width: 2304, height: 1296))
        #expect(report?.newestFrame.map { $0.exposedAt <= $0.deliveredAt } == true)
        await harness.station.stop()
    }
}
