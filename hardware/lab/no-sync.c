// For a station whose journal doesn't flush: what SQLite's synchronous=OFF comes to at the disk. Loaded with LD_PRELOAD; the power
// cuts must catch it.

#include <unistd.h>

int fsync(int descriptor)
{
    (void)descriptor;
    return 0;
}

int fdatasync(int descriptor)
{
    (void)descriptor;
    return 0;
}
