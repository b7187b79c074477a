// libcamera behind a table of C functions. The table is implemented by a plugin (CLibcameraPlugin), a shared object built
// per libcamera version, because libcamera's soname changes with every 0.x and versions are not ABI-compatible. This
// module only loads plugins; it links nothing, so the daemon runs without libcamera.
//
// Rules for everything below:
// - Every call returns a CLibcamera_Status; `error` (may be NULL) then has one line of text. No C++ exception crosses.
// - Strings handed to a callback live until it returns; strings handed in are copied.
// - Callbacks come on libcamera's own thread. From inside one, no function of the table may be called.
// - Calls on one system and its cameras must come from one thread at a time; they block. `set_controls` may also run
//   while frames arrive.
// - No policy: what isn't asked for is left as libcamera has it.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Pointers are never NULL unless they say so; Swift relies on it.
#ifdef __clang__
#pragma clang assume_nonnull begin
#define CLIBCAMERA_NULLABLE _Nullable
#define CLIBCAMERA_NONNULL _Nonnull
#else
#define CLIBCAMERA_NULLABLE
#define CLIBCAMERA_NONNULL
#endif

// Raised whenever anything in this header changes. A plugin with another number is refused.
#define CLIBCAMERA_ABI_VERSION 2u
// The symbol a plugin exports: `const CLibcamera_Table *CLibcameraPlugin_table(void)`.
#define CLIBCAMERA_PLUGIN_SYMBOL "CLibcameraPlugin_table"
#define CLIBCAMERA_ERROR_LENGTH 256

typedef enum CLibcamera_Status {
    CLIBCAMERA_OK = 0,
    CLIBCAMERA_FAILED = 1,        // libcamera or the system refused; see the text
    CLIBCAMERA_NOT_FOUND = 2,     // no camera with that id
    CLIBCAMERA_BUSY = 3,          // another process has it
    CLIBCAMERA_DISCONNECTED = 4,  // unplugged
    CLIBCAMERA_REJECTED = 5,      // the configuration is invalid for this camera
    CLIBCAMERA_NO_LUMA = 6,       // no format of the wanted kind; the text lists what is offered
    CLIBCAMERA_NO_MEMORY = 7,     // buffers can't be allocated or mapped
    CLIBCAMERA_WRONG_STATE = 8,   // e.g. a second system in one process, start before configure
    CLIBCAMERA_NO_PLUGIN = 9,     // loader: the file can't be loaded (the text is dlerror's)
    CLIBCAMERA_WRONG_ABI = 10,    // loader: another CLIBCAMERA_ABI_VERSION, or built for another libcamera than runs
} CLibcamera_Status;

typedef struct CLibcamera_Error {
    char text[CLIBCAMERA_ERROR_LENGTH];
} CLibcamera_Error;

typedef struct CLibcamera_Size {
    uint32_t width;
    uint32_t height;
} CLibcamera_Size;

typedef struct CLibcamera_Rect {
    int32_t x;
    int32_t y;
    uint32_t width;
    uint32_t height;
} CLibcamera_Rect;

// A rectangle as fractions 0…1 of the delivered frame.
typedef struct CLibcamera_Window {
    double x;
    double y;
    double width;
    double height;
} CLibcamera_Window;

// What is known about a camera without acquiring it.
typedef struct CLibcamera_Info {
    const char *id;
    const char *model;     // "" where unknown
    const char *location;  // "front", "back", "external" or ""
    int32_t rotation;      // degrees the sensor is mounted at
    CLibcamera_Size pixel_array;
} CLibcamera_Info;

// What a camera offers; any function may be NULL.
typedef struct CLibcamera_Visitor {
    void *CLIBCAMERA_NULLABLE context;
    // A format of the video stream with one of its sizes (or, when `is_range`, its smallest and largest).
    void (*CLIBCAMERA_NULLABLE format)(
        void *CLIBCAMERA_NULLABLE context, const char *name, CLibcamera_Size smallest, CLibcamera_Size largest,
        int is_range);
    void (*CLIBCAMERA_NULLABLE sensor_mode)(
        void *CLIBCAMERA_NULLABLE context, const char *name, CLibcamera_Size size, uint32_t bit_depth);
    // A control as libcamera names and prints it: "AfMode", "[0..2]".
    void (*CLIBCAMERA_NULLABLE control)(void *CLIBCAMERA_NULLABLE context, const char *name, const char *range);
} CLibcamera_Visitor;

typedef enum CLibcamera_BufferKind {
    CLIBCAMERA_BUFFERS_AUTOMATIC = 0,  // cached dma-heap where there is one, else the allocator
    CLIBCAMERA_BUFFERS_ALLOCATOR = 1,  // libcamera's
    CLIBCAMERA_BUFFERS_DMA_HEAP = 2,   // ours, from vidbuf_cached or linux,cma
    CLIBCAMERA_BUFFERS_MEMFD = 3,      // ours, plain memory: only for libcamera's "virtual" pipeline
} CLibcamera_BufferKind;

typedef enum CLibcamera_FormatKind {
    CLIBCAMERA_FORMAT_LUMA = 0,  // one with a luma plane
    CLIBCAMERA_FORMAT_JPEG = 1,  // MJPEG: each frame is a JPEG file
} CLibcamera_FormatKind;

typedef struct CLibcamera_Configuration {
    CLibcamera_Size size;
    CLibcamera_FormatKind format;
    uint32_t buffers;             // 0: the camera's default
    CLibcamera_Size sensor_size;  // 0×0: libcamera chooses
    uint32_t sensor_bit_depth;    // with sensor_size
    CLibcamera_BufferKind buffer_kind;
} CLibcamera_Configuration;

// What was granted. The first `start` allocates buffers, so that a memory budget can refuse earlier.
typedef struct CLibcamera_Granted {
    CLibcamera_Size size;
    uint32_t stride;        // bytes from one luma row to the next; 0 for JPEG
    uint32_t pixel_stride;  // 1, or 2 for packed YUYV and UYVY; 0 for JPEG
    uint32_t buffers;
    uint32_t buffer_bytes;
    uint32_t sensor_bit_depth;    // 0: unknown
    CLibcamera_Size sensor_size;  // 0×0: unknown
    CLibcamera_Rect field;        // what the frame shows, in pixels of the sensor's array; 0×0: unknown
    CLibcamera_Size pixel_array;  // 0×0: unknown
    int64_t shortest_frame_us;    // 0: unknown; where the camera takes no frame duration, the one it has
    float lowest_gain;            // 0: unknown
    char format[32];              // libcamera's name
} CLibcamera_Granted;

// Bits of CLibcamera_Controls.set and of the skipped mask.
enum {
    CLIBCAMERA_EXPOSURE = 1 << 0,
    CLIBCAMERA_GAIN = 1 << 1,
    CLIBCAMERA_METERING = 1 << 2,
    CLIBCAMERA_FLICKER = 1 << 3,
    CLIBCAMERA_FRAME_DURATION = 1 << 4,
    CLIBCAMERA_AF_MODE = 1 << 5,
    CLIBCAMERA_AF_RANGE = 1 << 6,
    CLIBCAMERA_AF_SPEED = 1 << 7,
    CLIBCAMERA_AF_WINDOW = 1 << 8,
    CLIBCAMERA_AF_TRIGGER = 1 << 9,
    CLIBCAMERA_LENS_POSITION = 1 << 10,
    CLIBCAMERA_ZOOM = 1 << 11,
    CLIBCAMERA_NOISE_REDUCTION = 1 << 12,
    CLIBCAMERA_SHARPNESS = 1 << 13,
};

enum { CLIBCAMERA_AF_MANUAL = 0, CLIBCAMERA_AF_AUTO = 1, CLIBCAMERA_AF_CONTINUOUS = 2 };
enum { CLIBCAMERA_RANGE_NORMAL = 0, CLIBCAMERA_RANGE_MACRO = 1, CLIBCAMERA_RANGE_FULL = 2 };
enum { CLIBCAMERA_METER_CENTRE = 0, CLIBCAMERA_METER_SPOT = 1, CLIBCAMERA_METER_MATRIX = 2 };
enum {
    CLIBCAMERA_DENOISE_OFF = 0,
    CLIBCAMERA_DENOISE_FAST = 1,
    CLIBCAMERA_DENOISE_HIGH = 2,
    CLIBCAMERA_DENOISE_MINIMAL = 3,
};

typedef struct CLibcamera_Controls {
    uint32_t set;         // which of the fields below count
    int32_t exposure_us;  // 0: automatic
    float gain;           // 0: automatic
    int32_t metering;
    int32_t flicker_us;  // period; 0: off, -1: automatic
    int64_t frame_duration_us;
    int32_t af_mode;
    int32_t af_range;
    int32_t af_speed;  // 0 normal, 1 fast
    CLibcamera_Window af_window;
    int32_t af_trigger;   // 0 start, 1 cancel
    float lens_position;  // dioptres
    double zoom;          // 1: none; limited to the sensor's own pixels
    int32_t noise_reduction;
    float sharpness;
} CLibcamera_Controls;

// Bits of CLibcamera_Frame.has.
enum {
    CLIBCAMERA_HAS_TIMESTAMP = 1 << 0,
    CLIBCAMERA_HAS_EXPOSURE = 1 << 1,
    CLIBCAMERA_HAS_GAIN = 1 << 2,
    CLIBCAMERA_HAS_LUX = 1 << 3,
    CLIBCAMERA_HAS_FOCUS_FOM = 1 << 4,
    CLIBCAMERA_HAS_AF_STATE = 1 << 5,
    CLIBCAMERA_HAS_LENS_POSITION = 1 << 6,
};

// A finished frame. The pixels belong to the camera and are its next frame's as soon as the callback returns.
typedef struct CLibcamera_Frame {
    const uint8_t *data;  // the first luma sample, or the first byte of a JPEG file
    uint32_t jpeg_bytes;  // of that file; 0: luma
    uint32_t width;
    uint32_t height;
    uint32_t stride;
    uint32_t pixel_stride;
    uint32_t sequence;  // the camera's; a gap means frames it dropped
    uint32_t has;
    int64_t timestamp_ns;  // start of exposure, CLOCK_BOOTTIME
    int32_t exposure_us;
    float gain;
    float lux;
    int32_t focus_fom;
    int32_t af_state;  // 0 idle, 1 scanning, 2 focused, 3 failed
    float lens_position;
} CLibcamera_Frame;

typedef enum CLibcamera_CameraEvent {
    CLIBCAMERA_EVENT_FAULT = 0,  // requests were cancelled though nobody stopped the camera
    CLIBCAMERA_EVENT_DISCONNECTED = 1,
    CLIBCAMERA_EVENT_FRAME_ERROR = 2,  // one damaged frame was skipped
} CLibcamera_CameraEvent;

typedef struct CLibcamera_CameraCallbacks {
    void *CLIBCAMERA_NULLABLE context;
    void (*frame)(void *CLIBCAMERA_NULLABLE context, const CLibcamera_Frame *frame);
    void (*event)(void *CLIBCAMERA_NULLABLE context, CLibcamera_CameraEvent event, const char *text);
} CLibcamera_CameraCallbacks;

typedef struct CLibcamera_SystemCallbacks {
    void *CLIBCAMERA_NULLABLE context;
    void (*added)(void *CLIBCAMERA_NULLABLE context, const char *id);
    void (*removed)(void *CLIBCAMERA_NULLABLE context, const char *id);
} CLibcamera_SystemCallbacks;

typedef struct CLibcamera_System CLibcamera_System;
typedef struct CLibcamera_Camera CLibcamera_Camera;

typedef struct CLibcamera_Table {
    uint32_t abi_version;
    uint32_t table_size;
    // The libcamera this plugin was compiled against.
    uint32_t built_major;
    uint32_t built_minor;
    uint32_t built_patch;
    // The libcamera that was loaded: "v0.4.0…". Static.
    const char *CLIBCAMERA_NONNULL (*CLIBCAMERA_NONNULL running_version)(void);

    // Starts libcamera and enumerates. One system per process: libcamera aborts on a second manager. The callbacks'
    // context must live until system_stop returns.
    CLibcamera_Status (*system_start)(
        const CLibcamera_SystemCallbacks *callbacks, CLibcamera_System *CLIBCAMERA_NULLABLE *CLIBCAMERA_NONNULL system,
        CLibcamera_Error *CLIBCAMERA_NULLABLE error);
    // Close its cameras first.
    void (*system_stop)(CLibcamera_System *system);
    CLibcamera_Status (*list)(
        CLibcamera_System *system, void *CLIBCAMERA_NULLABLE context,
        void (*camera)(void *CLIBCAMERA_NULLABLE context, const CLibcamera_Info *info),
        CLibcamera_Error *CLIBCAMERA_NULLABLE error);

    // Acquires the camera whose id is `id`. The callbacks' context must live until camera_close returns.
    CLibcamera_Status (*camera_open)(
        CLibcamera_System *system, const char *id, const CLibcamera_CameraCallbacks *callbacks,
        CLibcamera_Camera *CLIBCAMERA_NULLABLE *CLIBCAMERA_NONNULL camera, CLibcamera_Error *CLIBCAMERA_NULLABLE error);
    // Stops, frees buffers, releases; also after a disconnect.
    void (*camera_close)(CLibcamera_Camera *camera);
    // Ranges of controls are right only after camera_configure.
    CLibcamera_Status (*camera_describe)(
        CLibcamera_Camera *camera, const CLibcamera_Visitor *visitor, CLibcamera_Error *CLIBCAMERA_NULLABLE error);
    CLibcamera_Status (*camera_configure)(
        CLibcamera_Camera *camera, const CLibcamera_Configuration *configuration, CLibcamera_Granted *granted,
        CLibcamera_Error *CLIBCAMERA_NULLABLE error);
    // `skipped` gets the bits of controls the camera doesn't offer.
    CLibcamera_Status (*camera_start)(
        CLibcamera_Camera *camera, const CLibcamera_Controls *controls, uint32_t *skipped,
        CLibcamera_Error *CLIBCAMERA_NULLABLE error);
    // After it returns, no more frame callbacks come.
    CLibcamera_Status (*camera_stop)(CLibcamera_Camera *camera, CLibcamera_Error *CLIBCAMERA_NULLABLE error);
    // Goes with the next request.
    CLibcamera_Status (*camera_set_controls)(
        CLibcamera_Camera *camera, const CLibcamera_Controls *controls, uint32_t *skipped,
        CLibcamera_Error *CLIBCAMERA_NULLABLE error);
} CLibcamera_Table;

typedef const CLibcamera_Table *CLIBCAMERA_NULLABLE (*CLibcamera_TableFunction)(void);

// Whether a table fits this program and the libcamera that runs. Status: OK, WRONG_ABI.
CLibcamera_Status CLibcamera_check(const CLibcamera_Table *table, CLibcamera_Error *CLIBCAMERA_NULLABLE error);

// Loads the plugin at `path` and checks it. `table` is the plugin's and lives as long as the process: an accepted plugin is never unloaded,
// because libcamera keeps threads. Status: OK, NO_PLUGIN, WRONG_ABI.
CLibcamera_Status CLibcamera_load(
    const char *path, const CLibcamera_Table *CLIBCAMERA_NULLABLE *CLIBCAMERA_NONNULL table,
    CLibcamera_Error *CLIBCAMERA_NULLABLE error);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif

#ifdef __cplusplus
}
#endif
