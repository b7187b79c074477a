#define _GNU_SOURCE
#include "CPowerCut.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The folder has only a few files: a database, its log, a lock, a ballast, and those of a damaged journal.
enum { MAX_FILES = 64, KEY_LENGTH = 64, BLOCK = 65536 };

typedef struct {
    char key[KEY_LENGTH];
    // Written since the last flush: from, to (exclusive); empty when `from >= to`.
    off_t from;
    off_t to;
} File;

static char folder[PATH_MAX];
static char copies[PATH_MAX];
static size_t folder_length;
static int counts_file = -1;
static File files[MAX_FILES];
static int file_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
    const char *name;
    atomic_ulong count;
} calls[] = {{"write", 0},  {"ftruncate", 0}, {"fsync", 0}, {"fdatasync", 0},
             {"folder", 0}, {"unlink", 0},    {"rename", 0}};
enum { CALL_WRITE, CALL_FTRUNCATE, CALL_FSYNC, CALL_FDATASYNC, CALL_FOLDER, CALL_UNLINK, CALL_RENAME, CALL_KINDS };

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void key_of(const struct statx *status, char key[KEY_LENGTH]) {
    snprintf(
        key, KEY_LENGTH, "%llu-%lld-%u", (unsigned long long)status->stx_ino, (long long)status->stx_btime.tv_sec,
        status->stx_btime.tv_nsec);
}

// Says whether a descriptor belongs to the folder itself (2), a file in it (1) or neither (0).
static int place_of(int descriptor, char key[KEY_LENGTH]) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (strncmp(path, folder, folder_length) != 0) return 0;
    if (path[folder_length] == 0) return 2;
    if (path[folder_length] != '/') return 0;
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &status) != 0) return 0;
    key_of(&status, key);
    return 1;
}

static int is_inside(const char *path) {
    return folder_length && strncmp(path, folder, folder_length) == 0 && path[folder_length] == '/';
}

static File *file_with(const char *key) {
    for (int index = 0; index < file_count; index++)
        if (strcmp(files[index].key, key) == 0) return &files[index];
    if (file_count == MAX_FILES) {
        static const char text[] = "powercut: more files than it can watch\n";
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        abort();
    }
    File *file = &files[file_count++];
    snprintf(file->key, KEY_LENGTH, "%s", key);
    // Nothing is known about it yet: the first flush copies all of it.
    file->from = 0;
    file->to = INT64_MAX;
    return file;
}

// The counts are written at each flush: a killed process has no last moment.
static void write_counts(void) {
    char text[512];
    int length = 0;
    for (int kind = 0; kind < CALL_KINDS; kind++)
        length += snprintf(
            text + length, sizeof text - (size_t)length, "%s %lu\n", calls[kind].name, atomic_load(&calls[kind].count));
    (void)!REAL(pwrite64)(counts_file, text, (size_t)length, 0);
}

static void count(int kind) { atomic_fetch_add(&calls[kind].count, 1); }

static void note_write(int descriptor, off_t offset, ssize_t length) {
    char key[KEY_LENGTH];
    if (!folder_length || length <= 0 || place_of(descriptor, key) != 1) return;
    count(CALL_WRITE);
    pthread_mutex_lock(&lock);
    File *file = file_with(key);
    if (file->from >= file->to) {
        file->from = offset;
        file->to = offset + length;
    } else {
        if (offset < file->from) file->from = offset;
        if (offset + length > file->to) file->to = offset + length;
    }
    pthread_mutex_unlock(&lock);
}

static void copy_content(int descriptor, File *file) {
    char path[PATH_MAX + 80];
    snprintf(path, sizeof path, "%s/content-%s", copies, file->key);
    int copy = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    struct stat status;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    // The descriptor may be for writing only.
    int source = open(link, O_RDONLY | O_CLOEXEC);
    if (copy < 0 || source < 0 || fstat(source, &status) != 0) abort();
    static char block[BLOCK];
    off_t end = file->to < status.st_size ? file->to : status.st_size;
    for (off_t offset = file->from; offset < end;) {
        size_t wanted = end - offset < BLOCK ? (size_t)(end - offset) : BLOCK;
        ssize_t length = pread(source, block, wanted, offset);
        if (length <= 0) break;
        if (REAL(pwrite64)(copy, block, (size_t)length, offset) != length) abort();
        offset += length;
    }
    if (REAL(ftruncate64)(copy, status.st_size) != 0) abort();
    file->from = file->to = 0;
    close(source);
    close(copy);
}

static void copy_names(void) {
    char path[PATH_MAX + 16], fresh[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/names", copies);
    snprintf(fresh, sizeof fresh, "%s/names.new", copies);
    FILE *list = fopen(fresh, "w");
    DIR *directory = opendir(folder);
    if (!list || !directory) abort();
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_type != DT_REG) continue;
        struct statx status;
        char key[KEY_LENGTH];
        if (statx(dirfd(directory), entry->d_name, 0, STATX_INO | STATX_BTIME, &status) != 0) continue;
        key_of(&status, key);
        fprintf(list, "%s %s\n", key, entry->d_name);
    }
    closedir(directory);
    fclose(list);
    if (REAL(rename)(fresh, path) != 0) abort();
}

static void note_flush(int descriptor, int kind) {
    char key[KEY_LENGTH];
    if (!folder_length) return;
    int place = place_of(descriptor, key);
    if (place == 0) return;
    int error = errno;
    pthread_mutex_lock(&lock);
    if (place == 2) {
        count(CALL_FOLDER);
        copy_names();
    } else {
        count(kind);
        copy_content(descriptor, file_with(key));
    }
    write_counts();
    pthread_mutex_unlock(&lock);
    errno = error;
}

// What is there at the start counts as on disk: the copies begin with all of it.
static void copy_everything(void) {
    DIR *directory = opendir(folder);
    if (!directory) abort();
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_type != DT_REG) continue;
        int descriptor = openat(dirfd(directory), entry->d_name, O_RDONLY | O_CLOEXEC);
        char key[KEY_LENGTH];
        if (descriptor >= 0 && place_of(descriptor, key) == 1) copy_content(descriptor, file_with(key));
        if (descriptor >= 0) close(descriptor);
    }
    closedir(directory);
    copy_names();
}

__attribute__((constructor)) static void begin(void) {
    const char *watched = getenv(CPOWERCUT_FOLDER), *target = getenv(CPOWERCUT_COPY);
    if (!watched || !target) return;
    snprintf(folder, sizeof folder, "%s", watched);
    snprintf(copies, sizeof copies, "%s", target);
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/calls", copies);
    FILE *before = fopen(path, "r");
    if (before) {
        char name[32];
        unsigned long number;
        while (fscanf(before, "%31s %lu", name, &number) == 2)
            for (int kind = 0; kind < CALL_KINDS; kind++)
                if (strcmp(name, calls[kind].name) == 0) atomic_store(&calls[kind].count, number);
        fclose(before);
    }
    counts_file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (counts_file < 0) abort();
    folder_length = strlen(folder);
    copy_everything();
}

// What is interposed. SQLite and Swift's libraries call these through the dynamic linker. The copy is made before the caller hears of the
// flush. After a kill in between, part of the copy is new, which can happen with a real disk too.

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
    ssize_t result = REAL(pwrite64)(descriptor, bytes, length, offset);
    note_write(descriptor, offset, result);
    return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
    ssize_t result = REAL(pwrite)(descriptor, bytes, length, offset);
    note_write(descriptor, offset, result);
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
    off_t offset = folder_length ? lseek(descriptor, 0, SEEK_CUR) : -1;
    ssize_t result = REAL(write)(descriptor, bytes, length);
    if (offset >= 0) note_write(descriptor, offset, result);
    return result;
}

int ftruncate64(int descriptor, off64_t length) {
    int result = REAL(ftruncate64)(descriptor, length);
    char key[KEY_LENGTH];
    if (result == 0 && folder_length && place_of(descriptor, key) == 1) count(CALL_FTRUNCATE);
    return result;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

int fsync(int descriptor) {
    int result = REAL(fsync)(descriptor);
    if (result == 0) note_flush(descriptor, CALL_FSYNC);
    return result;
}

int fdatasync(int descriptor) {
    int result = REAL(fdatasync)(descriptor);
    if (result == 0) note_flush(descriptor, CALL_FDATASYNC);
    return result;
}

int unlink(const char *path) {
    if (is_inside(path)) count(CALL_UNLINK);
    return REAL(unlink)(path);
}

int rename(const char *from, const char *to) {
    if (is_inside(from)) count(CALL_RENAME);
    return REAL(rename)(from, to);
}
