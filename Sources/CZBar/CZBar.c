// Runs ZBar's scanner and copies its symbols out. While it looks for DataBar, stderr goes to /dev/null: its DataBar decoder prints
// failed assertions that mean nothing.
#include "include/CZBar.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zbar.h>

struct CZBar_Scanner {
    zbar_image_scanner_t *scanner;
    // The scanner's current settings, so that they are changed only when they differ.
    CZBar_Options options;
    int is_configured;
};

typedef struct Kind {
    zbar_symbol_type_t type;
    uint8_t code;
} Kind;

static const Kind kinds[] = {
    {ZBAR_CODABAR, CZBAR_CODABAR}, {ZBAR_CODE39, CZBAR_CODE39},   {ZBAR_CODE93, CZBAR_CODE93},
    {ZBAR_CODE128, CZBAR_CODE128}, {ZBAR_DATABAR, CZBAR_DATABAR}, {ZBAR_DATABAR_EXP, CZBAR_DATABAR_EXPANDED},
    {ZBAR_EAN8, CZBAR_EAN8},       {ZBAR_EAN13, CZBAR_EAN13},     {ZBAR_I25, CZBAR_ITF},
    {ZBAR_QRCODE, CZBAR_QR_CODE},  {ZBAR_UPCA, CZBAR_UPC_A},      {ZBAR_UPCE, CZBAR_UPC_E},
};
enum { kind_count = sizeof kinds / sizeof kinds[0] };

static uint8_t code_of(zbar_symbol_type_t type)
{
    // ZBar's other name for an EAN-13.
    if (type == ZBAR_ISBN13)
        return CZBAR_EAN13;
    for (int index = 0; index < kind_count; ++index) {
        if (kinds[index].type == type)
            return kinds[index].code;
    }
    return 0;
}

// The process's stderr is silenced while at least one thread is in ZBar's DataBar decoder.
static struct {
    pthread_mutex_t lock;
    FILE *nowhere;
    FILE *saved;
    int depth;
} silence = {PTHREAD_MUTEX_INITIALIZER, NULL, NULL, 0};

static void silence_begin(void)
{
    pthread_mutex_lock(&silence.lock);
    if (silence.depth == 0 && silence.nowhere) {
        silence.saved = stderr;
        stderr = silence.nowhere;
    }
    silence.depth += 1;
    pthread_mutex_unlock(&silence.lock);
}

static void silence_end(void)
{
    pthread_mutex_lock(&silence.lock);
    silence.depth -= 1;
    if (silence.depth == 0 && silence.saved) {
        stderr = silence.saved;
        silence.saved = NULL;
    }
    pthread_mutex_unlock(&silence.lock);
}

// Opened early, because a confined process can't open files. If it can't be opened, the noise goes to stderr, which does no harm.
// Never closed.
static void silence_prepare(void)
{
    pthread_mutex_lock(&silence.lock);
    if (!silence.nowhere)
        silence.nowhere = fopen("/dev/null", "we");
    pthread_mutex_unlock(&silence.lock);
}

CZBar_Scanner *CZBar_create(void)
{
    CZBar_Scanner *scanner = calloc(1, sizeof *scanner);
    if (!scanner)
        return NULL;
    zbar_set_verbosity(0);
    scanner->scanner = zbar_image_scanner_create();
    silence_prepare();
    if (!scanner->scanner) {
        CZBar_destroy(scanner);
        return NULL;
    }
    return scanner;
}

void CZBar_destroy(CZBar_Scanner *scanner)
{
    if (!scanner)
        return;
    if (scanner->scanner)
        zbar_image_scanner_destroy(scanner->scanner);
    free(scanner);
}

static void configure(CZBar_Scanner *scanner, const CZBar_Options *options)
{
    if (scanner->is_configured && memcmp(&scanner->options, options, sizeof *options) == 0)
        return;
    zbar_image_scanner_t *zbar = scanner->scanner;
    zbar_image_scanner_set_config(zbar, ZBAR_NONE, ZBAR_CFG_ENABLE, 0);
    for (int index = 0; index < kind_count; ++index) {
        if (options->symbologies & (UINT32_C(1) << kinds[index].code))
            zbar_image_scanner_set_config(zbar, kinds[index].type, ZBAR_CFG_ENABLE, 1);
    }
    // The EAN-13 decoder reads UPC-A and UPC-E, so it must be on for them.
    if (options->symbologies & (UINT32_C(1) << CZBAR_UPC_A | UINT32_C(1) << CZBAR_UPC_E))
        zbar_image_scanner_set_config(zbar, ZBAR_EAN13, ZBAR_CFG_ENABLE, 1);
    zbar_image_scanner_set_config(zbar, ZBAR_NONE, ZBAR_CFG_X_DENSITY, options->x_density);
    zbar_image_scanner_set_config(zbar, ZBAR_NONE, ZBAR_CFG_Y_DENSITY, options->y_density);
    zbar_image_scanner_set_config(zbar, ZBAR_NONE, ZBAR_CFG_POSITION, 1);
    zbar_image_scanner_set_config(zbar, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1);
    zbar_image_scanner_enable_cache(zbar, 0);
    scanner->options = *options;
    scanner->is_configured = 1;
}

// The corners of the box around the scan lines' hits, in the order of the code's own reading direction.
static void box_corners(const zbar_symbol_t *symbol, int32_t corners[8])
{
    const unsigned count = zbar_symbol_get_loc_size(symbol);
    if (count == 0)
        return;
    int left = zbar_symbol_get_loc_x(symbol, 0), right = left;
    int top = zbar_symbol_get_loc_y(symbol, 0), bottom = top;
    for (unsigned index = 1; index < count; ++index) {
        const int x = zbar_symbol_get_loc_x(symbol, index);
        const int y = zbar_symbol_get_loc_y(symbol, index);
        left = x < left ? x : left;
        right = x > right ? x : right;
        top = y < top ? y : top;
        bottom = y > bottom ? y : bottom;
    }
    const int32_t box[8] = {left, top, right, top, right, bottom, left, bottom};
    int turn = 0;
    switch (zbar_symbol_get_orientation(symbol)) {
    case ZBAR_ORIENT_RIGHT: turn = 1; break;
    case ZBAR_ORIENT_DOWN: turn = 2; break;
    case ZBAR_ORIENT_LEFT: turn = 3; break;
    default: break;
    }
    for (int corner = 0; corner < 4; ++corner) {
        corners[2 * corner] = box[2 * ((corner + turn) % 4)];
        corners[2 * corner + 1] = box[2 * ((corner + turn) % 4) + 1];
    }
}

static int fill(CZBar_Symbol *target, const zbar_symbol_t *symbol, uint8_t code)
{
    const size_t count = zbar_symbol_get_data_length(symbol);
    memset(target, 0, sizeof *target);
    target->bytes = malloc(count + 1);
    if (!target->bytes)
        return CZBAR_ERROR_MEMORY;
    memcpy(target->bytes, zbar_symbol_get_data(symbol), count);
    target->bytes[count] = 0;
    target->byte_count = count;
    target->symbology = code;
    const unsigned modifiers = zbar_symbol_get_modifiers(symbol);
    target->is_gs1 = (modifiers >> ZBAR_MOD_GS1) & 1;
    target->is_aim = (modifiers >> ZBAR_MOD_AIM) & 1;
    const int quality = zbar_symbol_get_quality(symbol);
    target->quality = quality;
    if (code == CZBAR_QR_CODE && zbar_symbol_get_loc_size(symbol) == 4) {
        // ZBar goes round the other way: top left, bottom left, bottom right, top right.
        static const int order[4] = {0, 3, 2, 1};
        for (int corner = 0; corner < 4; ++corner) {
            target->corners[2 * corner] = zbar_symbol_get_loc_x(symbol, (unsigned)order[corner]);
            target->corners[2 * corner + 1] = zbar_symbol_get_loc_y(symbol, (unsigned)order[corner]);
        }
    } else {
        box_corners(symbol, target->corners);
        const zbar_orientation_t orientation = zbar_symbol_get_orientation(symbol);
        target->is_vertical = orientation == ZBAR_ORIENT_RIGHT || orientation == ZBAR_ORIENT_LEFT;
    }
    return CZBAR_OK;
}

// Copies the image's symbols; `out` is empty on failure.
static int collect(const zbar_image_t *image, CZBar_Symbols *out)
{
    for (const zbar_symbol_t *symbol = zbar_image_first_symbol(image); symbol; symbol = zbar_symbol_next(symbol)) {
        const uint8_t code = code_of(zbar_symbol_get_type(symbol));
        // Composite symbols wrap EAN and add-on; add-ons are left to ZXing.
        if (code == 0 || zbar_symbol_get_data_length(symbol) == 0)
            continue;
        // So does what it makes of a whole series of QR codes: their texts as one code that is nowhere.
        if (zbar_symbol_get_components(symbol))
            continue;
        CZBar_Symbol *grown = realloc(out->items, (out->count + 1) * sizeof *grown);
        if (!grown) {
            CZBar_free(out);
            return CZBAR_ERROR_MEMORY;
        }
        out->items = grown;
        const int status = fill(&out->items[out->count], symbol, code);
        if (status != CZBAR_OK) {
            CZBar_free(out);
            return status;
        }
        out->count += 1;
    }
    return CZBAR_OK;
}

static int scan(CZBar_Scanner *scanner, const uint8_t *luma, int32_t width, int32_t height, CZBar_Symbols *out)
{
    zbar_image_t *image = zbar_image_create();
    if (!image)
        return CZBAR_ERROR_MEMORY;
    zbar_image_set_format(image, zbar_fourcc('Y', '8', '0', '0'));
    zbar_image_set_size(image, (unsigned)width, (unsigned)height);
    // No clean-up handler: the pixels stay the caller's.
    zbar_image_set_data(image, luma, (unsigned long)width * (unsigned long)height, NULL);
    // The defaults look for DataBar, too.
    const int is_noisy = !scanner->is_configured
        || (scanner->options.symbologies & (UINT32_C(1) << CZBAR_DATABAR | UINT32_C(1) << CZBAR_DATABAR_EXPANDED));
    if (is_noisy)
        silence_begin();
    const int count = zbar_scan_image(scanner->scanner, image);
    if (is_noisy)
        silence_end();
    const int status = count < 0 ? CZBAR_ERROR_LIBRARY : collect(image, out);
    // Otherwise the scanner keeps the symbols of its last image, and with them this image.
    zbar_image_scanner_recycle_image(scanner->scanner, image);
    zbar_image_destroy(image);
    return status;
}

int CZBar_read(
    CZBar_Scanner *scanner, const uint8_t *luma, int32_t width, int32_t height, const CZBar_Options *options,
    CZBar_Symbols *out)
{
    if (!out)
        return CZBAR_ERROR_ARGUMENT;
    *out = (CZBar_Symbols){NULL, 0};
    if (!scanner || !luma || width <= 0 || height <= 0 || !options)
        return CZBAR_ERROR_ARGUMENT;
    configure(scanner, options);
    return scan(scanner, luma, width, height, out);
}

int CZBar_read_defaults(const uint8_t *luma, int32_t width, int32_t height, CZBar_Symbols *out)
{
    if (!out)
        return CZBAR_ERROR_ARGUMENT;
    *out = (CZBar_Symbols){NULL, 0};
    if (!luma || width <= 0 || height <= 0)
        return CZBAR_ERROR_ARGUMENT;
    CZBar_Scanner *scanner = CZBar_create();
    if (!scanner)
        return CZBAR_ERROR_MEMORY;
    const int status = scan(scanner, luma, width, height, out);
    CZBar_destroy(scanner);
    return status;
}

void CZBar_free(CZBar_Symbols *symbols)
{
    if (!symbols)
        return;
    for (size_t index = 0; index < symbols->count; ++index)
        free(symbols->items[index].bytes);
    free(symbols->items);
    *symbols = (CZBar_Symbols){NULL, 0};
}

const char *CZBar_version(void)
{
    static char text[32];
    unsigned major = 0, minor = 0, patch = 0;
    if (zbar_version(&major, &minor, &patch) != 0)
        return "";
    snprintf(text, sizeof text, "%u.%u.%u", major, minor, patch);
    return text;
}

uint32_t CZBar_symbologies(void)
{
    uint32_t mask = 0;
    for (int index = 0; index < kind_count; ++index)
        mask |= UINT32_C(1) << kinds[index].code;
    return mask;
}
