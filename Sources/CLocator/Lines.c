// Samples along a line in any direction, and how alike two such lines are.
#include "include/CLocator.h"

enum { one = 1 << 16 };

static int32_t clamped(int32_t value, int32_t most) { return value < 0 ? 0 : value > most ? most : value; }

static inline int16_t sample(
    const uint8_t *upper, const uint8_t *lower, int32_t next, int32_t fixed_x, int32_t fixed_y) {
    const int32_t fx = (fixed_x >> 8) & 255, fy = (fixed_y >> 8) & 255;
    const int32_t above = upper[0] * (256 - fx) + upper[next] * fx;
    const int32_t below = lower[0] * (256 - fx) + lower[next] * fx;
    return (int16_t)((above * (256 - fy) + below * fy + 32768) >> 16);
}

static int is_inside(int64_t value, int32_t most) { return value >= 0 && value < most; }

void CLocator_line(
    const uint8_t *luma, int32_t width, int32_t height, ptrdiff_t stride, const CLocator_Walk *walk, int16_t *out,
    int32_t count) {
    const int32_t right = (width - 1) * one, bottom = (height - 1) * one;
    int32_t x = walk->x - one / 2, y = walk->y - one / 2;
    if (is_inside(x, right) && is_inside(y, bottom) && is_inside(x + (int64_t)walk->step_x * count, right)
        && is_inside(y + (int64_t)walk->step_y * count, bottom)) {
        for (int32_t index = 0; index < count; ++index) {
            const uint8_t *upper = luma + (ptrdiff_t)(y >> 16) * stride + (x >> 16);
            out[index] = sample(upper, upper + stride, 1, x, y);
            x += walk->step_x;
            y += walk->step_y;
        }
        return;
    }
    for (int32_t index = 0; index < count; ++index) {
        const int32_t at_x = clamped(x, right), at_y = clamped(y, bottom);
        const uint8_t *upper = luma + (ptrdiff_t)(at_y >> 16) * stride + (at_x >> 16);
        out[index] = sample(upper, at_y < bottom ? upper + stride : upper, at_x < right, at_x, at_y);
        x += walk->step_x;
        y += walk->step_y;
    }
}

void CLocator_slopes(const int16_t *samples, int16_t *out, int32_t count) {
    if (count <= 0) return;
    out[0] = 0;
    out[count - 1] = 0;
    for (int32_t index = 1; index < count - 1; ++index) out[index] = (int16_t)(samples[index + 1] - samples[index - 1]);
}

int32_t CLocator_product(const int16_t *a, const int16_t *b, int32_t count) {
    int32_t sum = 0;
    for (int32_t index = 0; index < count; ++index) sum += a[index] * b[index];
    return sum;
}
