import Glibc

/// What keeps every command from working: said at once, rather than by the first part that stumbles over it.
enum StartProblem {
    /// `nil`: no problem. `proc`: where the kernel's files are.
    static func text(arguments: [String] = ProgramArguments.all, proc: String = "/proc") -> String? {
        var status = stat()
        // Without it there are no arguments, not even the program's name: `run` would look like no command at all.
        guard arguments.isEmpty || lstat("\(proc)/self/exe", &status) != 0 else {
            return ProcessLimits.current(wanting: ProcessLimits.fewestDescriptors).problem
        }
        return "\(proc) isn't mounted, and a program finds its arguments and open files there: "
            + "mount -t proc proc /proc, or start the container with it"
    }
}
