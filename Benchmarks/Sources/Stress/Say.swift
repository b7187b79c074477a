import Glibc

/// Long tests are watched: each line is seen when it is printed, also at the end of a pipe.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
