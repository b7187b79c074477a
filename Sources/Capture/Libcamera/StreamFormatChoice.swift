/// Which of two kinds of format a webcam should deliver: plain luma, or JPEG files, which take a few milliseconds each to decode and are
/// smeared by compression.
///
/// USB 2 has room for about 10 million uncompressed pixels a second: many webcams give 1280×720 only ten times a second, or only small
/// frames, and the useful sizes and rates only as MJPEG. Luma wins if it gives what was asked for, or not much less.
enum StreamFormatChoice {
    /// libcamera's name.
    static let jpeg = "MJPEG"
    /// JPEG has to give at least this many times the pixels a second.
    static let worthwhile = 1.5

    /// The part of the requested pixels a second that would be delivered, 0…1.
    static func part(of request: CameraRequest, givenBy granted: GrantedSettings) -> Double {
        let wanted = Double(request.resolution.width * request.resolution.height)
        let pixels = Double(granted.resolution.width * granted.resolution.height)
        guard wanted > 0, request.frameRate > 0 else { return 1 }
        return min(1, pixels / wanted) * min(1, granted.frameRate / request.frameRate)
    }

    /// Whether any JPEG could be worth it.
    static func isJPEGWorthTrying(insteadOf luma: GrantedSettings, for request: CameraRequest) -> Bool {
        part(of: request, givenBy: luma) * worthwhile <= 1
    }

    static func prefers(
        _ jpeg: GrantedSettings, over luma: GrantedSettings, for request: CameraRequest
    ) -> Bool {
        part(of: request, givenBy: jpeg) >= part(of: request, givenBy: luma) * worthwhile
    }
}
