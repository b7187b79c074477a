// The reader process for picture files: decodes them, and reads them or puts them on a frame. See ReaderProcess/WorkerMain.swift.
import Glibc
import ReaderProcess

let worker = WorkerMain(program: "scanstation-picture-reader", pictures: LibraryPictures())
exit(worker.run(Array(CommandLine.arguments.dropFirst())))
