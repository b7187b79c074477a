// GIF by giflib: the first picture of an animation, on its screen; where that is transparent or not painted, white. One line at a
// time: DGifSlurp would unpack all pictures of the animation.
#include "CImageInternal.h"

#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#define TRANSPARENT_NONE (-1)

typedef struct Source {
    const uint8_t *data;
    size_t length;
    size_t position;
} Source;

static int on_read(GifFileType *file, GifByteType *target, int count) {
    Source *source = file->UserData;
    size_t left = source->length - source->position;
    size_t taken = count < 0 ? 0 : (size_t)count < left ? (size_t)count : left;
    memcpy(target, source->data + source->position, taken);
    source->position += taken;
    return (int)taken;
}

static int damaged(CImage_Context *context, const GifFileType *file) {
    const char *text = GifErrorString(file->Error);
    return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged GIF: %s", text ? text : "its data is wrong");
}

// Skips what comes before the first picture. Takes the transparent colour from its graphics control block.
static int find_picture(CImage_Context *context, GifFileType *file, int *transparent) {
    while (true) {
        GifRecordType kind;
        if (DGifGetRecordType(file, &kind) == GIF_ERROR) return damaged(context, file);
        if (kind == IMAGE_DESC_RECORD_TYPE) break;
        if (kind != EXTENSION_RECORD_TYPE) {
            return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged GIF: there is no picture in it");
        }
        int code;
        GifByteType *block;
        if (DGifGetExtension(file, &code, &block) == GIF_ERROR) return damaged(context, file);
        while (block) {
            GraphicsControlBlock control;
            if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
                *transparent = control.TransparentColor;
            }
            if (DGifGetExtensionNext(file, &block) == GIF_ERROR) return damaged(context, file);
        }
    }
    return DGifGetImageDesc(file) == GIF_ERROR ? damaged(context, file) : CIMAGE_OK;
}

static void fill_table(const GifFileType *file, int transparent, uint8_t table[256]) {
    const ColorMapObject *map = file->Image.ColorMap ? file->Image.ColorMap : file->SColorMap;
    memset(table, 0, 256);
    for (int i = 0; map && i < map->ColorCount && i < 256; i++) {
        table[i] = CImage_luma_of(map->Colors[i].Red, map->Colors[i].Green, map->Colors[i].Blue);
    }
    if (transparent >= 0 && transparent < 256) table[transparent] = 255;
}

// Paints the picture's lines on the screen, which they lie within.
static int paint(CImage_Context *context, GifFileType *file, const uint8_t table[256], GifPixelType *line) {
    static const struct { int first, step; } interlaced[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}}, plain[] = {{0, 1}};
    const GifImageDesc *picture = &file->Image;
    size_t passes = picture->Interlace ? 4 : 1;
    for (size_t pass = 0; pass < passes; pass++) {
        int first = picture->Interlace ? interlaced[pass].first : plain[pass].first;
        int step = picture->Interlace ? interlaced[pass].step : plain[pass].step;
        for (int y = first; y < picture->Height; y += step) {
            if (DGifGetLine(file, line, picture->Width) == GIF_ERROR) return damaged(context, file);
            uint8_t *target = context->luma.pixels + (size_t)(picture->Top + y) * (size_t)context->luma.width
                + picture->Left;
            for (int x = 0; x < picture->Width; x++) target[x] = table[line[x]];
        }
    }
    return CIMAGE_OK;
}

static int decode(CImage_Context *context, GifFileType *file) {
    int transparent = TRANSPARENT_NONE;
    int status = find_picture(context, file, &transparent);
    if (status != CIMAGE_OK) return status;
    const GifImageDesc *picture = &file->Image;
    if (picture->Left < 0 || picture->Top < 0 || picture->Width <= 0 || picture->Height <= 0) {
        return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged GIF: its picture has no pixels");
    }
    // Some files' pictures are larger than their screen.
    int64_t right = (int64_t)picture->Left + picture->Width, bottom = (int64_t)picture->Top + picture->Height;
    uint64_t width = (uint64_t)(right > file->SWidth ? right : file->SWidth);
    uint64_t height = (uint64_t)(bottom > file->SHeight ? bottom : file->SHeight);
    status = CImage_allocate(context, width, height, 0);
    if (status != CIMAGE_OK) return status;
    memset(context->luma.pixels, 255, (size_t)width * (size_t)height);

    uint8_t table[256];
    fill_table(file, transparent, table);
    GifPixelType *line = malloc((size_t)picture->Width);
    if (!line) return CImage_fail(context, CIMAGE_ERROR_MEMORY, "no memory for a row");
    status = paint(context, file, table, line);
    free(line);
    return status;
}

bool CImage_is_gif(const uint8_t *data) { return memcmp(data, "GIF87a", 6) == 0 || memcmp(data, "GIF89a", 6) == 0; }

int CImage_decode_gif(CImage_Context *context) {
    Source source = {.data = context->data, .length = context->length};
    int error = 0;
    GifFileType *file = DGifOpen(&source, on_read, &error);
    if (!file) {
        const char *text = GifErrorString(error);
        return CImage_fail(context, CIMAGE_ERROR_DAMAGED, "damaged GIF: %s", text ? text : "its header is wrong");
    }
    int status = decode(context, file);
    DGifCloseFile(file, &error);
    return status;
}
