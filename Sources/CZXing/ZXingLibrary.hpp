// The differences between ZXing-C++ 1.4, 2.x and 3.x, detected by version or by which headers exist: names of types and formats, how to
// set formats, and how to run a read. Only CZXing.cpp includes this.
#pragma once
#define ZX_USE_UTF8 1

#include "include/CZXing.h"

#if __has_include(<ZXing/Version.h>)
#include <ZXing/Version.h>
#else
#include <ZXing/ZXVersion.h>
#endif
#include <ZXing/ReadBarcode.h>

#include <algorithm>
#include <string>
#include <vector>

namespace czxing {

using ZXing::BarcodeFormat;

#if __has_include(<ZXing/ReaderOptions.h>)
using Options = ZXing::ReaderOptions;
#else
using Options = ZXing::DecodeHints;
#endif

#if ZXING_VERSION_MAJOR >= 3 || (ZXING_VERSION_MAJOR == 2 && ZXING_VERSION_MINOR >= 3)
using Barcode = ZXing::Barcode;
#define CZXING_HAS_NEWER_FORMATS 1
#else
using Barcode = ZXing::Result;
#define CZXING_HAS_NEWER_FORMATS 0
#endif
using Barcodes = std::vector<Barcode>;

#define CZXING_STRING(x) #x
#define CZXING_VERSION_STRING(a, b, c) CZXING_STRING(a) "." CZXING_STRING(b) "." CZXING_STRING(c)

constexpr uint32_t bit(int code)
{
    return uint32_t(1) << code;
}

struct Format {
    int code;
    BarcodeFormat format;
};

#if ZXING_VERSION_MAJOR >= 3
// What we ask the library for. In 3.x a symbology includes all of its variants: QRCode also Micro QR and rMQR, whose smallest sizes have
// so little error detection that the library finds them within other codes (its issue 1162); Code39 also Code 32 and PZN, whose text is
// different; PDF417 also MicroPDF417. So we ask for variants, several of them for some symbologies.
constexpr Format formats[] = {
    {CZXING_AZTEC, BarcodeFormat::AztecCode},
    {CZXING_AZTEC, BarcodeFormat::AztecRune},
    {CZXING_CODABAR, BarcodeFormat::Codabar},
    {CZXING_CODE39, BarcodeFormat::Code39Std},
    {CZXING_CODE93, BarcodeFormat::Code93},
    {CZXING_CODE128, BarcodeFormat::Code128},
    {CZXING_DATABAR, BarcodeFormat::DataBarOmni},
    {CZXING_DATABAR, BarcodeFormat::DataBarStk},
    {CZXING_DATABAR, BarcodeFormat::DataBarStkOmni},
    {CZXING_DATABAR_EXPANDED, BarcodeFormat::DataBarExp},
    {CZXING_DATABAR_EXPANDED, BarcodeFormat::DataBarExpStk},
    {CZXING_DATABAR_LIMITED, BarcodeFormat::DataBarLtd},
    {CZXING_DATA_MATRIX, BarcodeFormat::DataMatrix},
    {CZXING_EAN8, BarcodeFormat::EAN8},
    {CZXING_EAN13, BarcodeFormat::EAN13},
    {CZXING_ITF, BarcodeFormat::ITF},
    {CZXING_MAXICODE, BarcodeFormat::MaxiCode},
    {CZXING_MICRO_QR_CODE, BarcodeFormat::MicroQRCode},
    {CZXING_PDF417, BarcodeFormat::CompactPDF417},  // the same reader, which distinguishes them by itself
    {CZXING_QR_CODE, BarcodeFormat::QRCodeModel1},
    {CZXING_QR_CODE, BarcodeFormat::QRCodeModel2},
    {CZXING_RMQR_CODE, BarcodeFormat::RMQRCode},
    {CZXING_UPC_A, BarcodeFormat::UPCA},
    {CZXING_UPC_E, BarcodeFormat::UPCE},
};

// The symbology of a result. 3.x names either its variant or its symbology, whatever was asked for. With the library's defaults, results
// have variants that we never ask for; those that aren't a different symbology count as the one that they belong to.
inline int codeOf(BarcodeFormat format)
{
    switch (format) {
    case BarcodeFormat::Aztec:
    case BarcodeFormat::AztecCode:
    case BarcodeFormat::AztecRune: return CZXING_AZTEC;
    case BarcodeFormat::Codabar: return CZXING_CODABAR;
    case BarcodeFormat::Code39:
    case BarcodeFormat::Code39Std:
    case BarcodeFormat::Code39Ext:
    case BarcodeFormat::Code32:
    case BarcodeFormat::PZN: return CZXING_CODE39;
    case BarcodeFormat::Code93: return CZXING_CODE93;
    case BarcodeFormat::Code128: return CZXING_CODE128;
    case BarcodeFormat::DataBar:
    case BarcodeFormat::DataBarOmni:
    case BarcodeFormat::DataBarStk:
    case BarcodeFormat::DataBarStkOmni: return CZXING_DATABAR;
    case BarcodeFormat::DataBarExp:
    case BarcodeFormat::DataBarExpStk: return CZXING_DATABAR_EXPANDED;
    case BarcodeFormat::DataBarLtd: return CZXING_DATABAR_LIMITED;
    case BarcodeFormat::DataMatrix: return CZXING_DATA_MATRIX;
    case BarcodeFormat::EAN8: return CZXING_EAN8;
    case BarcodeFormat::EAN13:
    case BarcodeFormat::ISBN: return CZXING_EAN13;
    case BarcodeFormat::ITF:
    case BarcodeFormat::ITF14: return CZXING_ITF;
    case BarcodeFormat::MaxiCode: return CZXING_MAXICODE;
    case BarcodeFormat::MicroQRCode: return CZXING_MICRO_QR_CODE;
    case BarcodeFormat::PDF417:
    case BarcodeFormat::CompactPDF417: return CZXING_PDF417;
    case BarcodeFormat::QRCode:
    case BarcodeFormat::QRCodeModel1:
    case BarcodeFormat::QRCodeModel2: return CZXING_QR_CODE;
    case BarcodeFormat::RMQRCode: return CZXING_RMQR_CODE;
    case BarcodeFormat::UPCA: return CZXING_UPC_A;
    case BarcodeFormat::UPCE: return CZXING_UPC_E;
    default: return 0;
    }
}
#else
// What we ask the library for: one entry for each symbology that it knows.
constexpr Format formats[] = {
    {CZXING_AZTEC, BarcodeFormat::Aztec},
    {CZXING_CODABAR, BarcodeFormat::Codabar},
    {CZXING_CODE39, BarcodeFormat::Code39},
    {CZXING_CODE93, BarcodeFormat::Code93},
    {CZXING_CODE128, BarcodeFormat::Code128},
    {CZXING_DATABAR, BarcodeFormat::DataBar},
    {CZXING_DATABAR_EXPANDED, BarcodeFormat::DataBarExpanded},
#if CZXING_HAS_NEWER_FORMATS
    {CZXING_DATABAR_LIMITED, BarcodeFormat::DataBarLimited},
#endif
    {CZXING_DATA_MATRIX, BarcodeFormat::DataMatrix},
    {CZXING_EAN8, BarcodeFormat::EAN8},
    {CZXING_EAN13, BarcodeFormat::EAN13},
    {CZXING_ITF, BarcodeFormat::ITF},
    {CZXING_MAXICODE, BarcodeFormat::MaxiCode},
    {CZXING_MICRO_QR_CODE, BarcodeFormat::MicroQRCode},
    {CZXING_PDF417, BarcodeFormat::PDF417},
    {CZXING_QR_CODE, BarcodeFormat::QRCode},
#if CZXING_HAS_NEWER_FORMATS
    {CZXING_RMQR_CODE, BarcodeFormat::RMQRCode},
#endif
    {CZXING_UPC_A, BarcodeFormat::UPCA},
    {CZXING_UPC_E, BarcodeFormat::UPCE},
};

// The symbology of a result.
inline int codeOf(BarcodeFormat format)
{
    for (const auto &known : formats) {
        if (known.format == format)
            return known.code;
    }
    return 0;
}
#endif

#if ZXING_VERSION_MAJOR < 2
const uint32_t matrixCodes = bit(CZXING_AZTEC) | bit(CZXING_DATA_MATRIX) | bit(CZXING_MAXICODE)
    | bit(CZXING_MICRO_QR_CODE) | bit(CZXING_PDF417) | bit(CZXING_QR_CODE);
const uint32_t dataBarCodes = bit(CZXING_DATABAR) | bit(CZXING_DATABAR_EXPANDED) | bit(CZXING_DATABAR_LIMITED);
#endif

// False if the library knows none of `symbologies` (it would take an empty set to mean all of them).
inline bool setFormats(Options &options, uint32_t symbologies)
{
#if ZXING_VERSION_MAJOR >= 3
    std::vector<BarcodeFormat> list;
    for (const auto &known : formats) {
        if (symbologies & bit(known.code))
            list.push_back(known.format);
    }
    if (list.empty())
        return false;
    options.setFormats(ZXing::BarcodeFormats(std::move(list)));
    return true;
#else
    ZXing::BarcodeFormats flags = BarcodeFormat::None;
    for (const auto &known : formats) {
        if (symbologies & bit(known.code))
            flags |= known.format;
    }
    if (flags.empty())
        return false;
    options.setFormats(flags);
    return true;
#endif
}

inline Options libraryOptions(const CZXing_Options &wanted)
{
    Options options;
    options.setTryHarder(wanted.try_harder != 0);
    options.setTryRotate(wanted.try_rotate != 0);
    options.setTryDownscale(wanted.try_downscale != 0);
    options.setIsPure(wanted.is_pure != 0);
    options.setMinLineCount(std::max<uint8_t>(wanted.min_line_count, 1));
    options.setMaxNumberOfSymbols(std::max<uint8_t>(wanted.max_symbols, 1));
    switch (wanted.binarizer) {
    case CZXING_GLOBAL_HISTOGRAM: options.setBinarizer(ZXing::Binarizer::GlobalHistogram); break;
    case CZXING_FIXED_THRESHOLD: options.setBinarizer(ZXing::Binarizer::FixedThreshold); break;
    case CZXING_BOOL_CAST: options.setBinarizer(ZXing::Binarizer::BoolCast); break;
    default: options.setBinarizer(ZXing::Binarizer::LocalAverage); break;
    }
    switch (wanted.add_ons) {
    case CZXING_ADD_ON_READ: options.setEanAddOnSymbol(ZXing::EanAddOnSymbol::Read); break;
    case CZXING_ADD_ON_REQUIRE: options.setEanAddOnSymbol(ZXing::EanAddOnSymbol::Require); break;
    default: options.setEanAddOnSymbol(ZXing::EanAddOnSymbol::Ignore); break;
    }
#if ZXING_VERSION_MAJOR < 2
    // 2.x and later always give them.
    options.setReturnCodabarStartEnd(true);
#else
#if ZXING_VERSION_MAJOR == 2
    // Our own rules decide on full ASCII. 3.x has a separate variant for it, which we don't ask for.
    options.setTryCode39ExtendedMode(false);
#endif
    options.setTryInvert(wanted.try_invert != 0);
    options.setTextMode(ZXing::TextMode::Plain);
#endif
    return options;
}

// Runs the library. 1.x needs care: it compares results with an operator that asserts as soon as a linear code with more than one scan
// line shows up again. So linear codes go through ReadBarcode, which stops at the first code. The DataBar decoder counts lines itself, and
// must stop at its first line, so that no other line is compared with it.
inline Barcodes run(const ZXing::ImageView &view, const CZXing_Options &wanted)
{
    Barcodes found;
    Options options = libraryOptions(wanted);
#if ZXING_VERSION_MAJOR < 2
    if (setFormats(options, wanted.symbologies & matrixCodes)) {
        for (auto &barcode : ZXing::ReadBarcodes(view, options))
            found.push_back(std::move(barcode));
    }
    // With 1 the library would go through ReadBarcodes again.
    options.setMaxNumberOfSymbols(0xff);
    if (found.size() < wanted.max_symbols && setFormats(options, wanted.symbologies & ~matrixCodes & ~dataBarCodes))
        found.push_back(ZXing::ReadBarcode(view, options));
    if (found.size() < wanted.max_symbols && setFormats(options, wanted.symbologies & dataBarCodes)) {
        options.setMinLineCount(1);
        found.push_back(ZXing::ReadBarcode(view, options));
    }
#else
    if (setFormats(options, wanted.symbologies)) {
        for (auto &barcode : ZXing::ReadBarcodes(view, options))
            found.push_back(std::move(barcode));
    }
#endif
    return found;
}

inline bool isInverted(const Barcode &barcode)
{
#if ZXING_VERSION_MAJOR < 2
    (void)barcode;
    return false;
#else
    return barcode.isInverted();
#endif
}

inline std::string plainText(const Barcode &barcode)
{
#if ZXING_VERSION_MAJOR < 2
    return barcode.text();
#else
    return barcode.text(ZXing::TextMode::Plain);
#endif
}

}  // namespace czxing
