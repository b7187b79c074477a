/// An active buzzer: it sounds by itself while its line is active.
final class LineTone: ToneOutput {
    private let line: any OutputLine

    init(line: any OutputLine) { self.line = line }

    func sound(hertz: Int) throws(LineError) { try line.set(hertz != 0) }
    func read() throws(LineError) -> Bool { try line.read() }
    func close() { line.close() }
}
