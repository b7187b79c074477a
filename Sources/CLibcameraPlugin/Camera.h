// The plugin's camera, shared by its sources. See CLibcameraPlugin.cpp for threads and states.
#pragma once
#include <libcamera/libcamera.h>
#include <libcamera/version.h>

#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "CLibcamera.h"

#define LIBCAMERA_NUMBER (LIBCAMERA_VERSION_MAJOR * 10000 + LIBCAMERA_VERSION_MINOR * 100 + LIBCAMERA_VERSION_PATCH)

namespace plugin {

inline CLibcamera_Status fail(CLibcamera_Error *error, CLibcamera_Status status, const std::string &text) {
    if (error) snprintf(error->text, sizeof error->text, "%s", text.c_str());
    return status;
}

// A negative errno of libcamera as a status.
inline CLibcamera_Status failErrno(CLibcamera_Error *error, const char *what, int code, CLibcamera_Status otherwise) {
    const std::string text = std::string(what) + ": " + strerror(-code);
    switch (code) {
    case -EBUSY: return fail(error, CLIBCAMERA_BUSY, text);
    case -ENODEV: return fail(error, CLIBCAMERA_DISCONNECTED, text);
    case -ENOMEM: return fail(error, CLIBCAMERA_NO_MEMORY, text);
    default: return fail(error, otherwise, text);
    }
}

// No exception leaves the plugin.
template <typename Body>
CLibcamera_Status guarded(CLibcamera_Error *error, Body body) noexcept {
    try {
        return body();
    } catch (const std::exception &exception) {
        return fail(error, CLIBCAMERA_FAILED, exception.what());
    } catch (...) {
        return fail(error, CLIBCAMERA_FAILED, "unknown C++ exception");
    }
}

// A format whose luma can be used in place; packed ones have it in every second byte. With a pixel stride of 0, each frame is a
// JPEG file.
struct LumaFormat {
    libcamera::PixelFormat format;
    unsigned int pixelStride;
    unsigned int firstByte;
};

inline CLibcamera_Size plain(const libcamera::Size &size) { return {size.width, size.height}; }

// What a camera's image processing remembers for as long as its manager lives, over stop, close and open: before 0.5 a fixed
// exposure or gain stays until it is taken back.
struct Kept {
    bool exposureIsFixed = false;
    bool gainIsFixed = false;
};

// The readable memory of one buffer.
class Mapping {
public:
    Mapping() = default;
    Mapping(const Mapping &) = delete;
    Mapping &operator=(const Mapping &) = delete;
    ~Mapping();

    bool map(int descriptor, size_t bytes);
    // Brackets reading by the CPU: cache maintenance of a dma-buf.
    void beginReading() const;
    void endReading() const;
    const uint8_t *base() const { return base_; }

private:
    void sync(uint64_t flags) const;

    uint8_t *base_ = nullptr;
    size_t length_ = 0;
    int descriptor_ = -1;  // the buffer's; not ours to close
};

}  // namespace plugin

struct CLibcamera_Camera {
    CLibcamera_CameraCallbacks callbacks = {};
    std::shared_ptr<libcamera::Camera> camera;
    std::unique_ptr<libcamera::CameraConfiguration> configuration;
    CLibcamera_BufferKind bufferKind = CLIBCAMERA_BUFFERS_AUTOMATIC;
    plugin::LumaFormat luma = {};
    // Destroyed in the order in which they depend on each other: requests, mappings, buffers.
    std::unique_ptr<libcamera::FrameBufferAllocator> allocator;
    std::vector<std::unique_ptr<libcamera::FrameBuffer>> ownBuffers;
    std::map<const libcamera::FrameBuffer *, plugin::Mapping> mappings;
    std::vector<std::unique_ptr<libcamera::Request>> requests;
    bool isRunning = false;
    plugin::Kept *kept = nullptr;  // the system's
    double zoom = 1;
    CLibcamera_Window window = {0, 0, 1, 1};
    std::atomic<bool> isStopping = false;
    std::atomic<bool> hasFaulted = false;
    std::atomic<int64_t> frameDurationMicroseconds = 0;
    int64_t paceNanoseconds = 0;  // when the next frame of an unpaced pipeline is due; libcamera's thread only
    // Held from the look at `isStopping` until a request is queued, so that none is queued behind a stop.
    std::mutex mutex;
    libcamera::ControlList pending;  // guarded by `mutex`

    // By address: looked up by number, a control counts as soon as its id is known, offered or not.
    template <typename T>
    bool offers(const libcamera::Control<T> &control) const {
        return camera->controls().count(&control) != 0;
    }

    libcamera::StreamConfiguration &stream() { return configuration->at(0); }

    // CameraRun.cpp
    CLibcamera_Status configure(
        const CLibcamera_Configuration &wanted, CLibcamera_Granted &granted, CLibcamera_Error *error);
    CLibcamera_Status start(const CLibcamera_Controls &controls, uint32_t &skipped, CLibcamera_Error *error);
    CLibcamera_Status stop(CLibcamera_Error *error);
    void close();
    // Slots, on libcamera's thread.
    void disconnected();
    void completed(libcamera::Request *request) noexcept;

    // CameraControls.cpp
    // Adds what is asked for and offered; returns the bits of the rest.
    uint32_t add(libcamera::ControlList &list, const CLibcamera_Controls &controls);
    // The largest crop the sensor mode allows, in pixels of the sensor's array; empty where unknown.
    libcamera::Rectangle largestCrop() const;

    // VideoNode.cpp
    // The frame duration that the kernel's driver has set for the stream as configured, in microseconds; 0 where unknown.
    int64_t nodeFrameDuration() const;

    // CameraBuffers.cpp
    // Does nothing when there are buffers already.
    CLibcamera_Status allocate(CLibcamera_Error *error);
    void freeBuffers();

private:
    void fault(const char *text);
    void deliver(libcamera::Request *request);
    void pace();
    void grant(CLibcamera_Granted &granted);
    libcamera::Rectangle shownCrop();
    libcamera::Rectangle focusRectangle();
    uint32_t addExposure(libcamera::ControlList &list, int32_t microseconds);
    uint32_t addGain(libcamera::ControlList &list, float gain);
    uint32_t addFlicker(libcamera::ControlList &list, int32_t period);
    std::unique_ptr<libcamera::FrameBuffer> makeBuffer(int heap);
    bool allocateOwn();
};
