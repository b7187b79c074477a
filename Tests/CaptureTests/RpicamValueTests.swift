import Settings
import Testing
import Vocabulary

@testable import Capture

/// The list, the command line, the records and the words of `rpicam-vid`.
@Suite struct RpicamValueTests {
    private static let list = """
        Available cameras
        -----------------
        0 : imx708 [4608x2592 10-bit RGGB] (/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a)
            Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]
                                     2304x1296 [56.03 fps - (0, 0)/4608x2592 crop]
                                     4608x2592 [14.35 fps - (0, 0)/4608x2592 crop]

        1 : ov9281 [1280x800 10-bit MONO] (/base/soc/i2c0mux/i2c@1/ov9281@60)
            Modes: 'R8' : 640x400 [309.79 fps - (0, 0)/1280x800 crop]
                          1280x800 [171.79 fps - (0, 0)/1280x800 crop]
                   'R10_CSI2P' : 640x400 [247.83 fps - (0, 0)/1280x800 crop]
                                 1280x800 [137.42 fps - (0, 0)/1280x800 crop]

        """

    @Test func `the list of cameras is understood, with every mode`() throws {
        let cameras = RpicamCamera.parse(Self.list)
        try #require(cameras.count == 2)
        #expect(cameras[0].index == 0)
        #expect(cameras[0].model == "imx708")
        #expect(cameras[0].id == "/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a")
        #expect(cameras[0].pixelArray == FrameSize(width: 4608, height: 2592))
        #expect(
            cameras[0].modes.first
                == RpicamCamera.Mode(
                    size: FrameSize(width: 1536, height: 864), bitDepth: 10, frameRate: 120.13,
                    crop: FrameSize(width: 3072, height: 1728)))
        #expect(cameras[0].modes.count == 3)
        #expect(cameras[1].modes.map(\.bitDepth) == [8, 8, 10, 10])
        #expect(cameras[1].description.sensorModes.count == 4)
    }

    @Test(arguments: [
        "", "No cameras available!\n", "0 : \n1 : x [", "0 : a [] ()\n   Modes: : 1x [\n 0x0 [] x]\n",
        "\u{1F600} : \u{1F600} [\u{1F600}] (\u{1F600})\n", "99999999999999999999 : a [1x1] (b)\n", "] [\n[ ]\n'\n''\n",
    ])
    func `a broken list gives no cameras with modes and does no harm`(text: String) {
        #expect(RpicamCamera.parse(text).allSatisfy { $0.modes.isEmpty })
    }

    @Test func `every piece of a list is survived`() {
        for start in Self.list.indices {
            _ = RpicamCamera.parse(String(Self.list[start...]))
            _ = RpicamCamera.parse(String(Self.list[..<start]))
        }
    }

    @Test func `the mode that shows most is taken, and of those the smallest that is large and quick enough`() throws {
        let camera = try #require(RpicamCamera.parse(Self.list).first)
        func chosen(_ width: Int, _ height: Int, _ rate: Double = 30) -> Int? {
            camera.mode(for: FrameSize(width: width, height: height), frameRate: rate)?.size.width
        }
        #expect(chosen(1280, 720) == 2304, "1536x864 reads the middle only")
        #expect(chosen(1280, 720, 100) == 1536, "the others are too slow")
        #expect(chosen(3840, 2160) == 4608, "too slow, but the only one that is large enough")
        #expect(chosen(9000, 6000) == nil)
    }

    @Test func `widths leave no gap between rows`() {
        func size(_ width: Int, _ height: Int) -> FrameSize {
            RpicamDevice.size(for: FrameSize(width: width, height: height))
        }
        for preset in [CaptureSettings.Preset.low, .medium, .high] {
            #expect(RpicamDevice.size(for: preset.resolution) == preset.resolution)
        }
        #expect(size(4056, 3040) == FrameSize(width: 3968, height: 2974))
        #expect(size(704, 577) == FrameSize(width: 640, height: 524))
        #expect(size(127, 100).width == 0)
    }

    @Test func `settings become options, and what isn't possible is said`() throws {
        let camera = try #require(RpicamCamera.parse(Self.list).last)
        var controls = CameraControls()
        controls.exposure = .fixed(.milliseconds(3))
        controls.gain = .fixed(2.5)
        controls.metering = .matrix
        controls.flicker = .hz50
        controls.zoom = 2
        controls.noiseReduction = .minimal
        controls.sharpness = 1.5
        controls.focus = .manual(lensPosition: 8)
        controls.focusRange = .macro
        controls.focusWindow = Rect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        var arguments = RpicamArguments(
            camera: camera, size: FrameSize(width: 640, height: 480), frameRate: 30, mode: camera.modes[1],
            controls: controls, further: ["--hflip"])
        #expect(
            arguments.list == [
                "-t", "0", "-n", "--codec", "yuv420", "--flush", "-o", "-", "--camera", "1", "--width", "640",
                "--height", "480", "--framerate", "30.0", "--metadata", "/dev/fd/3", "--metadata-format", "txt",
                "--mode", "1280:800:8", "--shutter", "3000", "--gain", "2.5", "--metering", "average",
                "--flicker-period", "10000us", "--roi", "0.25,0.25,0.5,0.5", "--denoise", "cdn_off", "--sharpness",
                "1.5", "--autofocus-mode", "manual", "--lens-position", "8.0", "--autofocus-range", "macro",
                "--autofocus-window", "0.25,0.5,0.5,0.25", "--hflip",
            ])
        #expect(arguments.skipped(by: "p").isEmpty)

        arguments.controls = CameraControls()
        arguments.controls.exposure = .automatic
        arguments.controls.focus = .onDemand
        arguments.controls.flicker = .automatic
        arguments.mode = nil
        arguments.unknown = ["metadata-format"]
        #expect(
            arguments.list.suffix(7) == [
                "--framerate", "30.0", "--exposure", "sport", "--autofocus-mode", "continuous", "--hflip",
            ])
        #expect(
            arguments.skipped(by: "p").map(\.setting) == [
                "capture.exposure.maxTime", "capture.exposure.flicker", "capture.focus.mode", "--metadata-format",
            ])
    }

    @Test(arguments: ["nan", "inf", "-inf", "1e99", "much"]) func `a light level that isn't a number is unknown`(
        lux: String
    ) {
        var metadata = RpicamMetadata()
        metadata.add("SensorTimestamp=100\nLux=\(lux)\n\n".utf8)
        #expect(metadata.take(0) == RpicamMetadata.Record(sensorTimestamp: 100))
    }

    @Test func `records belong to their frames, however they are cut`() {
        let text = "SensorTimestamp=100\nLux=12.5\nColourGains=[ 1, 2 ]\n\nLux=1\n\n\nSensorTimestamp=300\nnoise\n\n"
        for size in 1...text.utf8.count {
            var metadata = RpicamMetadata()
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                metadata.add(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(metadata.count == 3)
            #expect(metadata.take(0) == RpicamMetadata.Record(sensorTimestamp: 100, lux: 12.5))
            #expect(metadata.take(0) == nil)
            #expect(metadata.take(2) == RpicamMetadata.Record(sensorTimestamp: 300))
            #expect(metadata.take(1) == nil, "it was left behind")
            #expect(metadata.take(3) == nil)
        }
    }

    @Test func `what the program says is kept by its last lines, and understood`() {
        var talk = RpicamTalk()
        talk.add(
            "#1 (30.00 fps) exp 1\n[0:1] INFO Camera libcamera v0.9.0\nERROR: *** unrecognised option '--metadata' ***\n"
                .utf8)
        #expect(talk.unknownOption == "metadata")
        #expect(talk.text == "[0:1] INFO Camera libcamera v0.9.0; ERROR: *** unrecognised option '--metadata' ***")
        for number in 0..<100 { talk.add("line \(number)\u{1B}[2J\n".utf8) }
        #expect(talk.lines.count == 6)
        #expect(talk.text.hasSuffix("line 99 [2J"))
        talk.add("a\u{9B}2J\u{2028}b\n".utf8)
        #expect(talk.text.hasSuffix("a 2J b"))
        func failure(_ line: String) -> CameraFailure {
            var talk = RpicamTalk()
            talk.add("\(line)\n".utf8)
            return talk.failure("p ended", camera: "cam")
        }
        #expect(failure("ERROR: *** failed to acquire camera /base ***").state == .inUse)
        #expect(failure("ERROR: *** no cameras available ***") == .unavailable(.notFound(wanted: "cam", found: [])))
        #expect(failure("ERROR: *** x ***") == .unavailable(.cannotBeAcquired(detail: "p ended: ERROR: *** x ***")))
    }
}

/// Which frames are passed on, and when they count as exposed.
@Suite struct RpicamPaceTests {
    private var pace = RpicamPace()

    private static func at(_ milliseconds: Int64) -> Instant { Instant.zero.advanced(by: .milliseconds(milliseconds)) }

    @Test mutating func `the sensor's time counts where there is one`() {
        pace.begin(cameraRate: 10)
        let place = pace.frame(
            stamp: Self.at(900), begunAt: Self.at(1000), now: Self.at(1010), isBehind: false, frameRate: 10)
        #expect(place == RpicamPace.Place(sequence: 0, exposedAt: Self.at(900)))
    }

    @Test mutating func `without one a frame counts as older than it can be`() {
        pace.begin(cameraRate: 10)
        let place = pace.frame(
            stamp: nil, begunAt: Self.at(1000), now: Self.at(1010), isBehind: true, frameRate: 10)
        #expect(place == RpicamPace.Place(sequence: 0, exposedAt: Self.at(700)))
    }

    @Test
    mutating func `a late frame with another one waiting is left out and counts as dropped, but never two in a row`() {
        pace.begin(cameraRate: 10)
        var places: [UInt64?] = []
        for number in 0..<6 as Range<Int64> {
            let exposed = Self.at(number * 100)
            places.append(
                pace.frame(
                    stamp: exposed, begunAt: exposed, now: exposed.advanced(by: .milliseconds(500)), isBehind: true,
                    frameRate: 10)?.sequence)
        }
        #expect(places == [nil, 1, nil, 3, nil, 5])
        let last = pace.frame(
            stamp: Self.at(600), begunAt: Self.at(600), now: Self.at(1200), isBehind: false, frameRate: 10)
        #expect(last?.sequence == 6, "nothing newer is there")
    }

    @Test mutating func `at a lower rate than the camera's frames are thinned out, and none counts as dropped`() {
        pace.begin(cameraRate: 10)
        var taken: [Int64] = []
        for number in 0..<30 as Range<Int64> {
            let exposed = Self.at(number * 100)
            let place = pace.frame(
                stamp: exposed, begunAt: exposed, now: exposed.advanced(by: .milliseconds(150)), isBehind: false,
                frameRate: 2)
            if let place {
                #expect(place.sequence == UInt64(taken.count))
                taken.append(number)
            }
        }
        #expect(taken == [0, 5, 10, 15, 20, 25])
    }
}
