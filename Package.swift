// swift-tools-version: 6.2
// Modules and the direction of their arrows are described in docs/architecture.md.
import Foundation
import PackageDescription

/// Warnings stop the build only where the compiler is known (CI): another compiler's new warning is no user's problem.
let warningsAreErrors = ProcessInfo.processInfo.environment["SCANSTATION_WARNINGS_AS_ERRORS"] == "1"
/// `deploy/fuzz`: libFuzzer is told which way a program went (in ours, not in the packages it uses), and Swift's debug checks
/// stay in an optimised build.
let fuzzes = ProcessInfo.processInfo.environment["SCANSTATION_FUZZ"] == "1"
let fuzzingSwift: [SwiftSetting] = [
    .unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing", "-assert-config", "Debug"])
]
let fuzzingC: [CSetting] = [
    .unsafeFlags(["-fsanitize=fuzzer-no-link,undefined", "-fno-sanitize-recover=undefined"])
]
let swiftFlags: [SwiftSetting] =
    (warningsAreErrors ? [.treatAllWarnings(as: .error)] : []) + (fuzzes ? fuzzingSwift : [])
/// The C library's checks of its callers, for packages; they need an optimised build.
let fortifies = ProcessInfo.processInfo.environment["SCANSTATION_FORTIFY"] == "1"
let cFlags: [CSetting] =
    [.enableWarning("all")] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
    + (fortifies ? [.define("_FORTIFY_SOURCE", to: "2")] : []) + (fuzzes ? fuzzingC : [])
let cxxFlags: [CXXSetting] =
    [.enableWarning("all")] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
    + (fortifies ? [.define("_FORTIFY_SOURCE", to: "2")] : [])

/// In debug builds, too: pixels, and searches through every course of events, took two thirds of the time of all tests. Checks, and
/// what `@testable` needs, stay.
let optimised: [SwiftSetting] =
    fuzzes ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

func system(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/SystemLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// - Parameter isOptimised: see `optimised`.
func module(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = [],
    resources: [Resource] = [], isOptimised: Bool = false
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources,
        swiftSettings: swiftFlags + (isOptimised ? optimised : []))
}

/// - Parameter libraries: those that come without a description for pkg-config.
func cModule(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, libraries: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path, cSettings: cFlags, cxxSettings: cxxFlags,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// - Parameter isOptimised: see `optimised`.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], isOptimised: Bool = false
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude,
        swiftSettings: swiftFlags + (isOptimised ? optimised : []))
}

let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// As fuzzers, or as tests that hold their seeds to the same promises.
let fuzzPath = "Tests/FuzzTests"
let fuzzed: [Target.Dependency] = [
    "Vocabulary", "Settings", "Linux", "Templates", "ScanCore", "ReaderProtocol", "Payloads", "Wire",
    "StationConfiguration",
    "Reading", "Journal", "Delivery", "Capture", "Decoding", "SoftReader", "TestSupport",
]
let fuzzTarget: Target =
    fuzzes
    ? .executableTarget(
        name: "scanstation-fuzz", dependencies: fuzzed, path: fuzzPath, exclude: ["SeedTests.swift"],
        swiftSettings: swiftFlags)
    : .testTarget(
        name: "FuzzTests", dependencies: fuzzed, path: fuzzPath, exclude: ["Main.swift"], swiftSettings: swiftFlags)

let package = Package(
    name: "ScanStation",
    products: [
        .executable(name: "scanstation", targets: ["scanstation"]),
        .executable(name: "scanstation-console", targets: ["scanstation-console"]),
        .executable(name: "scanstation-reader", targets: ["scanstation-reader"]),
        .executable(name: "scanstation-picture-reader", targets: ["scanstation-picture-reader"]),
        .executable(name: "scanstation-bench", targets: ["scanstation-bench"]),
        // The libcamera plugin: loaded at run time, so that the daemon runs without libcamera and with any version of it.
        .library(name: "scanstation-libcamera", type: .dynamic, targets: ["CLibcameraPlugin"]),
        // What the durability test preloads into a station.
        .library(name: "scanstation-powercut", type: .dynamic, targets: ["CPowerCut"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        // The console's server. Its traits bring Foundation in full and swift-configuration, which the console doesn't use.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
    ],
    targets: [
        system("LibcameraSystem", "libcamera", apt: "libcamera-dev"),
        system("GPIODSystem", "libgpiod", apt: "libgpiod-dev"),
        system("ZXingSystem", "zxing", apt: "libzxing-dev"),
        system("ZBarSystem", "zbar", apt: "libzbar-dev"),
        system("JPEGSystem", "libjpeg", apt: "libjpeg62-turbo-dev"),
        system("PNGSystem", "libpng", apt: "libpng-dev"),
        system("WebPSystem", "libwebp", apt: "libwebp-dev"),
        system("WebPDemuxSystem", "libwebpdemux", apt: "libwebp-dev"),
        system("HEIFSystem", "libheif", apt: "libheif-dev"),
        system("DE265System", "libde265", apt: "libde265-dev"),
        system("DAV1DSystem", "dav1d", apt: "libdav1d-dev"),
        system("TIFFSystem", "libtiff-4", apt: "libtiff-dev"),
        system("MosquittoSystem", "libmosquitto", apt: "libmosquitto-dev"),
        system("CurlSystem", "libcurl", apt: "libcurl4-openssl-dev"),
        system("CryptoSystem", "libcrypto", apt: "libssl-dev"),
        system("QRencodeSystem", "libqrencode", apt: "libqrencode-dev"),
        system("SeccompSystem", "libseccomp", apt: "libseccomp-dev"),

        cModule("CLibcamera"),
        cModule("CLibcameraPlugin", ["CLibcamera", "LibcameraSystem"]),
        cModule("CGPIO", ["GPIODSystem"]),
        cModule("CZXing", ["ZXingSystem"]),
        cModule("CZBar", ["ZBarSystem"]),
        cModule("CLocator"),
        cModule(
            "CImage",
            [
                "JPEGSystem", "PNGSystem", "WebPSystem", "WebPDemuxSystem", "HEIFSystem", "DE265System", "DAV1DSystem",
                "TIFFSystem",
            ],
            libraries: ["gif"]),
        cModule("CMosquitto", ["MosquittoSystem"]),
        cModule("CCurl", ["CurlSystem"]),
        cModule("CCrypto", ["CryptoSystem"]),
        cModule("CLinux", ["SeccompSystem"]),
        cModule("CJPEG", ["JPEGSystem"]),
        cModule("CQRCode", ["QRencodeSystem"]),

        module("Vocabulary", []),
        module("Settings", ["Vocabulary"]),
        module("Templates", ["Vocabulary", "Payloads"]),
        module("ScanCore", ["Vocabulary", "Settings"], isOptimised: true),
        module("ReaderProtocol", ["Vocabulary"]),
        module("Linux", ["Vocabulary", "CLinux"]),
        module("Payloads", ["Vocabulary", "Settings"]),
        module("Wire", ["Vocabulary", "Settings", "Payloads"], exclude: ["Schema"]),
        // Not just "Configuration": one of the packages that Hummingbird's own tests use has a module of that name, and names must be
        // unique in the whole graph, built or not.
        module(
            "StationConfiguration", ["Vocabulary", "Settings", "Linux", "Templates", yams],
            path: "Sources/Configuration"),
        module("Peripherals", ["Vocabulary", "Settings", "Linux", "CGPIO"]),
        module(
            "Capture", ["Vocabulary", "Settings", "Linux", "Reading", "CLibcamera"],
            resources: [.copy("Scene")]),
        module("SoftReader", ["Vocabulary"], isOptimised: true),
        module(
            "Decoding", ["Vocabulary", "ReaderProtocol", "SoftReader", "CZXing", "CZBar", "CLocator"],
            isOptimised: true),
        module("Reading", ["Vocabulary", "Settings", "Linux", "ReaderProtocol", "CLinux"], isOptimised: true),
        module("ReaderProcess", ["Vocabulary", "ReaderProtocol", "Decoding", "CLinux"]),
        module("Journal", ["Vocabulary", "Settings", "Linux", "Payloads", "Wire", "CLinux", grdb]),
        module("Control", ["Vocabulary", "Settings", "Linux", "ScanCore", "Wire", "Journal"]),
        module(
            "Delivery",
            [
                "Vocabulary", "Settings", "Linux", "Templates", "ScanCore", "Wire", "Journal", "Control", "CMosquitto",
                "CCurl", "CCrypto", "CLinux",
            ]),
        module(
            "Station",
            [
                "Vocabulary", "Settings", "Linux", "ScanCore", "Payloads", "Wire", "StationConfiguration",
                "Peripherals",
                "Capture", "Reading", "Journal", "Control", "Delivery", log,
            ]),
        module("ConsoleAccess", ["Vocabulary", "Linux", "Wire", "CCrypto"]),
        module(
            "Console",
            [
                "Vocabulary", "Linux", "Wire", "ConsoleAccess", "CJPEG", "CQRCode", hummingbird, httpTypes,
                nioCore, nioPosix, nioHTTPTypes, log,
            ],
            // In the code, so that no bundle has to be found, and Foundation isn't linked for it.
            resources: [.embedInCode("Resources/openapi.json")]),

        .executableTarget(
            name: "scanstation",
            dependencies: [
                "Vocabulary", "Settings", "Linux", "Payloads", "Wire", "StationConfiguration", "Peripherals", "Capture",
                "Reading", "Journal", "Control", "Delivery", "Station", "ConsoleAccess", arguments, log,
            ],
            swiftSettings: swiftFlags),
        .executableTarget(
            name: "scanstation-console", dependencies: ["Vocabulary", "Console"], resources: [.copy("Web")],
            swiftSettings: swiftFlags),
        .executableTarget(
            name: "scanstation-reader", dependencies: ["ReaderProcess"], swiftSettings: swiftFlags),
        // Apart, so that a process that reads a camera's frames links no picture library.
        .executableTarget(
            name: "scanstation-picture-reader",
            dependencies: ["Vocabulary", "ReaderProtocol", "ReaderProcess", "CImage"],
            swiftSettings: swiftFlags),

        .executableTarget(
            name: "scanstation-bench",
            dependencies: [
                "Vocabulary", "Settings", "ScanCore", "ReaderProtocol", "Payloads", "Wire", "StationConfiguration",
                "Decoding",
                "SoftReader", "Reading", "Peripherals", "Journal", "Delivery", "Station", "TestSupport", "CZXing",
                "CZBar", "CImage", "CLinux", "CQRCode", "CZint", arguments, log, grdb,
            ],
            path: "Benchmarks/Sources",
            swiftSettings: swiftFlags),

        .target(name: "CPowerCut", path: "Benchmarks/CPowerCut", cSettings: cFlags),
        cModule("CZint", path: "Benchmarks/CZint", libraries: ["zint"]),

        fuzzTarget,
        // What several of the test targets use, and the benchmarks: nothing in it imports Testing.
        .target(
            name: "TestSupport", dependencies: ["Vocabulary", "Linux", "CLinux"], path: "Tests/TestSupport",
            swiftSettings: swiftFlags),
        // The other ends of a station: what knows of its settings, lines and control socket.
        .target(
            name: "TestPeers", dependencies: ["Settings", "Wire", "Control", "TestSupport"], path: "Tests/TestPeers",
            exclude: ["server.py"], swiftSettings: swiftFlags),
        // Events, a journal and a control server, as tests of the modules from `Control` upwards want them.
        .target(
            name: "ControlSupport",
            dependencies: ["Vocabulary", "Settings", "Payloads", "Wire", "Journal", "Control", "TestSupport"],
            path: "Tests/ControlSupport", swiftSettings: swiftFlags),
        tests("ArchitectureTests", []),
        tests("CImageTests", ["CImage"]),
        tests("VocabularyTests", ["Vocabulary", "TestSupport"]),
        tests("LinuxTests", ["Vocabulary", "Linux", "TestSupport"]),
        tests("SettingsTests", ["Settings"]),
        tests("ScanCoreTests", ["Vocabulary", "Settings", "ScanCore", "TestSupport"], isOptimised: true),
        tests("ReaderProtocolTests", ["Vocabulary", "Settings", "ReaderProtocol", "Reading", "TestSupport"]),
        tests("PayloadsTests", ["Vocabulary", "Settings", "Payloads", "TestSupport"]),
        tests("WireTests", ["Vocabulary", "Settings", "Payloads", "Wire"], exclude: ["Golden"]),
        tests("ConfigurationTests", ["Vocabulary", "Settings", "StationConfiguration", yams, "TestSupport"]),
        tests("PeripheralsTests", ["Vocabulary", "Settings", "Linux", "Peripherals", "TestSupport"]),
        tests(
            "CaptureTests",
            [
                "Vocabulary", "Settings", "Linux", "Capture", "Reading", "CLibcamera", "TestSupport",
                "scanstation-reader", "scanstation-picture-reader",
            ],
            exclude: ["Support/rpicam-stand-in"]),
        tests(
            "DecodingTests",
            [
                "Vocabulary", "Settings", "ScanCore", "ReaderProtocol", "Decoding", "Reading", "Capture", "CImage",
                "CZXing", "CZBar", "CLocator", "TestSupport",
            ],
            isOptimised: true),
        tests("SoftReaderTests", ["Vocabulary", "SoftReader", "CQRCode", "CZint", "TestSupport"], isOptimised: true),
        tests(
            "ReadingTests",
            [
                "Vocabulary", "Settings", "Linux", "ReaderProtocol", "Reading", "CLinux", "TestSupport",
                "scanstation-reader", "scanstation-picture-reader",
            ],
            isOptimised: true),
        tests("ConsoleAccessTests", ["Vocabulary", "ConsoleAccess", "TestSupport"]),
        tests(
            "ConsoleTests",
            [
                "Vocabulary", "Linux", "Wire", "ConsoleAccess", "Console", "TestSupport",
            ]),
        tests("JournalTests", ["Vocabulary", "Settings", "Linux", "Payloads", "Wire", "Journal", grdb, "TestSupport"]),
        tests(
            "ControlTests",
            ["Settings", "Linux", "Wire", "Journal", "Control", "TestSupport", "TestPeers", "ControlSupport"]),
        tests(
            "DeliveryTests",
            [
                "Vocabulary", "Settings", "Linux", "Templates", "ScanCore", "Payloads", "Wire", "Journal", "Control",
                "Delivery", "CLinux", "TestSupport", "TestPeers", "ControlSupport",
            ]),
        tests(
            "StationTests",
            [
                "Vocabulary", "Linux", "Settings", "ReaderProtocol", "Wire", "StationConfiguration", "Peripherals",
                "Capture",
                "Reading", "Journal", "Control", "Station", log, "TestSupport", "TestPeers", "ControlSupport",
                "scanstation-reader", "scanstation-picture-reader",
            ],
            exclude: ["Fixtures"]),
        tests(
            "CommandLineTests",
            [
                "Vocabulary", "Settings", "Wire", "Station", "StationConfiguration", "Peripherals", "Reading",
                "Journal",
                "Control",
                "Delivery", "CLinux", arguments, log, "TestSupport", "TestPeers", "scanstation", "scanstation-reader",
                "scanstation-picture-reader",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
