/// The kinds of picture file that readers decode, by file name extension. The first bytes say what a file really is.
package enum PictureKinds {
    package static let endings = [
        "jpg", "jpeg", "png", "webp", "heic", "heif", "avif", "gif", "tif", "tiff", "bmp", "pgm", "ppm",
    ]

    /// For messages.
    package static let names = "JPEG, PNG, WebP, HEIC, AVIF, GIF, TIFF, BMP, PGM"

    /// Whether a file's name ends like a picture's, in upper or lower case.
    package static func isPicture(_ name: FileName) -> Bool { name.ending.map(endings.contains) ?? false }
}
