// The reader process: decodes what the station shares with it. See WorkerMain.swift.
import Glibc

exit(WorkerMain.run(Array(CommandLine.arguments.dropFirst())))
