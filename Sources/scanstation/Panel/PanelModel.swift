/// What the desk's panel shows, at one moment.
struct PanelModel: Hashable {
    struct Lamp: Hashable {
        var name: String
        var isOn: Bool
        var colour: Paint.Style
    }

    struct ScanLine: Hashable {
        var time: String
        var symbology: String
        var kind: String
        var text: String
    }

    struct Counter: Hashable {
        var name: String
        var value: UInt64
    }

    struct Notice: Hashable {
        var text: String
        var isTrouble = false
    }

    var name = ""
    var version = ""
    var camera = ""
    var isCameraRunning = false
    /// Size, rate and what is replayed.
    var cameraFigures = ""
    /// What is wrong with the camera, if something is.
    var trouble: String?
    var mode = ""
    /// What the trigger does: "session 3 is reading".
    var activity = ""
    var isReading = false
    var isPaused = false
    var lamps: [Lamp] = []
    /// Newest last.
    var scans: [ScanLine] = []
    /// The newest scan has just come.
    var isNewestFresh = false
    var counters: [Counter] = []
    /// The code that waits for a confirmation.
    var pending: String?
    var notice: Notice?
}
