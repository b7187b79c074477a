// libcamera behind the function table of CLibcamera.h. A device can rebuild the plugin with one command:
//
//   g++ -std=c++17 -O2 -shared -fPIC -I ../CLibcamera/include -I include *.cpp
//       $(pkg-config --cflags --libs libcamera) -o libscanstation-libcamera.so
//
// Written for libcamera 0.0.3 to 0.7; what differs is told apart by LIBCAMERA_NUMBER and nowhere else. Threads: the table's
// functions run on the station's capture thread, the slots `completed` and `disconnected` on libcamera's. They share
// `pending` (under `mutex`) and the atomics; all else belongs to the capture thread and changes only while stopped.
//
//   opened ──configure──▶ configured ──start──▶ running ──stop──▶ configured ──close──▶ gone
//                          ▲ configure again │     (close works from every state, also after a disconnect)
//                          └─────────────────┘
#include "CLibcameraPlugin.h"

#include "Camera.h"

using namespace libcamera;
using namespace plugin;

struct CLibcamera_System {
    CLibcamera_SystemCallbacks callbacks = {};
    std::unique_ptr<CameraManager> manager;
    std::map<std::string, Kept> kept;  // by the camera's id

    void added(std::shared_ptr<Camera> camera) { callbacks.added(callbacks.context, camera->id().c_str()); }
    void removed(std::shared_ptr<Camera> camera) { callbacks.removed(callbacks.context, camera->id().c_str()); }
};

namespace {

std::atomic<bool> systemExists = false;

// Bits a sample of a raw Bayer or mono format ("SRGGB10_CSI2P", "R12"); 0 for everything else. R8 is left out: it is also
// what infrared webcams deliver.
unsigned int rawBitDepth(const std::string &name) {
    const size_t letters = name.find_first_of("0123456789");
    if (letters == std::string::npos) return 0;
    const bool isBayer = letters == 5 && name[0] == 'S' && name.find_first_not_of("RGB", 1) >= letters;
    const bool isMono = letters == 1 && name[0] == 'R';
    const unsigned int bits = static_cast<unsigned int>(std::strtoul(name.c_str() + letters, nullptr, 10));
    if (isBayer) return bits;
    return isMono && bits > 8 ? bits : 0;
}

const char *runningVersion() { return CameraManager::version().c_str(); }

CLibcamera_Status systemStart(
    const CLibcamera_SystemCallbacks *callbacks, CLibcamera_System **system, CLibcamera_Error *error) {
    *system = nullptr;
    if (systemExists.exchange(true))
        return fail(error, CLIBCAMERA_WRONG_STATE, "libcamera is in use already in this process");
    const CLibcamera_Status status = guarded(error, [&] {
        auto made = std::make_unique<CLibcamera_System>();
        made->callbacks = *callbacks;
        made->manager = std::make_unique<CameraManager>();
        const int code = made->manager->start();
        if (code < 0) return failErrno(error, "starting libcamera", code, CLIBCAMERA_FAILED);
        made->manager->cameraAdded.connect(made.get(), &CLibcamera_System::added);
        made->manager->cameraRemoved.connect(made.get(), &CLibcamera_System::removed);
        *system = made.release();
        return CLIBCAMERA_OK;
    });
    if (status != CLIBCAMERA_OK) systemExists = false;
    return status;
}

void systemStop(CLibcamera_System *system) {
    guarded(nullptr, [&] {
        const std::unique_ptr<CLibcamera_System> owned(system);
        owned->manager->cameraAdded.disconnect(system);
        owned->manager->cameraRemoved.disconnect(system);
        owned->manager->stop();
        return CLIBCAMERA_OK;
    });
    systemExists = false;
}

CLibcamera_Status list(
    CLibcamera_System *system, void *context, void (*visit)(void *, const CLibcamera_Info *), CLibcamera_Error *error) {
    return guarded(error, [&] {
        for (const std::shared_ptr<Camera> &camera : system->manager->cameras()) {
            const ControlList &properties = camera->properties();
            const auto modelProperty = properties.get(properties::Model);
            const std::string model = modelProperty ? std::string(*modelProperty) : std::string();
            CLibcamera_Info info = {};
            info.id = camera->id().c_str();
            info.model = model.c_str();
            switch (properties.get(properties::Location).value_or(-1)) {
            case properties::CameraLocationFront: info.location = "front"; break;
            case properties::CameraLocationBack: info.location = "back"; break;
            case properties::CameraLocationExternal: info.location = "external"; break;
            default: info.location = ""; break;
            }
            info.rotation = properties.get(properties::Rotation).value_or(0);
            if (const auto size = properties.get(properties::PixelArraySize)) info.pixel_array = plain(*size);
            visit(context, &info);
        }
        return CLIBCAMERA_OK;
    });
}

CLibcamera_Status cameraOpen(
    CLibcamera_System *system, const char *id, const CLibcamera_CameraCallbacks *callbacks, CLibcamera_Camera **camera,
    CLibcamera_Error *error) {
    *camera = nullptr;
    return guarded(error, [&] {
        auto made = std::make_unique<CLibcamera_Camera>();
        made->callbacks = *callbacks;
        made->kept = &system->kept[id];
        made->camera = system->manager->get(std::string(id));
        if (!made->camera) return fail(error, CLIBCAMERA_NOT_FOUND, std::string("no camera ") + id);
        const int code = made->camera->acquire();
        if (code < 0) return failErrno(error, "acquiring the camera", code, CLIBCAMERA_FAILED);
        made->camera->requestCompleted.connect(made.get(), &CLibcamera_Camera::completed);
        made->camera->disconnected.connect(made.get(), &CLibcamera_Camera::disconnected);
        *camera = made.release();
        return CLIBCAMERA_OK;
    });
}

void cameraClose(CLibcamera_Camera *camera) {
    guarded(nullptr, [&] {
        const std::unique_ptr<CLibcamera_Camera> owned(camera);
        owned->close();
        return CLIBCAMERA_OK;
    });
}

CLibcamera_Status cameraDescribe(
    CLibcamera_Camera *camera, const CLibcamera_Visitor *visitor, CLibcamera_Error *error) {
    return guarded(error, [&] {
        const auto visitFormats = [&](StreamRole role, auto visit) {
            const auto configuration = camera->camera->generateConfiguration({role});
            if (!configuration || configuration->empty()) return;
            const StreamFormats &offered = configuration->at(0).formats();
            for (const PixelFormat &format : offered.pixelformats()) visit(offered, format);
        };
        visitFormats(StreamRole::VideoRecording, [&](const StreamFormats &offered, const PixelFormat &format) {
            if (!visitor->format) return;
            const std::string name = format.toString();
            const SizeRange range = offered.range(format);
            if (range.hStep != 0)
                return visitor->format(visitor->context, name.c_str(), plain(range.min), plain(range.max), 1);
            for (const Size &size : offered.sizes(format))
                visitor->format(visitor->context, name.c_str(), plain(size), plain(size), 0);
        });
        visitFormats(StreamRole::Raw, [&](const StreamFormats &offered, const PixelFormat &format) {
            const std::string name = format.toString();
            const unsigned int bits = rawBitDepth(name);
            if (!visitor->sensor_mode || bits == 0) return;
            for (const Size &size : offered.sizes(format))
                visitor->sensor_mode(visitor->context, name.c_str(), plain(size), bits);
        });
        for (const auto &control : camera->camera->controls())
            if (visitor->control)
                visitor->control(visitor->context, control.first->name().c_str(), control.second.toString().c_str());
        return CLIBCAMERA_OK;
    });
}

CLibcamera_Status cameraConfigure(
    CLibcamera_Camera *camera, const CLibcamera_Configuration *wanted, CLibcamera_Granted *granted,
    CLibcamera_Error *error) {
    return guarded(error, [&] { return camera->configure(*wanted, *granted, error); });
}

CLibcamera_Status cameraStart(
    CLibcamera_Camera *camera, const CLibcamera_Controls *controls, uint32_t *skipped, CLibcamera_Error *error) {
    return guarded(error, [&] { return camera->start(*controls, *skipped, error); });
}

CLibcamera_Status cameraStop(CLibcamera_Camera *camera, CLibcamera_Error *error) {
    return guarded(error, [&] { return camera->stop(error); });
}

CLibcamera_Status cameraSetControls(
    CLibcamera_Camera *camera, const CLibcamera_Controls *controls, uint32_t *skipped, CLibcamera_Error *error) {
    return guarded(error, [&] {
        *skipped = 0;
        if (!camera->isRunning) return fail(error, CLIBCAMERA_WRONG_STATE, "the camera isn't running");
        const std::lock_guard<std::mutex> lock(camera->mutex);
        *skipped = camera->add(camera->pending, *controls);
        return CLIBCAMERA_OK;
    });
}

// clang-format off
const CLibcamera_Table table = {
    CLIBCAMERA_ABI_VERSION, sizeof(CLibcamera_Table),
    LIBCAMERA_VERSION_MAJOR, LIBCAMERA_VERSION_MINOR, LIBCAMERA_VERSION_PATCH,
    runningVersion, systemStart, systemStop, list,
    cameraOpen, cameraClose, cameraDescribe, cameraConfigure, cameraStart, cameraStop, cameraSetControls,
};
// clang-format on

}  // namespace

extern "C" const CLibcamera_Table *CLibcameraPlugin_table(void) { return &table; }
