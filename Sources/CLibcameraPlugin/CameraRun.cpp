// Configuring, starting and stopping a camera, and the slots in which its frames arrive.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>

#include "Camera.h"

using namespace libcamera;
using namespace plugin;

namespace {

// Best first.
const std::vector<LumaFormat> &lumaFormats() {
    static const std::vector<LumaFormat> all = {
        {formats::YUV420, 1, 0}, {formats::NV12, 1, 0},   {formats::NV21, 1, 0},
        {formats::YVU420, 1, 0}, {formats::YUV422, 1, 0}, {formats::NV16, 1, 0},
        {formats::R8, 1, 0},     {formats::YUYV, 2, 0},   {formats::UYVY, 2, 1},
    };
    return all;
}

// The station decodes it; nothing in here looks into a frame.
const std::vector<LumaFormat> &jpegFormats() {
    static const std::vector<LumaFormat> all = {{formats::MJPEG, 0, 0}};
    return all;
}

const std::vector<LumaFormat> &wantedFormats(CLibcamera_FormatKind kind) {
    return kind == CLIBCAMERA_FORMAT_JPEG ? jpegFormats() : lumaFormats();
}

const LumaFormat *find(const std::vector<LumaFormat> &all, const PixelFormat &format) {
    for (const LumaFormat &luma : all)
        if (luma.format == format) return &luma;
    return nullptr;
}

static void addMetadata(Request *request, CLibcamera_Frame &frame) {
    const auto &metadata = request->metadata();
    const auto take = [&](const auto &control, auto &field, uint32_t bit) {
        if (const auto value = metadata.get(control)) {
            field = *value;
            frame.has |= bit;
        }
    };
    take(controls::SensorTimestamp, frame.timestamp_ns, CLIBCAMERA_HAS_TIMESTAMP);
    take(controls::ExposureTime, frame.exposure_us, CLIBCAMERA_HAS_EXPOSURE);
    take(controls::AnalogueGain, frame.gain, CLIBCAMERA_HAS_GAIN);
    take(controls::Lux, frame.lux, CLIBCAMERA_HAS_LUX);
    take(controls::FocusFoM, frame.focus_fom, CLIBCAMERA_HAS_FOCUS_FOM);
    take(controls::AfState, frame.af_state, CLIBCAMERA_HAS_AF_STATE);
    take(controls::LensPosition, frame.lens_position, CLIBCAMERA_HAS_LENS_POSITION);
}

}  // namespace

CLibcamera_Status CLibcamera_Camera::configure(
    const CLibcamera_Configuration &wanted, CLibcamera_Granted &granted, CLibcamera_Error *error) {
    if (isRunning) return fail(error, CLIBCAMERA_WRONG_STATE, "stop the camera before configuring it");
    freeBuffers();
    configuration = camera->generateConfiguration({StreamRole::VideoRecording});
    if (!configuration || configuration->empty())
        configuration = camera->generateConfiguration({StreamRole::Viewfinder});
    if (!configuration || configuration->empty()) return fail(error, CLIBCAMERA_REJECTED, "no video stream is offered");

    const std::vector<PixelFormat> offered = stream().formats().pixelformats();
    std::string names;
    for (const PixelFormat &format : offered) names += (names.empty() ? "" : " ") + format.toString();
    const std::vector<LumaFormat> &wantedAll = wantedFormats(wanted.format);
    const LumaFormat *chosen = nullptr;
    for (const LumaFormat &luma : wantedAll)
        for (const PixelFormat &format : offered)
            if (!chosen && format == luma.format) chosen = &luma;
    if (chosen) stream().pixelFormat = chosen->format;
    else if (!offered.empty()) return fail(error, CLIBCAMERA_NO_LUMA, names);
    stream().size = Size(wanted.size.width, wanted.size.height);
    if (wanted.buffers > 0) stream().bufferCount = wanted.buffers;
#if LIBCAMERA_NUMBER >= 200
    if (wanted.sensor_size.width > 0) {
        SensorConfiguration sensor;
        sensor.outputSize = Size(wanted.sensor_size.width, wanted.sensor_size.height);
        sensor.bitDepth = wanted.sensor_bit_depth;
        configuration->sensorConfig = sensor;
    }
#endif
    if (configuration->validate() == CameraConfiguration::Invalid) {
        configuration.reset();
        return fail(error, CLIBCAMERA_REJECTED, "size, format or sensor mode is not offered");
    }
    chosen = find(wantedAll, stream().pixelFormat);
    if (!chosen) return fail(error, CLIBCAMERA_NO_LUMA, names.empty() ? stream().pixelFormat.toString() : names);
    luma = *chosen;
    const int code = camera->configure(configuration.get());
    if (code < 0) {
        configuration.reset();
        return failErrno(error, "configuring the camera", code, CLIBCAMERA_REJECTED);
    }
    bufferKind = wanted.buffer_kind;
    zoom = 1;

    grant(granted);
    return CLIBCAMERA_OK;
}

void CLibcamera_Camera::grant(CLibcamera_Granted &granted) {
    granted = {};
    granted.size = plain(stream().size);
    granted.stride = stream().stride;
    granted.pixel_stride = luma.pixelStride;
    granted.buffers = stream().bufferCount;
    granted.buffer_bytes = stream().frameSize;
#if LIBCAMERA_NUMBER >= 200
    if (configuration->sensorConfig) {
        granted.sensor_size = plain(configuration->sensorConfig->outputSize);
        granted.sensor_bit_depth = configuration->sensorConfig->bitDepth;
    }
#endif
    const Rectangle crop = largestCrop();
    granted.field = {crop.x, crop.y, crop.width, crop.height};
    if (const auto size = camera->properties().get(properties::PixelArraySize)) granted.pixel_array = plain(*size);
    if (const auto areas = camera->properties().get(properties::PixelArrayActiveAreas))
        if (!areas->empty()) granted.pixel_array = plain((*areas)[0].size());
    if (offers(controls::FrameDurationLimits)) {
        const ControlValue &least = camera->controls().at(&controls::FrameDurationLimits).min();
        if (least.type() == ControlTypeInteger64 && !least.isArray()) granted.shortest_frame_us = least.get<int64_t>();
    } else {
        granted.shortest_frame_us = nodeFrameDuration();
    }
    if (offers(controls::AnalogueGain)) {
        const ControlValue &least = camera->controls().at(&controls::AnalogueGain).min();
        if (least.type() == ControlTypeFloat) granted.lowest_gain = least.get<float>();
    }
    snprintf(granted.format, sizeof granted.format, "%s", stream().pixelFormat.toString().c_str());
}

CLibcamera_Status CLibcamera_Camera::start(
    const CLibcamera_Controls &controls, uint32_t &skipped, CLibcamera_Error *error) {
    if (!configuration || isRunning) return fail(error, CLIBCAMERA_WRONG_STATE, "start needs a configured camera");
    const CLibcamera_Status status = allocate(error);
    if (status != CLIBCAMERA_OK) return status;
    requests.clear();
    for (const auto &entry : mappings) {
        std::unique_ptr<Request> request = camera->createRequest();
        if (!request) return fail(error, CLIBCAMERA_NO_MEMORY, "the camera creates no request");
        const int code = request->addBuffer(stream().stream(), const_cast<FrameBuffer *>(entry.first));
        if (code < 0) return failErrno(error, "adding a buffer", code, CLIBCAMERA_FAILED);
        requests.push_back(std::move(request));
    }
    pending = ControlList(camera->controls());
    ControlList initial(camera->controls());
    skipped = add(initial, controls);
    isStopping = hasFaulted = false;
    int code = camera->start(&initial);
    if (code < 0) return failErrno(error, "starting the camera", code, CLIBCAMERA_FAILED);
    isRunning = true;
    for (const auto &request : requests) {
        code = camera->queueRequest(request.get());
        if (code < 0) {
            stop(nullptr);
            return failErrno(error, "queueing a request", code, CLIBCAMERA_FAILED);
        }
    }
    return CLIBCAMERA_OK;
}

CLibcamera_Status CLibcamera_Camera::stop(CLibcamera_Error *error) {
    if (!isRunning) return CLIBCAMERA_OK;
    {
        // A slot that is about to queue a request does so before the camera hears of the stop, the next ones not at all: a
        // request that arrives at a stopped camera would be completed after `requests` is gone. Not held during the stop, whose
        // slots run on the thread it waits for.
        const std::lock_guard<std::mutex> lock(mutex);
        isStopping = true;
    }
    const int code = camera->stop();
    isRunning = false;
    requests.clear();
    return code < 0 ? failErrno(error, "stopping the camera", code, CLIBCAMERA_FAILED) : CLIBCAMERA_OK;
}

void CLibcamera_Camera::close() {
    stop(nullptr);
    camera->requestCompleted.disconnect(this);
    camera->disconnected.disconnect(this);
    freeBuffers();
    camera->release();
    camera.reset();
}

void CLibcamera_Camera::disconnected() {
    callbacks.event(callbacks.context, CLIBCAMERA_EVENT_DISCONNECTED, "disconnected");
}

void CLibcamera_Camera::fault(const char *text) {
    if (!isStopping && !hasFaulted.exchange(true)) callbacks.event(callbacks.context, CLIBCAMERA_EVENT_FAULT, text);
}

void CLibcamera_Camera::completed(Request *request) noexcept {
    try {
        // Never queue a cancelled request again: it would be cancelled at once, forever.
        if (request->status() == Request::RequestCancelled) return fault("the camera cancelled its requests");
        if (request->status() != Request::RequestComplete || isStopping) return;
        deliver(request);
        if (bufferKind == CLIBCAMERA_BUFFERS_MEMFD) pace();
        int code = 0;
        {
            const std::lock_guard<std::mutex> lock(mutex);
            if (isStopping) return;
            request->reuse(Request::ReuseBuffers);
            request->controls().merge(pending);
            pending.clear();
            code = camera->queueRequest(request);
        }
        if (code < 0) fault("the camera takes no more requests");
    } catch (...) {
        fault("an exception while taking a frame");
    }
}

// The virtual pipeline delivers as fast as it gets requests back, hundreds a second: hold this one until it is due.
void CLibcamera_Camera::pace() {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t nanoseconds = int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
    paceNanoseconds = std::max(paceNanoseconds + frameDurationMicroseconds * 1000, nanoseconds);
    const timespec due = {time_t(paceNanoseconds / 1000000000), long(paceNanoseconds % 1000000000)};
    while (!isStopping && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr) == EINTR) {}
}

void CLibcamera_Camera::deliver(Request *request) {
    const FrameBuffer *buffer = request->buffers().begin()->second;
    const auto mapping = mappings.find(buffer);
    if (mapping == mappings.end()) return;
    CLibcamera_Frame frame = {};
#if LIBCAMERA_NUMBER >= 400 && LIBCAMERA_NUMBER < 500
    frame.sequence = request->sequence();  // 0.4's virtual pipeline leaves the buffer's metadata uninitialised
#else
    if (buffer->metadata().status == FrameMetadata::FrameError)
        return callbacks.event(callbacks.context, CLIBCAMERA_EVENT_FRAME_ERROR, "the camera delivered a damaged frame");
    frame.sequence = buffer->metadata().sequence;
#endif
    const StreamConfiguration &cfg = stream();
    const auto &plane = buffer->planes()[0];
    const size_t offset = plane.offset == FrameBuffer::Plane::kInvalidOffset ? 0 : plane.offset;
    frame.data = mapping->second.base() + offset + luma.firstByte;
    if (luma.pixelStride == 0) {
        // What the webcam sent, which is less than the buffer holds: as the kernel counted it.
        const auto &used = buffer->metadata().planes();
        frame.jpeg_bytes = used.empty() ? 0 : std::min(used[0].bytesused, plane.length);
        if (frame.jpeg_bytes == 0)
            return callbacks.event(
                callbacks.context, CLIBCAMERA_EVENT_FRAME_ERROR, "the camera delivered an empty frame");
    }
    frame.width = cfg.size.width;
    frame.height = cfg.size.height;
    frame.stride = cfg.stride;
    frame.pixel_stride = luma.pixelStride;
    addMetadata(request, frame);
    mapping->second.beginReading();
    callbacks.frame(callbacks.context, &frame);
    mapping->second.endReading();
}
