// Controls: what is asked for, as this libcamera wants it. All that differs between versions is here and in CameraRun.cpp.
#include <algorithm>

#include "Camera.h"

using namespace libcamera;

// The header's numbers are libcamera's own.
static_assert(CLIBCAMERA_METER_SPOT == int(controls::MeteringSpot));
static_assert(CLIBCAMERA_METER_MATRIX == int(controls::MeteringMatrix));
static_assert(CLIBCAMERA_AF_AUTO == int(controls::AfModeAuto));
static_assert(CLIBCAMERA_AF_CONTINUOUS == int(controls::AfModeContinuous));
static_assert(CLIBCAMERA_RANGE_MACRO == int(controls::AfRangeMacro));
static_assert(CLIBCAMERA_RANGE_FULL == int(controls::AfRangeFull));
static_assert(CLIBCAMERA_DENOISE_MINIMAL == int(controls::draft::NoiseReductionModeMinimal));

Rectangle CLibcamera_Camera::largestCrop() const {
    if (const auto crop = camera->properties().get(properties::ScalerCropMaximum)) return *crop;
    const auto control = camera->controls().find(&controls::ScalerCrop);
    return control == camera->controls().end() ? Rectangle() : control->second.max().get<Rectangle>();
}

// What the frame shows at the present zoom: the stream's shape, centred, never fewer sensor pixels than the frame has.
Rectangle CLibcamera_Camera::shownCrop() {
    const Rectangle most = largestCrop();
    const Size &frame = stream().size;
    if (most.width == 0 || most.height == 0 || frame.width == 0 || frame.height == 0) return most;
    const double shape = std::min(double(most.width) / frame.width, double(most.height) / frame.height);
    const double scale = std::max(shape / std::max(zoom, 1.0), std::min(shape, 1.0));
    const unsigned int width = static_cast<unsigned int>(frame.width * scale);
    const unsigned int height = static_cast<unsigned int>(frame.height * scale);
    return Rectangle(
        most.x + static_cast<int>(most.width - width) / 2, most.y + static_cast<int>(most.height - height) / 2, width,
        height);
}

Rectangle CLibcamera_Camera::focusRectangle() {
    const Rectangle shown = shownCrop();
    return Rectangle(
        shown.x + static_cast<int>(window.x * shown.width), shown.y + static_cast<int>(window.y * shown.height),
        std::max(1u, static_cast<unsigned int>(window.width * shown.width)),
        std::max(1u, static_cast<unsigned int>(window.height * shown.height)));
}

// Adds what is asked for and offered; returns the bits of the rest. Asking for automatic loses nothing if nothing can be fixed.
uint32_t CLibcamera_Camera::add(ControlList &list, const CLibcamera_Controls &c) {
    uint32_t skipped = 0;
    const auto put = [&](const auto &control, const auto &value, uint32_t bit) {
        if (offers(control)) list.set(control, value);
        else skipped |= bit;
    };
    const auto wants = [&](uint32_t bit) { return (c.set & bit) != 0; };
    if (wants(CLIBCAMERA_EXPOSURE)) skipped |= addExposure(list, c.exposure_us);
    if (wants(CLIBCAMERA_GAIN)) skipped |= addGain(list, c.gain);
    if (wants(CLIBCAMERA_METERING)) put(controls::AeMeteringMode, c.metering, CLIBCAMERA_METERING);
    if (wants(CLIBCAMERA_FLICKER)) skipped |= addFlicker(list, c.flicker_us);
    if (wants(CLIBCAMERA_FRAME_DURATION)) {
        frameDurationMicroseconds = c.frame_duration_us;
        if (offers(controls::FrameDurationLimits))
            list.set(controls::FrameDurationLimits, {c.frame_duration_us, c.frame_duration_us});
        else skipped |= CLIBCAMERA_FRAME_DURATION;
    }
    if (wants(CLIBCAMERA_AF_MODE) && (offers(controls::AfMode) || c.af_mode != CLIBCAMERA_AF_MANUAL))
        put(controls::AfMode, c.af_mode, CLIBCAMERA_AF_MODE);
    if (wants(CLIBCAMERA_AF_RANGE)) put(controls::AfRange, c.af_range, CLIBCAMERA_AF_RANGE);
    if (wants(CLIBCAMERA_AF_SPEED)) put(controls::AfSpeed, c.af_speed, CLIBCAMERA_AF_SPEED);
    if (wants(CLIBCAMERA_LENS_POSITION)) put(controls::LensPosition, c.lens_position, CLIBCAMERA_LENS_POSITION);
    if (wants(CLIBCAMERA_ZOOM)) {
        // A configured camera has 1: it is sent only to take back another value.
        const bool isNews = c.zoom > 1 || zoom > 1;
        zoom = offers(controls::ScalerCrop) ? std::max(c.zoom, 1.0) : 1;
        if (isNews) put(controls::ScalerCrop, shownCrop(), CLIBCAMERA_ZOOM);
    }
    if (wants(CLIBCAMERA_AF_WINDOW)) window = c.af_window;
    // Focus windows are in sensor pixels and don't follow the crop: a new zoom moves them too.
    if (wants(CLIBCAMERA_AF_WINDOW) || (wants(CLIBCAMERA_ZOOM) && offers(controls::AfWindows))) {
        if (offers(controls::AfWindows) && offers(controls::AfMetering) && largestCrop().width > 0) {
            const Rectangle rectangle = focusRectangle();
            list.set(controls::AfMetering, static_cast<int32_t>(controls::AfMeteringWindows));
            list.set(controls::AfWindows, Span<const Rectangle>(&rectangle, 1));
        } else skipped |= CLIBCAMERA_AF_WINDOW;
    }
    if (wants(CLIBCAMERA_AF_TRIGGER)) put(controls::AfTrigger, c.af_trigger, CLIBCAMERA_AF_TRIGGER);
    if (wants(CLIBCAMERA_NOISE_REDUCTION))
        put(controls::draft::NoiseReductionMode, c.noise_reduction, CLIBCAMERA_NOISE_REDUCTION);
    if (wants(CLIBCAMERA_SHARPNESS)) put(controls::Sharpness, c.sharpness, CLIBCAMERA_SHARPNESS);
    return skipped;
}

// From 0.5 on a time counts only in its manual mode. Before, automatic exposure stays on, a time other than 0 fixes the
// shutter with automatic gain, and 0 gives it back.
uint32_t CLibcamera_Camera::addExposure(ControlList &list, int32_t microseconds) {
    const bool isFixed = microseconds != 0;
    if (isFixed && !offers(controls::ExposureTime)) return CLIBCAMERA_EXPOSURE;
#if LIBCAMERA_NUMBER >= 500
    if (offers(controls::ExposureTimeMode))
        list.set(
            controls::ExposureTimeMode,
            static_cast<int32_t>(isFixed ? controls::ExposureTimeModeManual : controls::ExposureTimeModeAuto));
    if (isFixed) list.set(controls::ExposureTime, microseconds);
#else
    if (offers(controls::AeEnable)) list.set(controls::AeEnable, true);
    if (isFixed || kept->exposureIsFixed) list.set(controls::ExposureTime, microseconds);
#endif
    kept->exposureIsFixed = isFixed;
    return 0;
}

uint32_t CLibcamera_Camera::addGain(ControlList &list, float gain) {
    const bool isFixed = gain > 0;
    if (isFixed && !offers(controls::AnalogueGain)) return CLIBCAMERA_GAIN;
#if LIBCAMERA_NUMBER >= 500
    if (offers(controls::AnalogueGainMode))
        list.set(
            controls::AnalogueGainMode,
            static_cast<int32_t>(isFixed ? controls::AnalogueGainModeManual : controls::AnalogueGainModeAuto));
    if (isFixed) list.set(controls::AnalogueGain, gain);
#else
    if (isFixed || kept->gainIsFixed) list.set(controls::AnalogueGain, gain);
#endif
    kept->gainIsFixed = isFixed;
    return 0;
}

uint32_t CLibcamera_Camera::addFlicker([[maybe_unused]] ControlList &list, int32_t period) {
#if LIBCAMERA_NUMBER >= 200
    if (offers(controls::AeFlickerMode)) {
        const auto &offered = camera->controls().at(&controls::AeFlickerMode).values();
        const int32_t mode = period == 0 ? controls::FlickerOff
            : period < 0                 ? controls::FlickerAuto
                                         : controls::FlickerManual;
        bool isOffered = offered.empty();
        for (const ControlValue &value : offered) isOffered = isOffered || value.get<int32_t>() == mode;
        if (!isOffered) return CLIBCAMERA_FLICKER;
        list.set(controls::AeFlickerMode, mode);
        if (period > 0 && offers(controls::AeFlickerPeriod)) list.set(controls::AeFlickerPeriod, period);
        return 0;
    }
#endif
    return period == 0 ? 0 : CLIBCAMERA_FLICKER;
}
