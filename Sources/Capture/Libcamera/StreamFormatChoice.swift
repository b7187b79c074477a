/// Which of its two kinds of format a webcam is to deliver: luma as it is, or JPEG files, each of which costs a few milliseconds to
/// decode and what its compression has smeared.
///
/// Uncompressed, USB 2 has room for some 10 million pixels a second: many webcams give 1280×720 ten times a second, or only small
/// frames, and the useful sizes and rates as MJPEG only. Luma wins where it gives what was asked for or not much less.
enum StreamFormatChoice {
    /// libcamera's name.
    static let jpeg = "MJPEG"
    /// JPEG has to give at least so many times the pixels a second.
    static let worthwhile = 1.5

    /// The part of the pixels a second asked for that would be delivered, 0…1.
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
