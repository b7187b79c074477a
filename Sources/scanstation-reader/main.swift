// The reader process for the camera's frames: decodes what the station shares with it. See ReaderProcess/WorkerMain.swift.
import Glibc
import ReaderProcess

exit(WorkerMain(program: "scanstation-reader").run(Array(CommandLine.arguments.dropFirst())))
