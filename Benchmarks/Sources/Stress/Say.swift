import Glibc

/// People watch long tests: each line shows as soon as it is printed, even at the end of a pipe.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
