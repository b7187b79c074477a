import Glibc

/// What keeps any command from working, whatever it is: said at once, rather than by whatever stumbles over it first.
enum StartProblem {
    /// `nil`: nothing does. `proc`: where the kernel's files are.
    static func text(arguments: [String] = ProgramArguments.all, proc: String = "/proc") -> String? {
        var status = stat()
        // Without it there are no arguments, not even the program's name: `run` would look like no command at all.
        guard arguments.isEmpty || lstat("\(proc)/self/exe", &status) != 0 else {
            return ProcessLimits.current(wanting: ProcessLimits.fewestDescriptors).problem
        }
        return "\(proc) isn't mounted, from where a program has its arguments and its open files: "
            + "mount -t proc proc /proc, or start the container with it"
    }
}
