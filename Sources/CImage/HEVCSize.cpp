#include "HEVCSize.h"

namespace HEVC {

namespace {

const unsigned kSequenceParameters = 33;
const size_t kHeaderBytes = 2;
// general_profile_space … general_level_idc, and the same for a sub-layer, where it is there.
const unsigned kProfileBits = 88;
const unsigned kLevelBits = 8;

// Bits of a unit, without the bytes that keep start codes from occurring in it. Zeros behind the end.
class Bits {
public:
    Bits(const uint8_t *bytes, size_t length) : bytes_(bytes), length_(length) {}

    bool is_over() const { return position_ > length_; }

    uint32_t read(unsigned count) {
        uint32_t value = 0;
        for (unsigned i = 0; i < count; i++) value = value << 1 | bit();
        return value;
    }

    void skip(unsigned count) {
        for (unsigned i = 0; i < count; i++) bit();
    }

    // ue(v): as many zeros as there are bits behind the first one.
    uint64_t exponential() {
        unsigned zeros = 0;
        while (zeros < 32 && !is_over() && bit() == 0) zeros++;
        return (uint64_t(1) << zeros) - 1 + read(zeros);
    }

private:
    uint32_t bit() {
        if (left_ == 0) {
            // 00 00 03: the 03 was put in.
            if (zeros_ >= 2 && position_ < length_ && bytes_[position_] == 3) {
                position_++;
                zeros_ = 0;
            }
            current_ = position_ < length_ ? bytes_[position_] : 0;
            position_++;
            zeros_ = current_ == 0 ? zeros_ + 1 : 0;
            left_ = 8;
        }
        left_--;
        return uint32_t(current_ >> left_) & 1;
    }

    const uint8_t *bytes_;
    size_t length_;
    size_t position_ = 0;
    unsigned zeros_ = 0;
    unsigned left_ = 0;
    uint8_t current_ = 0;
};

void skip_profiles(Bits &bits, unsigned sub_layers) {
    bits.skip(kProfileBits + kLevelBits);
    bool has_profile[8] = {}, has_level[8] = {};
    for (unsigned i = 0; i < sub_layers; i++) {
        has_profile[i] = bits.read(1) != 0;
        has_level[i] = bits.read(1) != 0;
    }
    if (sub_layers > 0) bits.skip(2 * (8 - sub_layers));
    for (unsigned i = 0; i < sub_layers; i++) {
        if (has_profile[i]) bits.skip(kProfileBits);
        if (has_level[i]) bits.skip(kLevelBits);
    }
}

}  // namespace

uint64_t announced_pixels(const uint8_t *unit, size_t length) {
    if (length < kHeaderBytes || (unit[0] >> 1 & 0x3F) != kSequenceParameters) return 0;
    Bits bits(unit + kHeaderBytes, length - kHeaderBytes);
    bits.skip(4);
    const unsigned sub_layers = bits.read(3);
    bits.skip(1);
    skip_profiles(bits, sub_layers);
    bits.exponential();
    if (bits.exponential() == 3) bits.skip(1);
    const uint64_t width = bits.exponential(), height = bits.exponential();
    return bits.is_over() ? 0 : width * height;
}

}  // namespace HEVC
