// GPIO lines through libgpiod 1.6 or 2.x, behind one interface. No policy lives here: Swift (module Peripherals) decides which line to look
// for, what to do when it is taken, and how edges are debounced.
//
// Conventions
// - Every call returns 0 (or a count) on success and a negative errno on failure; nothing prints, aborts or blocks.
// - Chips are named by the path of their device file. No call keeps a chip open except a request.
// - Levels and edges are logical: `true` is active, after `active_low` has been taken into account.
// - Structures are filled by copying: nothing in them is owned by the library. Texts are cut to fit and end with a NUL.
// - A `CGPIO_line` belongs to the caller from a successful request until `CGPIO_line_release`, which frees it. One thread
//   at a time may use a line.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Longest text kept, with its NUL. The kernel's own limit for line names and consumers is 32, for paths here 16 are enough.
#define CGPIO_TEXT_SIZE 64

typedef struct CGPIO_chip_info {
    char path[CGPIO_TEXT_SIZE];   // "/dev/gpiochip0"
    char name[CGPIO_TEXT_SIZE];   // "gpiochip0"; empty when the chip can't be opened
    char label[CGPIO_TEXT_SIZE];  // "pinctrl-rp1"; empty when the chip can't be opened
    uint32_t line_count;
    int32_t status;  // 0, or the negative errno of opening it
} CGPIO_chip_info;

typedef struct CGPIO_line_info {
    uint32_t offset;
    char name[CGPIO_TEXT_SIZE];      // "GPIO17"; empty when it has none
    char consumer[CGPIO_TEXT_SIZE];  // who holds it; empty when nobody does or it gave no name
    bool is_used;
    bool is_output;
    bool is_active_low;
} CGPIO_line_info;

typedef enum CGPIO_bias {
    CGPIO_BIAS_DISABLED = 0,
    CGPIO_BIAS_PULL_UP = 1,
    CGPIO_BIAS_PULL_DOWN = 2,
} CGPIO_bias;

typedef struct CGPIO_edge {
    bool is_active;        // the level the line changed to
    int64_t monotonic_ns;  // CLOCK_MONOTONIC
} CGPIO_edge;

// A requested line. Owned by the caller.
typedef struct CGPIO_line CGPIO_line;

// The version of libgpiod in use, e.g. "1.6.3". Static storage.
const char *CGPIO_library_version(void);

// Lists the chips under `directory` ("/dev"), ordered by number, without the symbolic links that some systems add for old
// names. A chip that can't be opened is listed with its status. Returns the number of chips. If that is more than `capacity`, only
// `capacity` were written.
int CGPIO_list_chips(const char *directory, CGPIO_chip_info *chips, size_t capacity);

// Lists the lines of one chip. Returns the number of lines it has; at most `capacity` of them were written.
int CGPIO_list_lines(const char *chip_path, CGPIO_line_info *lines, size_t capacity);

// One line of a chip. -EINVAL: the chip has no such offset.
int CGPIO_get_line(const char *chip_path, uint32_t offset, CGPIO_line_info *line);

// Looks up a line by its name on one chip. -ENOENT: the chip has no line with that name. -ENODEV: the chip doesn't exist.
int CGPIO_find_line(const char *chip_path, const char *name, uint32_t *offset);

// Takes a line as output and drives it to `is_active` in the same step. -EBUSY: somebody has it.
int CGPIO_request_output(
    const char *chip_path, uint32_t offset, const char *consumer, bool active_low, bool is_active, CGPIO_line **line);

// Takes a line as input with both edges. `*kernel_debounces` tells whether edges arrive debounced by `debounce_us`; where
// it is false (libgpiod 1.x, or a period of 0) the caller has to do it.
int CGPIO_request_input(
    const char *chip_path, uint32_t offset, const char *consumer, bool active_low, CGPIO_bias bias,
    uint32_t debounce_us, CGPIO_line **line, bool *kernel_debounces);

int CGPIO_line_set(CGPIO_line *line, bool is_active);

// The line's level now: 1 active, 0 inactive. For an output what the chip reads back.
int CGPIO_line_get(CGPIO_line *line);

// Becomes readable when an edge waits; -1 for an output. Owned by the line: never close it.
int CGPIO_line_event_fd(CGPIO_line *line);

// Takes the oldest waiting edge. -EAGAIN: none waits. -ENODEV: the chip is gone.
int CGPIO_line_read_edge(CGPIO_line *line, CGPIO_edge *edge);

// Gives the line back and frees it; NULL is allowed. The level stays what it was on some kernels: drive the safe one first.
void CGPIO_line_release(CGPIO_line *line);

#ifdef __cplusplus
}
#endif
