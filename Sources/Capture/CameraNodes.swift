import Glibc
import Linux

/// The kernel's camera device nodes and whether this process may use them. Without access, libcamera shows an empty list and gives no
/// reason, so this is checked separately.
struct CameraNodes {
    struct Node: Hashable {
        var path: String
        var isAccessible: Bool
        /// The node's group: joining it usually gives access.
        var group: String
    }

    var nodes: [Node]

    /// media* and video* below `root`.
    static func scan(root: String = "/dev") -> CameraNodes {
        let paths = Files.names(in: root).filter(isCamera).map { "\(root)/\($0)" }
        return CameraNodes(
            nodes: paths.map {
                Node(
                    path: $0, isAccessible: access($0, R_OK | W_OK) == 0, group: Files.owningGroup(of: $0) ?? "video")
            })
    }

    var isEmpty: Bool { nodes.isEmpty }

    /// Which nodes are closed to us and how to open them; `nil` for none.
    var permissionProblem: String? {
        let closed = nodes.filter { !$0.isAccessible }
        guard let first = closed.first else { return nil }
        let shown = closed.prefix(4).map(\.path).joined(separator: ", ") + (closed.count > 4 ? ", …" : "")
        return "no access to \(shown): add the user to the group \"\(first.group)\" "
            + "(`sudo usermod -aG \(first.group) \(Accounts.userName(geteuid()) ?? "$USER")`) and log in again"
    }

    static func isCamera(_ name: String) -> Bool {
        for prefix in ["media", "video"] where name.hasPrefix(prefix) {
            let number = name.dropFirst(prefix.count)
            return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
        }
        return false
    }
}
