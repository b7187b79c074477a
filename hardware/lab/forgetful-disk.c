// A disk with a write cache that forgets: an nbdkit plugin for power cuts.
//
// Writes are kept in memory; a flush, or a write with FUA, brings them into the image. When this process is killed, whatever was
// not flushed is gone, as in a disk whose power is cut. With keep=N, SIGTERM lets N of 100 unflushed sectors reach the image, chosen
// at random from seed=N: a real disk may have written any of them, in any order, so long as it honours flushes.
//
//   nbdkit --foreground -U SOCKET ./forgetful-disk.so image=FILE [keep=50 seed=1]

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// One request at a time: the order of writes and flushes is then the order in which they came.
#define THREAD_MODEL NBDKIT_THREAD_MODEL_SERIALIZE_ALL_REQUESTS

// What is cached as one: the file system's block. What is forgotten or kept as one: a disk's sector.
enum { block_size = 4096, sector_size = 512 };

static char *image_path;
static unsigned keep_percent;
static unsigned seed = 1;

static int image = -1;
static uint64_t image_size;
static uint64_t block_count;
// For each block of the image, what was written and not flushed yet, or NULL.
static uint8_t **cached;
static uint64_t writes, flushes, forgotten, kept;

static int forgetful_config(const char *key, const char *value)
{
    if (strcmp(key, "image") == 0) {
        image_path = nbdkit_realpath(value);
        return image_path ? 0 : -1;
    }
    if (strcmp(key, "keep") == 0) return nbdkit_parse_unsigned("keep", value, &keep_percent);
    if (strcmp(key, "seed") == 0) return nbdkit_parse_unsigned("seed", value, &seed);
    nbdkit_error("unknown parameter %s", key);
    return -1;
}

static int forgetful_get_ready(void)
{
    struct stat status;
    if (!image_path) {
        nbdkit_error("image=FILE is missing");
        return -1;
    }
    image = open(image_path, O_RDWR | O_CLOEXEC);
    if (image < 0 || fstat(image, &status) < 0) {
        nbdkit_error("%s: %m", image_path);
        return -1;
    }
    image_size = (uint64_t)status.st_size;
    if (image_size == 0 || image_size % block_size != 0) {
        nbdkit_error("%s: its size must be a multiple of %d bytes", image_path, block_size);
        return -1;
    }
    block_count = image_size / block_size;
    cached = calloc(block_count, sizeof *cached);
    return cached ? 0 : -1;
}

static int read_block(uint64_t block, uint8_t *into)
{
    return pread(image, into, block_size, (off_t)(block * block_size)) == block_size ? 0 : -1;
}

// Brings one block into the image, and out of memory.
static int settle_block(uint64_t block)
{
    if (!cached[block]) return 0;
    if (pwrite(image, cached[block], block_size, (off_t)(block * block_size)) != block_size) return -1;
    free(cached[block]);
    cached[block] = NULL;
    return 0;
}

static int fail(const char *what)
{
    int reason = errno;
    nbdkit_error("%s: %s: %m", image_path, what);
    nbdkit_set_error(reason ? reason : EIO);
    return -1;
}

// The power is cut: some of what is in memory may have been on its way.
static void forgetful_cleanup(void)
{
    srand(seed);
    for (uint64_t block = 0; block < block_count; block++) {
        uint8_t old[block_size];
        if (!cached[block] || read_block(block, old) < 0) continue;
        for (int sector = 0; sector < block_size; sector += sector_size) {
            if (memcmp(old + sector, cached[block] + sector, sector_size) == 0) continue;
            if ((unsigned)(rand() % 100) < keep_percent) {
                kept++;
            } else {
                memcpy(cached[block] + sector, old + sector, sector_size);
                forgotten++;
            }
        }
        if (keep_percent > 0) settle_block(block);
    }
    fprintf(stderr, "{\"writes\": %llu, \"flushes\": %llu, \"forgotten\": %llu, \"kept\": %llu}\n",
            (unsigned long long)writes, (unsigned long long)flushes, (unsigned long long)forgotten,
            (unsigned long long)kept);
}

static void *forgetful_open(int readonly)
{
    (void)readonly;
    return NBDKIT_HANDLE_NOT_NEEDED;
}

static int64_t forgetful_get_size(void *handle)
{
    (void)handle;
    return (int64_t)image_size;
}

static int forgetful_can_flush(void *handle)
{
    (void)handle;
    return 1;
}

static int forgetful_can_fua(void *handle)
{
    (void)handle;
    return NBDKIT_FUA_NATIVE;
}

static int forgetful_block_size(void *handle, uint32_t *minimum, uint32_t *preferred, uint32_t *maximum)
{
    (void)handle;
    *minimum = 1;
    *preferred = block_size;
    *maximum = UINT32_MAX;
    return 0;
}

static int forgetful_pread(void *handle, void *buffer, uint32_t count, uint64_t offset, uint32_t flags)
{
    (void)handle;
    (void)flags;
    uint8_t *into = buffer;
    uint8_t whole[block_size];
    while (count > 0) {
        uint64_t block = offset / block_size;
        uint32_t skip = (uint32_t)(offset % block_size);
        uint32_t part = block_size - skip < count ? block_size - skip : count;
        if (!cached[block] && read_block(block, whole) < 0) return fail("reading");
        memcpy(into, (cached[block] ? cached[block] : whole) + skip, part);
        into += part;
        offset += part;
        count -= part;
    }
    return 0;
}

static int forgetful_pwrite(void *handle, const void *buffer, uint32_t count, uint64_t offset, uint32_t flags)
{
    (void)handle;
    const uint8_t *from = buffer;
    writes++;
    while (count > 0) {
        uint64_t block = offset / block_size;
        uint32_t skip = (uint32_t)(offset % block_size);
        uint32_t part = block_size - skip < count ? block_size - skip : count;
        if (!cached[block]) {
            uint8_t *whole = malloc(block_size);
            if (!whole || read_block(block, whole) < 0) {
                free(whole);
                return fail("writing");
            }
            cached[block] = whole;
        }
        memcpy(cached[block] + skip, from, part);
        if ((flags & NBDKIT_FLAG_FUA) && settle_block(block) < 0) return fail("writing through");
        from += part;
        offset += part;
        count -= part;
    }
    return 0;
}

static int forgetful_flush(void *handle, uint32_t flags)
{
    (void)handle;
    (void)flags;
    flushes++;
    for (uint64_t block = 0; block < block_count; block++)
        if (settle_block(block) < 0) return fail("flushing");
    return 0;
}

static struct nbdkit_plugin plugin = {
    .name = "forgetful",
    .longname = "disk that forgets what was not flushed",
    .config = forgetful_config,
    .get_ready = forgetful_get_ready,
    .cleanup = forgetful_cleanup,
    .open = forgetful_open,
    .get_size = forgetful_get_size,
    .can_flush = forgetful_can_flush,
    .can_fua = forgetful_can_fua,
    .block_size = forgetful_block_size,
    .pread = forgetful_pread,
    .pwrite = forgetful_pwrite,
    .flush = forgetful_flush,
};

NBDKIT_REGISTER_PLUGIN(plugin)
