// PGM and PPM, as netpbm(5) describes them: P2 and P5 are grey, P3 and P6 RGB; 2 and 3 in decimal digits, 5 and 6 in bytes,
// two of them (high one first) when the largest value is above 255.
#include "CImageInternal.h"

#define LARGEST_VALUE 65535

typedef struct Cursor {
    const uint8_t *next;
    const uint8_t *end;
} Cursor;

static bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_space_and_comments(Cursor *cursor) {
    while (cursor->next < cursor->end) {
        if (*cursor->next == '#') {
            while (cursor->next < cursor->end && *cursor->next != '\n' && *cursor->next != '\r') cursor->next++;
        } else if (is_space(*cursor->next)) {
            cursor->next++;
        } else {
            return;
        }
    }
}

// A decimal number of at most 9 digits; false where there is none or the data ends.
static bool read_number(Cursor *cursor, uint32_t *out) {
    skip_space_and_comments(cursor);
    uint32_t value = 0;
    int digits = 0;
    while (cursor->next < cursor->end && *cursor->next >= '0' && *cursor->next <= '9') {
        if (++digits > 9) return false;
        value = value * 10 + (uint32_t)(*cursor->next++ - '0');
    }
    *out = value;
    return digits > 0;
}

static uint32_t scaled(uint32_t value, uint32_t largest) { return (value * 255 + largest / 2) / largest; }

// The next sample as 0…255; false at the end of the data or for one above `largest`.
static bool read_sample(Cursor *cursor, bool is_plain, uint32_t largest, uint32_t *out) {
    uint32_t value;
    if (is_plain) {
        if (!read_number(cursor, &value)) return false;
    } else {
        size_t width = largest > 255 ? 2 : 1;
        if ((size_t)(cursor->end - cursor->next) < width) return false;
        value = width == 1 ? cursor->next[0] : (uint32_t)cursor->next[0] << 8 | cursor->next[1];
        cursor->next += width;
    }
    *out = scaled(value, largest);
    return value <= largest;
}

bool CImage_is_pnm(const uint8_t *data) {
    return data[0] == 'P' && (data[1] == '2' || data[1] == '3' || data[1] == '5' || data[1] == '6')
        && (is_space(data[2]) || data[2] == '#');
}

int CImage_decode_pnm(CImage_Context *context) {
    bool is_plain = context->data[1] == '2' || context->data[1] == '3';
    bool is_colour = context->data[1] == '3' || context->data[1] == '6';
    Cursor cursor = {.next = context->data + 2, .end = context->data + context->length};
    uint32_t width, height, largest;
    if (!read_number(&cursor, &width) || !read_number(&cursor, &height) || !read_number(&cursor, &largest)
        || largest == 0 || largest > LARGEST_VALUE) {
        return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged PGM/PPM: its header is wrong");
    }
    // Exactly one white space stands between the header and the bytes; what follows may look like white space too.
    if (!is_plain) {
        if (cursor.next >= cursor.end || !is_space(*cursor.next)) {
            return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged PGM/PPM: its header breaks off");
        }
        cursor.next++;
    }
    int status = CImage_allocate(context, width, height, 0);
    if (status != CIMAGE_OK) return status;

    size_t count = (size_t)width * height;
    for (size_t i = 0; i < count; i++) {
        uint32_t samples[3];
        bool is_good = read_sample(&cursor, is_plain, largest, &samples[0]);
        if (is_colour) {
            is_good = is_good && read_sample(&cursor, is_plain, largest, &samples[1])
                && read_sample(&cursor, is_plain, largest, &samples[2]);
        }
        if (!is_good) {
            return CImage_fail(
                context, CIMAGE_ERROR_DAMAGED, "damaged PGM/PPM: pixel %zu of %zu is missing or too large", i, count);
        }
        context->luma.pixels[i] = is_colour ? CImage_luma_of(samples[0], samples[1], samples[2]) : (uint8_t)samples[0];
    }
    return CIMAGE_OK;
}
