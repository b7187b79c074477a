// The locator's inner loops: sums of the structure tensor by blocks, finder patterns in rows, samples along lines. No policy, no memory of its own,
// no state. SSE2 and NEON give the same bytes as the plain C beside them.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A block: 16 columns by 8 rows.
enum {
    CLOCATOR_BLOCK_WIDTH = 16,
    CLOCATOR_BLOCK_HEIGHT = 8,
};

// The structure tensor of a block, on the diagonals. Where four pixels meet (a b above, c d below), the slopes are u = d - a and v = b - c:
// across by columns u + v, across by rows u - v. So, but for a factor, Jxx + Jyy = uu + vv, Jxx - Jyy = 2 uv, 2 Jxy = uu - vv. Differences of next
// neighbours, because bars one pixel wide vanish in wider ones; in every row, because level bars two pixels wide vanish in every second one.
typedef struct CLocator_Sums {
    uint32_t uu;
    uint32_t vv;
    int32_t uv;
} CLocator_Sums;

// How many blocks cover that many columns or rows; the last perhaps only in part.
static inline int32_t CLocator_columns(int32_t width) {
    return (width + CLOCATOR_BLOCK_WIDTH - 1) / CLOCATOR_BLOCK_WIDTH;
}

static inline int32_t CLocator_rows(int32_t height) {
    return (height + CLOCATOR_BLOCK_HEIGHT - 1) / CLOCATOR_BLOCK_HEIGHT;
}

// Writes CLocator_columns(width) * CLocator_rows(height) sums, row by row. `stride`: bytes from one row to the next, at least `width`.
// A place counts if its right and its lower neighbour are in the picture.
void CLocator_sums(const uint8_t *luma, int32_t width, int32_t height, ptrdiff_t stride, CLocator_Sums *out);

// The same in plain C.
void CLocator_sums_plain(const uint8_t *luma, int32_t width, int32_t height, ptrdiff_t stride, CLocator_Sums *out);

// "SSE2", "NEON" or "plain": what CLocator_sums is. Static.
const char *CLocator_instructions(void);

// Where a line crosses something that looks like a finder pattern: five runs as 1:1:3:1:1, dark, light, dark, light, dark (or the other way round).
typedef struct CLocator_Finder {
    float x;           // the middle of the middle run, in pixels; pixel centres lie at .5
    float module;      // a seventh of the five runs, in pixels
    uint8_t is_light;  // the middle run is light
} CLocator_Finder;

// Searches one row from column `first` up to, not including, `end`. An edge is where the level crosses the middle between two turning points that
// differ by `contrast` or more; places are interpolated, so modules of little more than a pixel count. `least`: the narrowest module.
// Returns how many were found and written: at most `capacity`.
size_t CLocator_finders(
    const uint8_t *row, int32_t first, int32_t end, int32_t contrast, float least, CLocator_Finder *out,
    size_t capacity);

// A line's first place and its steps, in pixels as 16.16 fixed point; pixel centres lie at .5.
typedef struct CLocator_Walk {
    int32_t x;
    int32_t y;
    int32_t step_x;
    int32_t step_y;
} CLocator_Walk;

// Writes `count` bilinear samples; beyond an edge, its samples are repeated. The line may leave the picture, but not by more than 32767 pixels from its
// origin.
void CLocator_line(
    const uint8_t *luma, int32_t width, int32_t height, ptrdiff_t stride, const CLocator_Walk *walk, int16_t *out,
    int32_t count);

// The difference of each sample's neighbours; 0 at both ends.
void CLocator_slopes(const int16_t *samples, int16_t *out, int32_t count);

// The scalar product of two lines' slopes: of up to 30,000 samples, as slopes are 255 at most.
int32_t CLocator_product(const int16_t *a, const int16_t *b, int32_t count);

#ifdef __cplusplus
}
#endif
