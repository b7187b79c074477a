import Glibc

/// Who runs this process, and which groups that user is in.
public struct UserIdentity: Hashable, Sendable {
    public var id: UInt32
    public var name: String
    public var groups: Set<String>

    public var isRoot: Bool { id == 0 }

    public init(id: UInt32, name: String, groups: Set<String>) {
        self.id = id
        self.name = name
        self.groups = groups
    }

    /// The effective user of this process and the groups it has now (a group joined since login isn't among them).
    public static func current() -> UserIdentity {
        let id = geteuid()
        let name = getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "uid \(id)"
        var ids = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(Int32(ids.count), &ids)
        ids.removeLast(ids.count - Int(max(0, count)))
        ids.append(getegid())
        let groups = ids.compactMap { id in getgrgid(id).map { String(cString: $0.pointee.gr_name) } }
        return UserIdentity(id: id, name: name, groups: Set(groups))
    }
}
