// What the kernel's driver says about a camera and libcamera doesn't pass on.
#include <fcntl.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

#include "Camera.h"

using namespace libcamera;
using namespace plugin;

#if LIBCAMERA_NUMBER >= 200

namespace {

int64_t frameDuration(dev_t device) {
    const std::string path = "/dev/char/" + std::to_string(major(device)) + ":" + std::to_string(minor(device));
    const int node = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (node < 0) return 0;
    v4l2_streamparm parameters = {};
    parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    int code = 0;
    while ((code = ioctl(node, VIDIOC_G_PARM, &parameters)) < 0 && errno == EINTR) {}
    ::close(node);
    const v4l2_fract &duration = parameters.parm.capture.timeperframe;
    if (code < 0 || duration.denominator == 0) return 0;
    return int64_t(duration.numerator) * 1000000 / duration.denominator;
}

}  // namespace

// Webcams: libcamera leaves the frame rate as the driver has it for this format and size. Asking the driver doesn't require holding it.
int64_t CLibcamera_Camera::nodeFrameDuration() const {
    const auto devices = camera->properties().get(properties::SystemDevices);
    if (!devices) return 0;
    // A webcam has a node for metadata, too, which has no frame rate.
    for (const int64_t device : *devices)
        if (const int64_t duration = frameDuration(dev_t(device))) return duration;
    return 0;
}

#else

int64_t CLibcamera_Camera::nodeFrameDuration() const { return 0; }

#endif
