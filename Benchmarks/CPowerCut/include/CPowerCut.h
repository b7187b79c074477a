// Preloaded into a station (LD_PRELOAD), this library keeps a copy of what the station has flushed, so that a test can cut the
// power: it kills the station and puts the copies in the place of its files. It knows one folder and what lies directly in it.
//
// Environment:
//   SCANSTATION_POWERCUT_FOLDER  the folder that is watched, absolute, without a slash at its end
//   SCANSTATION_POWERCUT_COPY    where the copies are: must exist, and be empty but for `calls`
//
// In the copy folder:
//   content-KEY  what of the file KEY was flushed (fsync, fdatasync) at its last flush
//   names        which names the folder had when it was flushed last: lines "KEY NAME"
//   calls        how often what was called in the watched folder, for all processes so far: lines "NAME COUNT"
// A KEY is the inode and the time of its birth: an inode's number is given again, and the new file isn't the old one.
//
// A write that isn't flushed changes no copy. Memory mappings are not seen: of SQLite's files only -shm is mapped, which is made
// again after a cut.
#ifndef CPOWERCUT_H
#define CPOWERCUT_H

#define CPOWERCUT_FOLDER "SCANSTATION_POWERCUT_FOLDER"
#define CPOWERCUT_COPY "SCANSTATION_POWERCUT_COPY"

#endif
