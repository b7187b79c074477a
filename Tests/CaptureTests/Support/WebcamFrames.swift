import Foundation
import Vocabulary

/// What webcams send as MJPEG: a chequered frame of 64×48 (by Pillow), whole, and in the states in which frames arrive.
enum WebcamFrames {
    static let size = FrameSize(width: 64, height: 48)

    /// With the standard Huffman tables written out.
    static let whole = [UInt8](
        Data(
            base64Encoded:
                "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0"
                + "Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy"
                + "MjL/wAARCAAwAEADASEAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID"
                + "AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlq"
                + "c3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3"
                + "+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI"
                + "FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK"
                + "kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD2"
                + "b7qjHB7e3H+f/r18W9Pr0x/n/PtQB9pdFz6j6+n+f8K+Legz7/4/5/rQB9pZxyevv68f57fjXxaBj+X8/wDP9KAPtIdCx+v16f57/hXx"
                + "b7k/n+P+f60AAGf5fz/z/SvtLOeT09/Tj/Pf8KAPi3qc+3+P+f619pdWz6H6en+f8aAPi3r9OmP8/wCfavtL7zDHI7e/P+f/AK1AHxb1"
                + "/LP6f5/xr7SP3sdgefz/AM//AF6AA8nb7+nv/n/61fFp6YHpk/lQB9pHrgeuT+dfFp4G329Pb/P/ANegD7TPBwOp/wAf8/4V8WH7uO5H"
                + "P5f5/wDrUAfaXT88/r/n/Gvi37qjHB7e3H+f/r0AHRc+o+vp/n/CvtLoM+/+P+f60AfFuccnr7+vH+e3419pAY/l/P8Az/SgD4tHQsfr"
                + "9en+e/4V9pe5P5/j/n+tAHxaOpY/X6dP89vxr7SAz/L+f+f6UAHU59v8f8/1r4t6tn0P09P8/wCNAH2l1+nTH+f8+1fFv3mGOR29+f8A"
                + "P/1qAPtLr+Wf0/z/AI18Wn72OwPP5/5/+vQB9onkYHQf4f5/wr4uPJ2+/p7/AOf/AK1AAeuB65P519pHgbfb09v8/wD16APi48HA6n/H"
                + "/P8AhX2ifu47kc/l/n/61AHxb0/PP6/5/wAa+0vuqMcHt7cf5/8Ar0AfFvT69Mf5/wA+1faXRc+o+vp/n/CgD//Z") ?? Data())

    /// As most webcams send them: without those tables.
    static let withoutTables: [UInt8] = {
        var result = Array(whole[..<2])
        var place = 2
        while whole[place + 1] != 0xDA {
            let end = place + 2 + Int(whole[place + 2]) << 8 + Int(whole[place + 3])
            if whole[place + 1] != 0xC4 { result += whole[place..<end] }
            place = end
        }
        return result + whole[place...]
    }()

    /// The bus lost the lower part.
    static let cut = Array(whole[..<(whole.count - 200)])

    /// The same with another size in its header.
    static func claiming(_ size: FrameSize) -> [UInt8] {
        var bytes = whole
        guard let start = (2..<bytes.count - 9).first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }) else {
            return []
        }
        (bytes[start + 5], bytes[start + 6]) = (UInt8(size.height >> 8), UInt8(size.height & 255))
        (bytes[start + 7], bytes[start + 8]) = (UInt8(size.width >> 8), UInt8(size.width & 255))
        return bytes
    }

    /// Whether it shows the chequers: light and dark in turn, eight pixels each.
    static func showsChequers(_ pixels: [UInt8]) -> Bool {
        guard pixels.count == size.width * size.height else { return false }
        return (0..<pixels.count).allSatisfy { index in
            let (x, y) = (index % size.width, index / size.width)
            return (pixels[index] > 128) == ((x / 8 + y / 8) % 2 == 0)
        }
    }
}
