// libgpiod 1.6 (Debian 12). A line belongs to its chip's handle, so a request keeps its chip open.
#include <gpiod.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES  // 1.x has it, 2.x hasn't; neither has a version macro

#include "Internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct CGPIO_line {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
    bool has_edges;
};

const char *CGPIO_library_version(void) { return gpiod_version_string(); }

void CGPIO_describe_chip(CGPIO_chip_info *info) {
    struct gpiod_chip *chip = gpiod_chip_open(info->path);
    if (!chip) {
        info->status = CGPIO_failure();
        return;
    }
    CGPIO_copy_text(info->name, gpiod_chip_name(chip));
    CGPIO_copy_text(info->label, gpiod_chip_label(chip));
    info->line_count = gpiod_chip_num_lines(chip);
    info->status = 0;
    gpiod_chip_close(chip);
}

static void describe_line(struct gpiod_line *line, CGPIO_line_info *info) {
    memset(info, 0, sizeof(*info));
    info->offset = gpiod_line_offset(line);
    CGPIO_copy_text(info->name, gpiod_line_name(line));
    CGPIO_copy_text(info->consumer, gpiod_line_consumer(line));
    info->is_used = gpiod_line_is_used(line);
    info->is_output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
    info->is_active_low = gpiod_line_active_state(line) == GPIOD_LINE_ACTIVE_STATE_LOW;
}

int CGPIO_list_lines(const char *chip_path, CGPIO_line_info *lines, size_t capacity) {
    struct gpiod_chip *chip = gpiod_chip_open(chip_path);
    if (!chip) {
        return CGPIO_failure();
    }
    unsigned int count = gpiod_chip_num_lines(chip);
    for (unsigned int offset = 0; offset < count && offset < capacity; offset++) {
        struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
        if (!line) {
            int status = CGPIO_failure();
            gpiod_chip_close(chip);
            return status;
        }
        describe_line(line, &lines[offset]);
    }
    gpiod_chip_close(chip);
    return (int)count;
}

int CGPIO_get_line(const char *chip_path, uint32_t offset, CGPIO_line_info *info) {
    struct gpiod_chip *chip = gpiod_chip_open(chip_path);
    if (!chip) {
        return CGPIO_failure();
    }
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    int status = line ? 0 : CGPIO_failure();
    if (line) {
        describe_line(line, info);
    }
    gpiod_chip_close(chip);
    return status;
}

int CGPIO_find_line(const char *chip_path, const char *name, uint32_t *offset) {
    struct gpiod_chip *chip = gpiod_chip_open(chip_path);
    if (!chip) {
        int status = CGPIO_failure();
        return status == -ENOENT ? -ENODEV : status;  // no chip is not the same as no such line
    }
    errno = 0;
    struct gpiod_line *line = gpiod_chip_find_line(chip, name);
    int status = line ? 0 : errno > 0 ? -errno : -ENOENT;
    if (line) {
        *offset = gpiod_line_offset(line);
    }
    gpiod_chip_close(chip);
    return status;
}

// Opens the chip and finds the line, not yet requested. NULL with the reason in `*status`.
static CGPIO_line *open_line(const char *chip_path, uint32_t offset, int *status) {
    CGPIO_line *result = calloc(1, sizeof(*result));
    if (!result) {
        *status = -ENOMEM;
        return NULL;
    }
    result->chip = gpiod_chip_open(chip_path);
    result->line = result->chip ? gpiod_chip_get_line(result->chip, offset) : NULL;
    if (result->line) {
        return result;
    }
    *status = CGPIO_failure();
    if (result->chip) {
        gpiod_chip_close(result->chip);
    }
    free(result);
    return NULL;
}

// Keeps the line when the request succeeded, else gives everything back.
static int finish_request(CGPIO_line *requested, int outcome, CGPIO_line **line) {
    if (outcome == 0) {
        *line = requested;
        return 0;
    }
    int status = CGPIO_failure();
    gpiod_chip_close(requested->chip);
    free(requested);
    return status;
}

int CGPIO_request_output(
    const char *chip_path, uint32_t offset, const char *consumer, bool active_low, bool is_active, CGPIO_line **line) {
    int status = 0;
    CGPIO_line *requested = open_line(chip_path, offset, &status);
    if (!requested) {
        return status;
    }
    int flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
    return finish_request(
        requested, gpiod_line_request_output_flags(requested->line, consumer, flags, is_active ? 1 : 0), line);
}

int CGPIO_request_input(
    const char *chip_path, uint32_t offset, const char *consumer, bool active_low, CGPIO_bias bias,
    uint32_t debounce_us, CGPIO_line **line, bool *kernel_debounces) {
    (void)debounce_us;  // 1.x can't ask the kernel for it
    *kernel_debounces = false;
    int status = 0;
    CGPIO_line *requested = open_line(chip_path, offset, &status);
    if (!requested) {
        return status;
    }
    int flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
    switch (bias) {
    case CGPIO_BIAS_DISABLED: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE; break;
    case CGPIO_BIAS_PULL_UP: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP; break;
    case CGPIO_BIAS_PULL_DOWN: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN; break;
    }
    requested->has_edges = true;
    return finish_request(
        requested, gpiod_line_request_both_edges_events_flags(requested->line, consumer, flags), line);
}

int CGPIO_line_set(CGPIO_line *line, bool is_active) {
    return gpiod_line_set_value(line->line, is_active ? 1 : 0) == 0 ? 0 : CGPIO_failure();
}

int CGPIO_line_get(CGPIO_line *line) {
    int value = gpiod_line_get_value(line->line);
    return value < 0 ? CGPIO_failure() : value != 0;
}

int CGPIO_line_event_fd(CGPIO_line *line) { return line->has_edges ? gpiod_line_event_get_fd(line->line) : -1; }

int CGPIO_line_read_edge(CGPIO_line *line, CGPIO_edge *edge) {
    int status = CGPIO_poll_readable(CGPIO_line_event_fd(line));
    if (status != 0) {
        return status;
    }
    struct gpiod_line_event event;
    if (gpiod_line_event_read(line->line, &event) != 0) {
        return CGPIO_failure();
    }
    edge->is_active = event.event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    edge->monotonic_ns = (int64_t)event.ts.tv_sec * 1000000000 + event.ts.tv_nsec;
    return 0;
}

void CGPIO_line_release(CGPIO_line *line) {
    if (!line) {
        return;
    }
    gpiod_line_release(line->line);
    gpiod_chip_close(line->chip);
    free(line);
}

#endif
