// Finder patterns in one row: five runs as 1:1:3:1:1. Turning points and edges are followed in one walk, without a threshold for the whole picture.
#include "include/CLocator.h"

#include <math.h>

// How far a run may be off its length, in modules; the middle one by twice that.
static const float tolerance = 0.5F;

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

static int is_near(float run, float modules, float module, float factor) {
    return fabsf(run - modules * module) <= module * tolerance * factor;
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
    // The middle run is the longest by far.
    const float third = crossing(row, turns[2], turns[3]);
    const float fourth = crossing(row, turns[3], turns[4]);
    const float second = crossing(row, turns[1], turns[2]);
    const float middle = fourth - third;
    if (!(third - second < 0.9F * middle)) return 0;
    const float first = crossing(row, turns[0], turns[1]);
    const float fifth = crossing(row, turns[4], turns[5]);
    const float sixth = crossing(row, turns[5], turns[6]);
    const float module = (sixth - first) / 7;
    if (module < least || !is_near(middle, 3, module, 2) || !is_near(second - first, 1, module, 1)
        || !is_near(third - second, 1, module, 1) || !is_near(fifth - fourth, 1, module, 1)
        || !is_near(sixth - fifth, 1, module, 1))
        return 0;
    int32_t smallest = 255;
    for (int32_t index = 0; index < 6; ++index) {
        const int32_t step = row[turns[index]] - row[turns[index + 1]];
        const int32_t size = step < 0 ? -step : step;
        smallest = size < smallest ? size : smallest;
    }
    out->x = (third + fourth) / 2;
    out->module = module;
    out->contrast = (float)smallest;
    out->is_light = row[turns[3]] > row[turns[4]];
    return 1;
}

size_t CLocator_finders(
    const uint8_t *row, int32_t first, int32_t end, int32_t contrast, float least, CLocator_Finder *out,
    size_t capacity) {
    size_t found = 0;
    Turns turns = {{0}, 0};
    // The lowest and highest level since the latest turning point, and where.
    int32_t low = first, high = first;
    // 1 while levels rise, -1 while they fall, 0 before the first edge.
    int32_t way = 0;
    for (int32_t x = first + 1; x < end && found < capacity; ++x) {
        const int32_t level = row[x];
        if (level < row[low]) low = x;
        if (level > row[high]) high = x;
        const int is_top = way >= 0 && row[high] - level >= contrast;
        const int is_bottom = way <= 0 && level - row[low] >= contrast;
        if (!is_top && !is_bottom) continue;
        // The turning point that has just ended.
        add(&turns, is_top ? high : low);
        way = is_top ? -1 : 1;
        low = x;
        high = x;
        if (turns.count >= 7 && may_match(turns.places, least) && matches(row, turns.places, least, &out[found]))
            found += 1;
    }
    return found;
}
