// The references between a HEIF file's items (ISO/IEC 14496-12, iref), before libheif sees them: it follows a picture that is made of
// itself until its stack is full. What is decoded for an item: the tiles it is derived from (dimg), and its auxiliary pictures
// (auxl), each of which may be derived itself. Honest files go two or three deep.
#include "HEIFReferences.h"

#include <string.h>

#define DEEPEST 6
// A picture of 100 MP in tiles of 512x512 has 400; each reference is followed at most this often in all.
#define MOST_REFERENCES 4096
#define MOST_STEPS 65536
// Boxes of the file and of its meta box that are looked at.
#define MOST_BOXES 4096

typedef struct Span {
    const uint8_t *bytes;
    size_t length;
} Span;

typedef struct Box {
    uint32_t type;
    Span content;
} Box;

typedef struct Reference {
    uint32_t from, to;
} Reference;

typedef struct Graph {
    Reference references[MOST_REFERENCES];
    size_t count;
    size_t steps;
} Graph;

#define TYPE(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

static uint32_t read16(const uint8_t *p) { return (uint32_t)p[0] << 8 | p[1]; }
static uint32_t read32(const uint8_t *p) { return read16(p) << 16 | read16(p + 2); }

// Takes the first box off `rest`; false at the end, or where a box doesn't fit, which libheif refuses itself.
static bool next_box(Span *rest, Box *box) {
    if (rest->length < 8) return false;
    uint64_t size = read32(rest->bytes);
    size_t head = 8;
    box->type = read32(rest->bytes + 4);
    if (size == 1) {
        if (rest->length < 16) return false;
        size = (uint64_t)read32(rest->bytes + 8) << 32 | read32(rest->bytes + 12);
        head = 16;
    } else if (size == 0) {
        size = rest->length;
    }
    if (size < head) return false;
    size_t taken = size < rest->length ? (size_t)size : rest->length;
    box->content = (Span){.bytes = rest->bytes + head, .length = taken - head};
    rest->bytes += taken;
    rest->length -= taken;
    return true;
}

// A box of references of one kind from one item: its number, how many, theirs. False when there are too many.
static bool take_references(Graph *graph, Box box, size_t width) {
    if (box.type != TYPE('d', 'i', 'm', 'g') && box.type != TYPE('a', 'u', 'x', 'l')) return true;
    if (box.content.length < width + 2) return true;
    const uint8_t *next = box.content.bytes;
    uint32_t item = width == 4 ? read32(next) : read16(next);
    size_t count = read16(next + width), room = (box.content.length - width - 2) / width;
    next += width + 2;
    for (size_t i = 0; i < count && i < room; i++, next += width) {
        uint32_t other = width == 4 ? read32(next) : read16(next);
        if (graph->count == MOST_REFERENCES) return false;
        // An auxiliary picture names the one that it belongs to.
        graph->references[graph->count++] = box.type == TYPE('a', 'u', 'x', 'l')
            ? (Reference){.from = other, .to = item}
            : (Reference){.from = item, .to = other};
    }
    return true;
}

static bool take_all(Graph *graph, Span meta) {
    Box box, reference;
    if (meta.length < 4) return true;
    Span rest = {.bytes = meta.bytes + 4, .length = meta.length - 4};
    for (int i = 0; i < MOST_BOXES && next_box(&rest, &box); i++) {
        if (box.type != TYPE('i', 'r', 'e', 'f') || box.content.length < 4) continue;
        size_t width = box.content.bytes[0] == 0 ? 2 : 4;
        Span inner = {.bytes = box.content.bytes + 4, .length = box.content.length - 4};
        while (next_box(&inner, &reference)) {
            if (!take_references(graph, reference, width)) return false;
        }
    }
    return true;
}

// Whether nothing that `item` needs lies deeper than `depth`.
static bool ends(Graph *graph, uint32_t item, int depth) {
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->references[i].from != item) continue;
        if (depth == 0 || ++graph->steps > MOST_STEPS || !ends(graph, graph->references[i].to, depth - 1)) return false;
    }
    return true;
}

bool CImageHEIF_references_end(const uint8_t *data, size_t length) {
    Graph graph;
    graph.count = graph.steps = 0;
    Span rest = {.bytes = data, .length = length};
    Box box;
    for (int i = 0; i < MOST_BOXES && next_box(&rest, &box); i++) {
        if (box.type == TYPE('m', 'e', 't', 'a') && !take_all(&graph, box.content)) return false;
    }
    // From every item that something is needed for, once for each run of its references.
    for (size_t i = 0; i < graph.count; i++) {
        uint32_t item = graph.references[i].from;
        if (i > 0 && graph.references[i - 1].from == item) continue;
        if (!ends(&graph, item, DEEPEST)) return false;
    }
    return true;
}
