import Glibc
import TestSupport
import Testing

@testable import Linux

@Suite("Unix sockets, and who serves them", .timeLimit(.minutes(10)))
struct UnixAddressTests {
    private let folder = TemporaryFolder()

    /// The length that the system gets, and the name in the address, its NULs included.
    private func name(_ address: UnixAddress?) -> [UInt8]? {
        address?.with { pointer, length in
            Array(UnsafeRawBufferPointer(start: pointer, count: Int(length)).dropFirst(MemoryLayout<sa_family_t>.size))
        }
    }

    @Test("A path ends with its NUL; an abstract name begins with one, and the length ends it")
    func lengths() {
        #expect(name(UnixAddress(path: "/run/a")) == Array("/run/a\0".utf8))
        #expect(name(UnixAddress(name: "/run/a")) == Array("/run/a\0".utf8))
        #expect(name(UnixAddress(name: "@a")) == Array("\0a".utf8))
        // To a path, it is a letter like others.
        #expect(name(UnixAddress(path: "@a")) == Array("@a\0".utf8))
    }

    @Test("What doesn't fit is no address")
    func limits() {
        #expect(name(UnixAddress(path: String(repeating: "é", count: 53) + "a"))?.count == 108)
        #expect(UnixAddress(path: String(repeating: "é", count: 54)) == nil)
        #expect(UnixAddress(name: "@" + String(repeating: "a", count: 107)) == nil)
        #expect(UnixAddress(path: "") == nil)
        #expect(UnixAddress(path: "/run/a\0b") == nil)
    }

    @Test("A datagram arrives at a path and at an abstract name", arguments: [false, true])
    func service(isAbstract: Bool) throws {
        let name = isAbstract ? "@\(folder.path)" : folder.file("s.sock")
        #expect(ServiceSocket(name: name)?.send("READY=1") == false, "nobody is there")
        let manager = try Descriptor.unixSocket(SOCK_DGRAM)
        let address = try #require(UnixAddress(name: name))
        try #require(address.with { bind(manager.number, $0, $1) } == 0)
        for waits in [false, true] {
            #expect(ServiceSocket(name: name)?.send("READY=1", waits: waits) == true)
            guard case .bytes(let bytes) = manager.read(limit: 100) else {
                Issue.record("nothing came")
                continue
            }
            #expect(bytes == Array("READY=1".utf8))
        }
    }

    @Test("The other end is this process")
    func credentials() {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let sockets = ends.map(Descriptor.init)
        let mine = PeerCredentials(processID: getpid(), userID: geteuid(), groupID: getegid())
        #expect(PeerCredentials(socket: sockets[0].number) == mine)
        #expect(PeerCredentials(socket: -1) == nil)
    }

    @Test("A socket is served by this user, root, the service, or the one user who may write to the folder")
    func trust() throws {
        let mine = geteuid()
        let path = folder.file("s.sock")
        func mayServe(_ user: uid_t, service: String = "no such user", to other: uid_t) -> Bool {
            PeerCredentials(processID: 1, userID: user, groupID: 0).mayServe(path, service: service, user: other)
        }
        try #require(chmod(folder.path, 0o1777) == 0)
        #expect(mayServe(mine, to: mine))
        #expect(mayServe(0, to: 1000))
        #expect(!mayServe(4711, to: 1000))
        if let daemon = Accounts.userID("daemon") {
            #expect(mayServe(daemon, service: "daemon", to: daemon + 1000))
            #expect(!mayServe(daemon, to: daemon + 1000))
        }
        // Its owner's, but everybody may put a socket there.
        #expect(!mayServe(mine, to: mine + 1) || mine == 0)
        try #require(chmod(folder.path, 0o755) == 0)
        #expect(mayServe(mine, to: mine + 1))
    }
}
