@testable import Capture

/// What `rpicam-vid` says, on both of its channels: sizes of five chunks, then the text.
enum CameraTextTarget {
    static func check(_ input: inout FuzzInput) throws {
        let sizes = input.take(5).map { Int($0) % 40 + 1 }
        let text = input.all()
        guard !sizes.isEmpty else { return }
        var whole = RpicamMetadata()
        whole.add(text)
        var metadata = RpicamMetadata()
        var talk = RpicamTalk()
        var rest = text[...]
        var turn = 0
        while !rest.isEmpty {
            let chunk = rest.prefix(sizes[turn % sizes.count])
            metadata.add(chunk)
            talk.add(chunk)
            rest = rest.dropFirst(chunk.count)
            turn += 1
        }
        try demand(metadata.count == whole.count, "chunks of \(sizes) give the records of the whole")
        for number in 0..<whole.count {
            try demand(
                metadata.take(number) == whole.take(number), "record \(number) is the same in chunks of \(sizes)")
        }
        try demand(metadata.take(whole.count) == nil, "there is no record that hasn't come")

        try demand(talk.text.utf8.count <= 8 * 300 * 3, "what it said is kept short: \(talk.text.utf8.count) bytes")
        try Lines.demandPlain(talk.text)
        if let option = talk.unknownOption {
            try demand(!option.isEmpty && talk.text.contains(option), "the option it names is one that was named")
        }
    }
}
