/// The kinds of picture file that readers decode, by their names' endings. What a file is, its first bytes say.
package enum PictureKinds {
    package static let endings = [
        "jpg", "jpeg", "png", "webp", "heic", "heif", "avif", "gif", "tif", "tiff", "bmp", "pgm", "ppm",
    ]

    /// For messages.
    package static let names = "JPEG, PNG, WebP, HEIC, AVIF, GIF, TIFF, BMP, PGM"

    /// Whether a file's name ends like a picture's, in capitals or not.
    package static func isPicture(_ name: FileName) -> Bool { name.ending.map(endings.contains) ?? false }
}
