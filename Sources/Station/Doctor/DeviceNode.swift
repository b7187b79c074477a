import Glibc
import Linux

/// A device node: whether it is there, whether we may use it, and which group would let us.
struct DeviceNode {
    enum Access: Hashable {
        case usable
        case missing
        /// The group that owns the node.
        case denied(group: String?)
        case failed(String)
    }

    let path: String

    /// Asks the kernel, with this process's effective rights, without opening anything: opening a serial port can reset what is connected
    /// to it.
    var access: Access {
        if faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0 { return .usable }
        switch errno {
        case ENOENT, ENOTDIR: return .missing
        case EACCES, EPERM: return .denied(group: group)
        default: return .failed(SystemError().text)
        }
    }

    private var group: String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Accounts.groupName(status.st_gid)
    }

    /// Nodes in `/dev` whose name is one of `prefixes` followed by digits.
    static func all(root: String, prefixes: [String]) -> [DeviceNode] {
        Files.names(in: root + "/dev").filter { name in
            prefixes.contains { prefix in
                name.hasPrefix(prefix) && !name.dropFirst(prefix.count).isEmpty
                    && name.dropFirst(prefix.count).allSatisfy(\.isNumber)
            }
        }.map { DeviceNode(path: root + "/dev/" + $0) }
    }
}

extension UserIdentity {
    /// The sentence that follows "permission denied".
    func remedy(joining group: String?) -> String {
        guard let group, group != "root" else {
            return "run as root, or give the node a group with a udev rule and join it"
        }
        if groups.contains(group) {
            return "the group \"\(group)\" owns it and \(name) is in it: check the node's mode (660 is usual)"
        }
        return "sudo usermod -aG \(group) \(name), then log in again"
    }
}
