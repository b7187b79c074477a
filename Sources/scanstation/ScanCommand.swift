import ArgumentParser
import Glibc
import Linux
import Payloads
import Peripherals
import Reading
import Vocabulary
import Wire

/// `scanstation scan`: reads the codes in pictures, without a station.
struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Read the codes in pictures (\(PictureKinds.names)).",
        discussion: """
            Prints one line per picture: JSON with the file's name and its codes, or with --text one line per code. A folder stands for \
            the pictures in it and below; - stands for a picture on standard input. What can't be read (missing, empty, \
            damaged, over 100 megapixels) is named on standard error, too, and the others are read. If a picture breaks off, \
            the part that is there is read. At the end, standard error says how many there were and what was skipped. Exits with 0 when \
            something was read, 1 when nothing was.
            """)

    @Argument(help: "Pictures, folders of pictures, or - for standard input.") var files: [String]
    @OptionGroup var configuration: ConfigurationOptions
    @Flag(help: "Print readable lines: FILE, symbology and text.") var text = false
    @Flag(help: "Also say what looks like a code and wasn't read, and why.") var explain = false
    @Option(
        help: ArgumentHelp("Look only for these, comma-separated, such as ean_13,qr_code.", valueName: "symbologies"),
        transform: Self.symbologies)
    var only: Set<Symbology>?
    @Option(name: .shortAndLong, help: "Pictures read at the same time.") var jobs = 2

    func validate() throws {
        guard (1...16).contains(jobs) else { throw ValidationError("--jobs takes 1 to 16") }
    }

    func run() async throws {
        ProcessSignals.ignoreBrokenPipes()
        let settings = try configuration.load()
        let found = findPictures()
        let pictures = found.pictures
        guard !pictures.isEmpty else { throw ExitStatus.nothing }
        var reading = settings.reading
        if let only {
            reading.symbologies = Dictionary(
                uniqueKeysWithValues: only.map { ($0, reading.symbologies[$0] ?? .standard(for: $0)) })
        }
        let interpreter = PayloadInterpreter(settings: settings.payloads)
        var progress = PictureProgress(
            total: pictures.count, isTerminal: Console.isErrorTerminal, at: Instant.now)
        let readers = (0..<min(jobs, max(1, pictures.count))).map { _ in
            PictureReader(settings: reading, explains: explain, executable: ReaderExecutable.locatePictures())
        }

        var summary = PictureSummary()
        // Results come out in the order of the files, however long each one takes.
        var waiting: [Int: PictureLine] = [:]
        var nextIndex = 0
        await withTaskGroup(of: (Int, Int, PictureLine).self) { group in
            var upcoming = 0
            func enqueue(on reader: Int) {
                guard upcoming < pictures.count else { return }
                let index = upcoming
                upcoming += 1
                group.addTask {
                    let result = await readers[reader].read(pictures[index])
                    return (index, reader, PictureLine(pictures[index], result, interpreter, explains: explain))
                }
            }
            for reader in readers.indices { enqueue(on: reader) }
            for await (index, reader, line) in group {
                waiting[index] = line
                while let line = waiting.removeValue(forKey: nextIndex) {
                    nextIndex += 1
                    summary.add(line)
                    write(progress.clearing)
                    guard show(line) else { return group.cancelAll() }
                }
                write(progress.text(done: nextIndex, codes: summary.codes, at: Instant.now))
                enqueue(on: reader)
            }
        }
        write(progress.clearing)
        for reader in readers { await reader.stop() }
        if pictures.count > 1 || found.hasFolder { Console.error(summary.text(skipped: found.skipped)) }
        if summary.codes == 0 { throw ExitStatus.nothing }
    }

    private func write(_ text: String?) { text.map { _ = Console.write($0, to: STDERR_FILENO) } }

    private func findPictures() -> PictureFiles {
        var names = ArgumentNames()
        var found = PictureFiles()
        for file in files { found.add(names.name(file)) }
        for (folder, reason) in found.unreadable {
            Console.error("\(TerminalText.escape(folder.description)) can't be searched: \(reason)")
        }
        for folder in found.empty {
            let skipped = found.skipped.map { "; skipped \($0)" } ?? ""
            let name = TerminalText.escape(folder.description)
            Console.error("\(name): no picture in it or below it (\(PictureKinds.names))\(skipped)")
        }
        return found
    }

    /// Returns false when nobody reads our output any more.
    private func show(_ line: PictureLine) -> Bool {
        // On a terminal, the JSON line says it already.
        if let error = line.error, text || !Console.isOutputTerminal {
            Console.error(Self.problem(error, in: line.file))
        }
        guard text else {
            return Console.write(String(decoding: line.line(secrets: .asConfigured), as: UTF8.self), to: STDOUT_FILENO)
        }
        let file = TerminalText.escape(line.file)
        for code in line.codes {
            let text = code.symbol.text.map { TerminalText.escape($0) } ?? "(\(code.symbol.bytes.count) bytes, no text)"
            let kind = code.payload.kind == "text" ? "" : "  (\(code.payload.kind))"
            guard Console.write("\(file)  \(code.symbol.symbology.rawValue)  \(text)\(kind)\n", to: STDOUT_FILENO)
            else {
                return false
            }
        }
        if line.codes.isEmpty, line.error == nil { Console.error("\(file): no code was read") }
        for code in line.unread ?? [] { Console.error("\(file)  not read: \(code.textWithAdvice)") }
        return true
    }

    /// Most errors name the file themselves.
    private static func problem(_ error: String, in file: String) -> String {
        TerminalText.escape(error.hasPrefix(file) ? error : "\(file): \(error)", limit: 4_000)
    }

    private static func symbologies(_ text: String) throws -> Set<Symbology> {
        Set(
            try text.split(separator: ",").map { name in
                guard let symbology = Symbology(rawValue: String(name)) else {
                    let known = Symbology.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("\"\(name)\" is not a symbology; the symbologies are: \(known)")
                }
                return symbology
            })
    }
}

extension PictureLine {
    init(_ source: PictureSource, _ result: PictureResult, _ interpreter: PayloadInterpreter, explains: Bool) {
        self.init(
            file: source.description, size: result.size,
            codes: result.symbols.map { Code(symbol: $0, payload: interpreter.interpret($0)) },
            unread: explains ? result.unread : nil,
            error: result.error ?? result.damage.map { "\(source): \($0)" }, decodeTime: result.decodeTime)
    }
}
