import Glibc
import Linux

/// Says why a file can't be written, in words that a person can act on.
enum FileProblem {
    /// `tried`: `open`, `write to`, `put aside`…
    static func error(_ tried: String, _ path: String, _ error: SystemError) -> DeliveryError {
        switch error.code {
        case ENOENT where tried == "open":
            DeliveryError(
                .noSuchDevice, "the folder of \(path) is missing: create it, or set \"path\" to another; waiting for it"
            )
        case ENOTDIR:
            DeliveryError(.pathTaken, "cannot \(tried) \(path): a part of its path is a file, not a folder")
        case EISDIR: folder(path)
        case EACCES, EPERM:
            DeliveryError(
                .noPermission,
                "no permission to \(tried) \(path): the station's user must be able to write the file and its folder "
                    + "(in a unit: ReadWritePaths=)")
        case EROFS:
            DeliveryError(
                .noPermission,
                "cannot \(tried) \(path): its file system is read-only (mounted so, or by the unit: ReadWritePaths=)")
        case ENOSPC:
            DeliveryError(.system, "cannot \(tried) \(path): the disk is full; waiting for room")
        case EDQUOT:
            DeliveryError(.system, "cannot \(tried) \(path): the user's disk quota is used up; waiting for room")
        case EFBIG:
            DeliveryError(.system, "cannot \(tried) \(path): the file can't grow any more; lower \"rotateBytes\"")
        case ELOOP: DeliveryError(.pathTaken, "cannot \(tried) \(path): its links lead in a circle")
        default: DeliveryError(.system, "cannot \(tried) \(path): \(error.text)")
        }
    }

    static func folder(_ path: String) -> DeliveryError {
        DeliveryError(.pathTaken, "\(path) is a folder: set \"path\" to a file in it")
    }

    static func notAFile(_ path: String, _ mode: mode_t) -> DeliveryError {
        DeliveryError(.pathTaken, "\(path) is \(kind(mode)), not a file: set \"path\" to another name")
    }

    static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        case S_IFDIR: "a folder"
        case S_IFLNK: "a link"
        default: "something else"
        }
    }

    /// `owner`: whose file it is.
    static func foreign(_ path: String, _ owner: String) -> DeliveryError {
        DeliveryError(.pathTaken, "\(path) is \(owner): set \"path\" to another file; nothing is written into it")
    }

    static func inTheWay(of path: String, _ name: String, _ what: String) -> DeliveryError {
        DeliveryError(
            .pathTaken,
            "\(path) is full and can't be put aside: \(name) is \(what), and not a file that was put aside: move it away, or set \"path\" to another name"
        )
    }

    static func inUse(_ path: String) -> DeliveryError {
        DeliveryError(.inUse, "\(path) is written by another station: give each output a file of its own")
    }
}
