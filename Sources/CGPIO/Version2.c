// libgpiod 2.x (Debian 13, Raspberry Pi OS Trixie). A request stands by itself: its chip is closed right away. Edges are
// debounced by the kernel. Only calls that 2.0 already had are used.
#include <gpiod.h>

#ifndef GPIOD_LINE_BULK_MAX_LINES  // 1.x has it, 2.x hasn't; neither has a version macro

#include "Internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct CGPIO_line {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *events;  // NULL for an output
    unsigned int offset;
};

const char *CGPIO_library_version(void) { return gpiod_api_version(); }

void CGPIO_describe_chip(CGPIO_chip_info *info) {
    struct gpiod_chip *chip = gpiod_chip_open(info->path);
    struct gpiod_chip_info *found = chip ? gpiod_chip_get_info(chip) : NULL;
    if (found) {
        CGPIO_copy_text(info->name, gpiod_chip_info_get_name(found));
        CGPIO_copy_text(info->label, gpiod_chip_info_get_label(found));
        info->line_count = (uint32_t)gpiod_chip_info_get_num_lines(found);
        info->status = 0;
        gpiod_chip_info_free(found);
    } else {
        info->status = CGPIO_failure();
    }
    if (chip) {
        gpiod_chip_close(chip);
    }
}

static int describe_line(struct gpiod_chip *chip, unsigned int offset, CGPIO_line_info *info) {
    struct gpiod_line_info *found = gpiod_chip_get_line_info(chip, offset);
    if (!found) {
        return CGPIO_failure();
    }
    memset(info, 0, sizeof(*info));
    info->offset = offset;
    CGPIO_copy_text(info->name, gpiod_line_info_get_name(found));
    CGPIO_copy_text(info->consumer, gpiod_line_info_get_consumer(found));
    info->is_used = gpiod_line_info_is_used(found);
    info->is_output = gpiod_line_info_get_direction(found) == GPIOD_LINE_DIRECTION_OUTPUT;
    info->is_active_low = gpiod_line_info_is_active_low(found);
    gpiod_line_info_free(found);
    return 0;
}

int CGPIO_list_lines(const char *chip_path, CGPIO_line_info *lines, size_t capacity) {
    CGPIO_chip_info chip_info;
    memset(&chip_info, 0, sizeof(chip_info));
    CGPIO_copy_text(chip_info.path, chip_path);
    CGPIO_describe_chip(&chip_info);
    if (chip_info.status != 0) {
        return chip_info.status;
    }
    struct gpiod_chip *chip = gpiod_chip_open(chip_path);
    if (!chip) {
        return CGPIO_failure();
    }
    int status = 0;
    for (uint32_t offset = 0; offset < chip_info.line_count && offset < capacity && status == 0; offset++) {
        status = describe_line(chip, offset, &lines[offset]);
    }
    gpiod_chip_close(chip);
    return status == 0 ? (int)chip_info.line_count : status;
}

int CGPIO_get_line(const char *chip_path, uint32_t offset, CGPIO_line_info *info) {
    struct gpiod_chip *chip = gpiod_chip_open(chip_path);
    if (!chip) {
        return CGPIO_failure();
    }
    int status = describe_line(chip, offset, info);
    gpiod_chip_close(chip);
    return status;
}

int CGPIO_find_line(const char *chip_path, const char *name, uint32_t *offset) {
    struct gpiod_chip *chip = gpiod_chip_open(chip_path);
    if (!chip) {
        int status = CGPIO_failure();
        return status == -ENOENT ? -ENODEV : status;  // no chip is not the same as no such line
    }
    int found = gpiod_chip_get_line_offset_from_name(chip, name);
    int status = found < 0 ? CGPIO_failure() : 0;
    if (found >= 0) {
        *offset = (uint32_t)found;
    }
    gpiod_chip_close(chip);
    return status;
}

// Requests one line with `settings`. The library copies everything it is given.
static int request_line(
    const char *chip_path, unsigned int offset, const char *consumer, struct gpiod_line_settings *settings,
    struct gpiod_line_request **request) {
    int status = 0;
    struct gpiod_chip *chip = gpiod_chip_open(chip_path);
    if (!chip) {
        return CGPIO_failure();
    }
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    if (!lines || !config || gpiod_line_config_add_line_settings(lines, &offset, 1, settings) != 0) {
        status = CGPIO_failure();
    } else {
        gpiod_request_config_set_consumer(config, consumer);
        *request = gpiod_chip_request_lines(chip, config, lines);
        status = *request ? 0 : CGPIO_failure();
    }
    gpiod_request_config_free(config);
    gpiod_line_config_free(lines);
    gpiod_chip_close(chip);
    return status;
}

// Takes over `settings`, requests the line and wraps it.
static int make_line(
    const char *chip_path, uint32_t offset, const char *consumer, struct gpiod_line_settings *settings, bool has_edges,
    CGPIO_line **line) {
    CGPIO_line *requested = calloc(1, sizeof(*requested));
    int status = requested ? 0 : -ENOMEM;
    if (status == 0 && has_edges) {
        requested->events = gpiod_edge_event_buffer_new(1);
        status = requested->events ? 0 : CGPIO_failure();
    }
    if (status == 0) {
        requested->offset = offset;
        status = request_line(chip_path, offset, consumer, settings, &requested->request);
    }
    gpiod_line_settings_free(settings);
    if (status != 0) {
        CGPIO_line_release(requested);
        return status;
    }
    *line = requested;
    return 0;
}

int CGPIO_request_output(
    const char *chip_path, uint32_t offset, const char *consumer, bool active_low, bool is_active, CGPIO_line **line) {
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) {
        return CGPIO_failure();
    }
    if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) != 0
        || gpiod_line_settings_set_output_value(
               settings, is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE)
            != 0) {
        int status = CGPIO_failure();
        gpiod_line_settings_free(settings);
        return status;
    }
    gpiod_line_settings_set_active_low(settings, active_low);
    return make_line(chip_path, offset, consumer, settings, false, line);
}

int CGPIO_request_input(
    const char *chip_path, uint32_t offset, const char *consumer, bool active_low, CGPIO_bias bias,
    uint32_t debounce_us, CGPIO_line **line, bool *kernel_debounces) {
    *kernel_debounces = false;
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) {
        return CGPIO_failure();
    }
    enum gpiod_line_bias wanted = bias == CGPIO_BIAS_PULL_UP ? GPIOD_LINE_BIAS_PULL_UP
        : bias == CGPIO_BIAS_PULL_DOWN                       ? GPIOD_LINE_BIAS_PULL_DOWN
                                                             : GPIOD_LINE_BIAS_DISABLED;
    if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) != 0
        || gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) != 0
        || gpiod_line_settings_set_bias(settings, wanted) != 0
        || gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) != 0) {
        int status = CGPIO_failure();
        gpiod_line_settings_free(settings);
        return status;
    }
    gpiod_line_settings_set_active_low(settings, active_low);
    gpiod_line_settings_set_debounce_period_us(settings, debounce_us);
    int status = make_line(chip_path, offset, consumer, settings, true, line);
    *kernel_debounces = status == 0 && debounce_us > 0;
    return status;
}

int CGPIO_line_set(CGPIO_line *line, bool is_active) {
    enum gpiod_line_value value = is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    return gpiod_line_request_set_value(line->request, line->offset, value) == 0 ? 0 : CGPIO_failure();
}

int CGPIO_line_get(CGPIO_line *line) {
    switch (gpiod_line_request_get_value(line->request, line->offset)) {
    case GPIOD_LINE_VALUE_ACTIVE: return 1;
    case GPIOD_LINE_VALUE_INACTIVE: return 0;
    default: return CGPIO_failure();
    }
}

int CGPIO_line_event_fd(CGPIO_line *line) { return line->events ? gpiod_line_request_get_fd(line->request) : -1; }

int CGPIO_line_read_edge(CGPIO_line *line, CGPIO_edge *edge) {
    int status = CGPIO_poll_readable(CGPIO_line_event_fd(line));
    if (status != 0) {
        return status;
    }
    int count = gpiod_line_request_read_edge_events(line->request, line->events, 1);
    if (count <= 0) {
        return count < 0 ? CGPIO_failure() : -EAGAIN;
    }
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->events, 0);
    if (!event) {
        return CGPIO_failure();
    }
    edge->is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    edge->monotonic_ns = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
    return 0;
}

void CGPIO_line_release(CGPIO_line *line) {
    if (!line) {
        return;
    }
    if (line->request) {
        gpiod_line_request_release(line->request);
    }
    if (line->events) {
        gpiod_edge_event_buffer_free(line->events);
    }
    free(line);
}

#endif
