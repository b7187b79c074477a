// Block sums of the structure tensor. One row of blocks at a time; a block whose right neighbours aren't all in the picture is summed in plain C.
#include "include/CLocator.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

// The places first..<end of the rows from `luma` on, `rows` of them.
static CLocator_Sums block(const uint8_t *luma, ptrdiff_t stride, int32_t first, int32_t end, int32_t rows) {
    // 128 places at most, of up to 255 * 255 each.
    CLocator_Sums sums = {0, 0, 0};
    for (int32_t row = 0; row < rows; ++row) {
        const uint8_t *upper = luma + row * stride;
        const uint8_t *lower = upper + stride;
        for (int32_t x = first; x < end; ++x) {
            const int32_t u = lower[x + 1] - upper[x];
            const int32_t v = upper[x + 1] - lower[x];
            sums.uu += (uint32_t)(u * u);
            sums.vv += (uint32_t)(v * v);
            sums.uv += u * v;
        }
    }
    return sums;
}

// The rows of the block row that begins at `top`, except the picture's last one, which has no row below it.
static int32_t rows_from(int32_t top, int32_t height) {
    const int32_t left = height - 1 - top;
    return left < CLOCATOR_BLOCK_HEIGHT ? left : CLOCATOR_BLOCK_HEIGHT;
}

// The blocks of one row from number `index` on, in plain C.
static void blocks_from(
    int32_t index, const uint8_t *luma, int32_t width, ptrdiff_t stride, int32_t rows, CLocator_Sums *out) {
    for (; index < CLocator_columns(width); ++index) {
        const int32_t first = index * CLOCATOR_BLOCK_WIDTH;
        const int32_t beyond = first + CLOCATOR_BLOCK_WIDTH;
        out[index] = block(luma, stride, first, beyond < width ? beyond : width - 1, rows);
    }
}

void CLocator_sums_plain(const uint8_t *luma, int32_t width, int32_t height, ptrdiff_t stride, CLocator_Sums *out) {
    for (int32_t top = 0; top < height; top += CLOCATOR_BLOCK_HEIGHT) {
        blocks_from(0, luma + top * stride, width, stride, rows_from(top, height), out);
        out += CLocator_columns(width);
    }
}

#if defined(__SSE2__)

static inline int32_t total(__m128i lanes) {
    lanes = _mm_add_epi32(lanes, _mm_shuffle_epi32(lanes, _MM_SHUFFLE(1, 0, 3, 2)));
    lanes = _mm_add_epi32(lanes, _mm_shuffle_epi32(lanes, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(lanes);
}

static inline CLocator_Sums whole_block(const uint8_t *luma, ptrdiff_t stride, int32_t rows) {
    const __m128i zero = _mm_setzero_si128();
    __m128i uu = zero, vv = zero, uv = zero;
    const __m128i a = _mm_loadu_si128((const __m128i *)luma);
    const __m128i b = _mm_loadu_si128((const __m128i *)(luma + 1));
    __m128i a0 = _mm_unpacklo_epi8(a, zero), a1 = _mm_unpackhi_epi8(a, zero);
    __m128i b0 = _mm_unpacklo_epi8(b, zero), b1 = _mm_unpackhi_epi8(b, zero);
    for (int32_t row = 1; row <= rows; ++row) {
        const __m128i c = _mm_loadu_si128((const __m128i *)(luma + row * stride));
        const __m128i d = _mm_loadu_si128((const __m128i *)(luma + row * stride + 1));
        const __m128i c0 = _mm_unpacklo_epi8(c, zero), c1 = _mm_unpackhi_epi8(c, zero);
        const __m128i d0 = _mm_unpacklo_epi8(d, zero), d1 = _mm_unpackhi_epi8(d, zero);
        const __m128i u0 = _mm_sub_epi16(d0, a0), u1 = _mm_sub_epi16(d1, a1);
        const __m128i v0 = _mm_sub_epi16(b0, c0), v1 = _mm_sub_epi16(b1, c1);
        uu = _mm_add_epi32(uu, _mm_add_epi32(_mm_madd_epi16(u0, u0), _mm_madd_epi16(u1, u1)));
        vv = _mm_add_epi32(vv, _mm_add_epi32(_mm_madd_epi16(v0, v0), _mm_madd_epi16(v1, v1)));
        uv = _mm_add_epi32(uv, _mm_add_epi32(_mm_madd_epi16(u0, v0), _mm_madd_epi16(u1, v1)));
        // It is the upper row of the next pair.
        a0 = c0;
        a1 = c1;
        b0 = d0;
        b1 = d1;
    }
    const CLocator_Sums sums = {(uint32_t)total(uu), (uint32_t)total(vv), total(uv)};
    return sums;
}

#elif defined(__ARM_NEON)

static inline int32_t total(int32x4_t lanes) {
    const int32x2_t half = vadd_s32(vget_low_s32(lanes), vget_high_s32(lanes));
    return vget_lane_s32(vpadd_s32(half, half), 0);
}

static inline int32x4_t with_products(int32x4_t sums, int16x8_t a, int16x8_t b) {
    sums = vmlal_s16(sums, vget_low_s16(a), vget_low_s16(b));
    return vmlal_s16(sums, vget_high_s16(a), vget_high_s16(b));
}

// The difference modulo 2^16 is the signed difference.
static inline int16x8_t difference(uint8x8_t a, uint8x8_t b) { return vreinterpretq_s16_u16(vsubl_u8(a, b)); }

static inline CLocator_Sums whole_block(const uint8_t *luma, ptrdiff_t stride, int32_t rows) {
    int32x4_t uu = vdupq_n_s32(0), vv = uu, uv = uu;
    for (int32_t row = 0; row < rows; ++row) {
        const uint8_t *upper = luma + row * stride;
        const uint8x16_t a = vld1q_u8(upper);
        const uint8x16_t b = vld1q_u8(upper + 1);
        const uint8x16_t c = vld1q_u8(upper + stride);
        const uint8x16_t d = vld1q_u8(upper + stride + 1);
        const int16x8_t u0 = difference(vget_low_u8(d), vget_low_u8(a));
        const int16x8_t u1 = difference(vget_high_u8(d), vget_high_u8(a));
        const int16x8_t v0 = difference(vget_low_u8(b), vget_low_u8(c));
        const int16x8_t v1 = difference(vget_high_u8(b), vget_high_u8(c));
        uu = with_products(with_products(uu, u0, u0), u1, u1);
        vv = with_products(with_products(vv, v0, v0), v1, v1);
        uv = with_products(with_products(uv, u0, v0), u1, v1);
    }
    const CLocator_Sums sums = {(uint32_t)total(uu), (uint32_t)total(vv), total(uv)};
    return sums;
}

#endif

#if defined(__SSE2__) || defined(__ARM_NEON)

void CLocator_sums(const uint8_t *luma, int32_t width, int32_t height, ptrdiff_t stride, CLocator_Sums *out) {
    // Those with a column beyond them in the picture.
    const int32_t whole = width > 0 ? (width - 1) / CLOCATOR_BLOCK_WIDTH : 0;
    for (int32_t top = 0; top < height; top += CLOCATOR_BLOCK_HEIGHT) {
        const uint8_t *line = luma + top * stride;
        const int32_t rows = rows_from(top, height);
        for (int32_t index = 0; index < whole; ++index)
            out[index] = whole_block(line + index * CLOCATOR_BLOCK_WIDTH, stride, rows);
        blocks_from(whole, line, width, stride, rows, out);
        out += CLocator_columns(width);
    }
}

#else

void CLocator_sums(const uint8_t *luma, int32_t width, int32_t height, ptrdiff_t stride, CLocator_Sums *out) {
    CLocator_sums_plain(luma, width, height, stride, out);
}

#endif

const char *CLocator_instructions(void) {
#if defined(__SSE2__)
    return "SSE2";
#elif defined(__ARM_NEON)
    return "NEON";
#else
    return "plain";
#endif
}
