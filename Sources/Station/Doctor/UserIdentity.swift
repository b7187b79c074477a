import Glibc
import Linux

/// Who runs this process, and which groups that user is in.
package struct UserIdentity: Hashable, Sendable {
    package var id: UInt32
    package var name: String
    package var groups: Set<String>

    package var isRoot: Bool { id == 0 }

    package init(id: UInt32, name: String, groups: Set<String>) {
        self.id = id
        self.name = name
        self.groups = groups
    }

    /// The effective user of this process and the groups it has now (a group joined since login isn't among them).
    package static func current() -> UserIdentity {
        let id = geteuid()
        let name = Accounts.userName(id) ?? "uid \(id)"
        var ids = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(Int32(ids.count), &ids)
        ids.removeLast(ids.count - Int(max(0, count)))
        ids.append(getegid())
        let groups = ids.compactMap(Accounts.groupName)
        return UserIdentity(id: id, name: name, groups: Set(groups))
    }
}
