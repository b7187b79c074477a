// Copies what the library reads into C structures, and lets no exception out.
#include "ZXingLibrary.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

using namespace czxing;

namespace {

// With ECI the modifier differs, and only `bytesECI` has it.
std::string symbologyIdentifier(const Barcode &barcode)
{
    if (barcode.hasECI()) {
        const auto eci = barcode.bytesECI();
        if (eci.size() >= 3 && eci[0] == ']')
            return std::string(eci.begin(), eci.begin() + 3);
    }
    return barcode.symbologyIdentifier();
}

bool isRetail(int code)
{
    return code == CZXING_EAN8 || code == CZXING_EAN13 || code == CZXING_UPC_A || code == CZXING_UPC_E;
}

int32_t spareCorrection(const Barcode &barcode)
{
#if ZXING_VERSION_MAJOR >= 3
    const std::string share = barcode.extra(ZXing::BarcodeExtra::UEC);
    return share.empty() ? -1 : CZXing_percent(share.c_str());
#else
    (void)barcode;
    return -1;
#endif
}

template <size_t size>
void copyString(char (&target)[size], const std::string &source)
{
    const size_t length = std::min(size - 1, source.size());
    std::memcpy(target, source.data(), length);
    target[length] = 0;
}

// A copy followed by a NUL; NULL if memory runs out.
void *copyBytes(const void *source, size_t count)
{
    auto *copy = static_cast<uint8_t *>(std::malloc(count + 1));
    if (copy) {
        if (count)
            std::memcpy(copy, source, count);
        copy[count] = 0;
    }
    return copy;
}

int fill(CZXing_Symbol &symbol, const Barcode &barcode, bool wasInverted)
{
    const int code = codeOf(barcode.format());
    std::string data(barcode.bytes().begin(), barcode.bytes().end());
    std::string text = plainText(barcode);
    if (isRetail(code)) {
        std::string addOn;
#if ZXING_VERSION_MAJOR >= 3
        // The add-on follows without a space, and UPC-E is expanded to 13 digits; the library keeps the add-on and UPC-E's own 8 digits
        // separately, too.
        addOn = barcode.extra(ZXing::BarcodeExtra::EanAddOn);
        const std::string original = code == CZXING_UPC_E ? barcode.extra(ZXing::BarcodeExtra::UPCE) : std::string();
        if (!original.empty())
            data = original;
        else if (addOn.size() < data.size())
            data.resize(data.size() - addOn.size());
#else
        // The add-on follows after a space.
        const auto space = data.find(' ');
        if (space != std::string::npos) {
            addOn = data.substr(space + 1);
            data.resize(space);
        }
#endif
        copyString(symbol.add_on, addOn);
        text = data;
    }
    symbol.symbology = static_cast<uint8_t>(code);
    symbol.is_inverted = isInverted(barcode) != wasInverted;
    symbol.is_mirrored = barcode.isMirrored();
    symbol.has_eci = barcode.hasECI();
    copyString(symbol.aim, symbologyIdentifier(barcode));
    const auto &position = barcode.position();
    for (int corner = 0; corner < 4; ++corner) {
        symbol.corners[2 * corner] = position[corner].x;
        symbol.corners[2 * corner + 1] = position[corner].y;
    }
    symbol.line_count = barcode.lineCount();
    symbol.spare_correction = spareCorrection(barcode);
    symbol.sequence_index = barcode.isPartOfSequence() ? barcode.sequenceIndex() : -1;
    symbol.sequence_count = barcode.isPartOfSequence() ? barcode.sequenceSize() : 0;
    copyString(symbol.sequence_id, barcode.isPartOfSequence() ? barcode.sequenceId() : std::string());
    symbol.bytes = static_cast<uint8_t *>(copyBytes(data.data(), data.size()));
    symbol.byte_count = data.size();
    if (!symbol.bytes)
        return CZXING_ERROR_MEMORY;
    if (!text.empty() && barcode.contentType() != ZXing::ContentType::Binary) {
        symbol.text = static_cast<char *>(copyBytes(text.data(), text.size()));
        symbol.text_length = text.size();
        if (!symbol.text)
            return CZXING_ERROR_MEMORY;
    }
    return CZXING_OK;
}

// Adds the valid and known ones of `barcodes` to `out`.
int append(CZXing_Symbols &out, const Barcodes &barcodes, bool wasInverted)
{
    for (const auto &barcode : barcodes) {
        if (!barcode.isValid() || codeOf(barcode.format()) == 0 || barcode.bytes().empty())
            continue;
        auto *grown = static_cast<CZXing_Symbol *>(std::realloc(out.items, (out.count + 1) * sizeof(CZXing_Symbol)));
        if (!grown)
            return CZXING_ERROR_MEMORY;
        out.items = grown;
        CZXing_Symbol &symbol = out.items[out.count];
        std::memset(&symbol, 0, sizeof symbol);
        out.count += 1;
        const int status = fill(symbol, barcode, wasInverted);
        if (status != CZXING_OK)
            return status;
    }
    return CZXING_OK;
}

void say(char *message, size_t length, const char *text)
{
    if (message && length)
        std::snprintf(message, length, "%s", text);
}

// Calls `body`, which returns a status; turns exceptions and failures into a status, a message and an empty `out`.
template <typename Body>
int guarded(CZXing_Symbols *out, char *message, size_t length, Body body)
{
    int status = CZXING_ERROR_LIBRARY;
    try {
        status = body();
        if (status == CZXING_ERROR_MEMORY)
            say(message, length, "not enough memory for the results");
    } catch (const std::bad_alloc &) {
        say(message, length, "not enough memory for decoding");
        status = CZXING_ERROR_MEMORY;
    } catch (const std::exception &error) {
        say(message, length, error.what());
    } catch (...) {
        say(message, length, "unknown exception");
    }
    if (status != CZXING_OK)
        CZXing_free(out);
    return status;
}

bool isUsable(const uint8_t *luma, int32_t width, int32_t height, int32_t stride)
{
    return luma && width > 0 && height > 0 && stride >= width;
}

}  // namespace

// Compiled by GCC 12, the library writes 0.06 as "0.6" and 0.6 as "0.60": what follows the point are hundredths in both.
int32_t CZXing_percent(const char *share)
{
    int whole = 0;
    int hundredths = 0;
    if (std::sscanf(share, "%1d.%2d", &whole, &hundredths) != 2)
        return 0;
    return std::clamp(whole * 100 + hundredths, 0, 100);
}

int CZXing_read(
    const uint8_t *luma, int32_t width, int32_t height, int32_t row_stride, const CZXing_Options *options,
    CZXing_Symbols *out, char *message, size_t message_length)
{
    if (!out)
        return CZXING_ERROR_ARGUMENT;
    *out = CZXing_Symbols{nullptr, 0};
    if (!options || !isUsable(luma, width, height, row_stride)) {
        say(message, message_length, "no pixels, no options, or a row stride below the width");
        return CZXING_ERROR_ARGUMENT;
    }
    return guarded(out, message, message_length, [&] {
        const ZXing::ImageView view(luma, width, height, ZXing::ImageFormat::Lum, row_stride);
        int status = append(*out, run(view, *options), false);
#if ZXING_VERSION_MAJOR < 2
        if (status == CZXING_OK && options->try_invert && out->count < options->max_symbols) {
            std::vector<uint8_t> inverted(size_t(width) * size_t(height));
            for (int32_t y = 0; y < height; ++y) {
                const uint8_t *row = luma + size_t(y) * size_t(row_stride);
                std::transform(row, row + width, inverted.begin() + size_t(y) * size_t(width), [](uint8_t value) {
                    return uint8_t(255 - value);
                });
            }
            const ZXing::ImageView second(inverted.data(), width, height, ZXing::ImageFormat::Lum);
            status = append(*out, run(second, *options), true);
        }
#endif
        return status;
    });
}

int CZXing_read_defaults(
    const uint8_t *luma, int32_t width, int32_t height, int32_t row_stride, CZXing_Symbols *out, char *message,
    size_t message_length)
{
    if (!out)
        return CZXING_ERROR_ARGUMENT;
    *out = CZXing_Symbols{nullptr, 0};
    if (!isUsable(luma, width, height, row_stride)) {
        say(message, message_length, "no pixels, or a row stride below the width");
        return CZXING_ERROR_ARGUMENT;
    }
    return guarded(out, message, message_length, [&] {
        const ZXing::ImageView view(luma, width, height, ZXing::ImageFormat::Lum, row_stride);
        return append(*out, ZXing::ReadBarcodes(view, Options()), false);
    });
}

void CZXing_free(CZXing_Symbols *symbols)
{
    if (!symbols)
        return;
    for (size_t index = 0; index < symbols->count; ++index) {
        std::free(symbols->items[index].bytes);
        std::free(symbols->items[index].text);
    }
    std::free(symbols->items);
    *symbols = CZXing_Symbols{nullptr, 0};
}

const char *CZXing_version(void)
{
    return CZXING_VERSION_STRING(ZXING_VERSION_MAJOR, ZXING_VERSION_MINOR, ZXING_VERSION_PATCH);
}

uint32_t CZXing_symbologies(void)
{
    uint32_t mask = 0;
    for (const auto &known : formats)
        mask |= bit(known.code);
    return mask;
}
