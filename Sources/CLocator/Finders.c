// Finder patterns in one row: five runs as 1:1:3:1:1. Turning points and edges are followed in one walk, without a threshold for the whole picture.
#include "include/CLocator.h"

#include <math.h>

// Ink spread and exposure move all edges between light and dark one way, so widths are taken from one edge to the next of the same way. How far they
// may be off two and four modules, in modules; and the narrowest run.
static const float tolerance[2] = {0.55F, 0.85F};
static const float narrowest = 0.4F;

// The latest seven turning points, oldest first: six edges lie between them.
typedef struct Turns {
    int32_t places[7];
    int32_t count;
} Turns;

static void add(Turns *turns, int32_t place) {
    for (int32_t index = 0; index < 6; ++index) turns->places[index] = turns->places[index + 1];
    turns->places[6] = place;
    turns->count += 1;
}

// Whether the turning points alone, which lie in the middle of runs or at their ends, leave it open: most places fail here.
static int may_match(const int32_t *p, float least) {
    // From the middle of the first run to that of the last: about six modules, and three and a half at least to either side of the middle one.
    const float whole = (float)(p[6] - p[0]);
    return whole >= 4 * least && whole <= 2048;
}

// Where the level between two turning points crosses their middle; places are pixel centres.
static float crossing(const uint8_t *row, int32_t from, int32_t to) {
    const float middle = ((float)row[from] + (float)row[to]) / 2;
    const int is_rising = row[to] > row[from];
    for (int32_t x = from; x < to; ++x) {
        const float a = row[x];
        const float b = row[x + 1];
        if (is_rising ? b >= middle : b <= middle) return (float)x + 0.5F + (a == b ? 0 : (middle - a) / (b - a));
    }
    return (float)to + 0.5F;
}

// Whether the six edges between the turning points stand like a finder pattern's.
static int matches(const uint8_t *row, const int32_t *turns, float least, CLocator_Finder *out) {
    float p[6];
    // The middle run is the longest by far.
    p[2] = crossing(row, turns[2], turns[3]);
    p[3] = crossing(row, turns[3], turns[4]);
    p[1] = crossing(row, turns[1], turns[2]);
    if (!(p[2] - p[1] < 0.9F * (p[3] - p[2]))) return 0;
    p[0] = crossing(row, turns[0], turns[1]);
    p[4] = crossing(row, turns[4], turns[5]);
    p[5] = crossing(row, turns[5], turns[6]);
    const float module = (p[5] - p[0]) / 7;
    if (module < least || fabsf(p[2] - p[0] - 2 * module) > tolerance[0] * module
        || fabsf(p[3] - p[1] - 4 * module) > tolerance[1] * module
        || fabsf(p[4] - p[2] - 4 * module) > tolerance[1] * module
        || fabsf(p[5] - p[3] - 2 * module) > tolerance[0] * module)
        return 0;
    for (int32_t index = 0; index < 5; ++index) {
        if (p[index + 1] - p[index] < narrowest * module) return 0;
    }
    out->x = (p[2] + p[3]) / 2;
    out->module = module;
    out->is_light = row[turns[3]] > row[turns[4]];
    return 1;
}

// The first place from `x` on that lies `contrast` or more below the highest one before it, which becomes `*top`; `end` if there is none.
static int32_t fall(const uint8_t *row, int32_t x, int32_t end, int32_t contrast, int32_t *top) {
    int32_t high = row[*top];
    for (; x < end; ++x) {
        const int32_t level = row[x];
        if (level > high) {
            high = level;
            *top = x;
        } else if (high - level >= contrast) {
            return x;
        }
    }
    return end;
}

// The first place that lies `contrast` or more above the lowest one before it, which becomes `*bottom`.
static int32_t rise(const uint8_t *row, int32_t x, int32_t end, int32_t contrast, int32_t *bottom) {
    int32_t low = row[*bottom];
    for (; x < end; ++x) {
        const int32_t level = row[x];
        if (level < low) {
            low = level;
            *bottom = x;
        } else if (level - low >= contrast) {
            return x;
        }
    }
    return end;
}

size_t CLocator_finders(
    const uint8_t *row, int32_t first, int32_t end, int32_t contrast, float least, CLocator_Finder *out,
    size_t capacity) {
    size_t found = 0;
    Turns turns = {{0}, 0};
    if (first >= end) return 0;
    // Up to the first edge both ways are open.
    int32_t top = first, bottom = first;
    const int32_t falls = fall(row, first + 1, end, contrast, &top);
    const int32_t rises = rise(row, first + 1, end, contrast, &bottom);
    int32_t x = falls < rises ? falls : rises;
    int is_rising = rises < falls;
    if (x < end) add(&turns, is_rising ? bottom : top);
    while (x < end && found < capacity) {
        int32_t turn = x;
        x = is_rising ? fall(row, x + 1, end, contrast, &turn) : rise(row, x + 1, end, contrast, &turn);
        is_rising = !is_rising;
        // What follows the last edge ends with the row.
        add(&turns, turn);
        if (turns.count >= 7 && may_match(turns.places, least) && matches(row, turns.places, least, &out[found]))
            found += 1;
    }
    return found;
}
