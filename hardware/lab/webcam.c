// A USB webcam without a webcam: plays a UVC 1.0 device through the kernel's raw gadget interface, for the host controller that
// dummy_hcd connects to it. uvcvideo drives it as any other webcam, so libcamera, too. To plug it in is to start this program;
// to unplug it is to end it. Video goes through a bulk endpoint, as dummy_hcd has no isochronous ones.
//
//   webcam FRAMES…                    each a file of 640 x 480 pixels YUYV; they are shown in turn, ten frames a second
//   webcam --mjpeg [--cut N] FRAMES…  each a JPEG file of that size; of every Nth frame, the second half gets lost
//   webcam --both FRAMES…             JPEG files, too; YUYV is offered, but twice a second only, and isn't there

#define _GNU_SOURCE
#include <linux/usb/ch9.h>
#include <linux/usb/raw_gadget.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { width = 640, height = 480, frame_bytes = width * height * 2 };
enum { interval_100ns = 1000000, slow_interval_100ns = 5 * interval_100ns, shows_each = 10 };
// What precedes each frame on the wire: the header's length, and its flags.
enum { header_bytes = 2, payload_bytes = header_bytes + frame_bytes };
enum { endpoint_address = 0x81, bulk_packet = 512 };
// The raw gadget interface takes no more at once than a page.
enum { chunk_bytes = 4096 };

#define LE16(value) (value) & 255, (value) >> 8
#define LE32(value) (value) & 255, ((value) >> 8) & 255, ((value) >> 16) & 255, ((value) >> 24) & 255

static const uint8_t device_descriptor[] = {
    18, USB_DT_DEVICE, LE16(0x0200), 0xef, 2, 1, 64, LE16(0x1d6b), LE16(0x0102), LE16(0x0100), 1, 2, 3, 1,
};

static const uint8_t qualifier_descriptor[] = {
    10, USB_DT_DEVICE_QUALIFIER, LE16(0x0200), 0xef, 2, 1, 64, 1, 0,
};

// USB Video Class 1.0, chapter 3: an interface that controls (camera to output), and one that streams (one size of each format).
// What the formats decide is written into the places that are named below.
// clang-format off
static const uint8_t configuration_head[] = {
    9, USB_DT_CONFIG, LE16(0), 2, 1, 0, 0x80, 50,
    8, USB_DT_INTERFACE_ASSOCIATION, 0, 2, 0x0e, 3, 0, 2,
    9, USB_DT_INTERFACE, 0, 0, 0, 0x0e, 1, 0, 2,
    13, 0x24, 1, LE16(0x0100), LE16(13 + 17 + 9), LE32(48000000), 1, 1,
    17, 0x24, 2, 1, LE16(0x0201), 0, 0, LE16(0), LE16(0), LE16(0), 2, 0, 0,
    9, 0x24, 3, 2, LE16(0x0101), 0, 1, 0,
    9, USB_DT_INTERFACE, 1, 0, 1, 0x0e, 2, 0, 0,
};
// clang-format on
enum { configuration_length_at = 2 };

static const uint8_t configuration_tail[] = {
    7, USB_DT_ENDPOINT, endpoint_address, USB_ENDPOINT_XFER_BULK, LE16(bulk_packet), 0,
};

// Chapter 3.9.2.1, and the payload documents of the two formats; in each, the format's number is the byte behind the type.
static const uint8_t input_header[] = { 0, 0x24, 1, 0, LE16(0), endpoint_address, 0, 2, 0, 0, 0, 1 };
static const uint8_t yuyv_format[] = {
    27, 0x24, 4, 0, 1, 'Y', 'U', 'Y', '2', 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71, 16, 1, 0, 0, 0, 0,
};
static const uint8_t mjpeg_format[] = { 11, 0x24, 6, 0, 1, 0, 1, 0, 0, 0, 0 };
static const uint8_t colours[] = { 6, 0x24, 13, 1, 1, 4 };

enum { yuyv_frame = 5, mjpeg_frame = 7, most_formats = 2 };

// What this webcam is.
static struct format {
    const uint8_t *descriptor;
    uint8_t frame_type;
    uint32_t interval_100ns;
} formats[most_formats];
static int format_count;
static bool is_jpeg;
static unsigned cut_every;

static uint8_t configuration_descriptor[256];
static int configuration_bytes;

static void append(const uint8_t *bytes, int count)
{
    memcpy(configuration_descriptor + configuration_bytes, bytes, (size_t)count);
    configuration_bytes += count;
}

static void offer(const uint8_t *descriptor, uint8_t frame_type, uint32_t interval)
{
    formats[format_count++] = (struct format){ descriptor, frame_type, interval };
}

static void describe(void)
{
    append(configuration_head, sizeof configuration_head);
    int header = configuration_bytes;
    append(input_header, sizeof input_header);
    for (int number = 0; number < format_count; number++) configuration_descriptor[configuration_bytes++] = 0;
    configuration_descriptor[header] = (uint8_t)(configuration_bytes - header);
    configuration_descriptor[header + 3] = (uint8_t)format_count;
    for (int number = 0; number < format_count; number++) {
        const struct format *format = &formats[number];
        append(format->descriptor, format->descriptor[0]);
        configuration_descriptor[configuration_bytes - format->descriptor[0] + 3] = (uint8_t)(number + 1);
        const uint32_t bits = frame_bytes * 8u * (10000000u / format->interval_100ns);
        // clang-format off
        const uint8_t frame[] = {
            30, 0x24, format->frame_type, 1, 0, LE16(width), LE16(height), LE32(bits), LE32(bits), LE32(frame_bytes),
            LE32(format->interval_100ns), 1, LE32(format->interval_100ns),
        };
        // clang-format on
        append(frame, sizeof frame);
        append(colours, sizeof colours);
    }
    const int streaming = configuration_bytes - header;
    configuration_descriptor[header + 4] = (uint8_t)(streaming & 255);
    configuration_descriptor[header + 5] = (uint8_t)(streaming >> 8);
    append(configuration_tail, sizeof configuration_tail);
    configuration_descriptor[configuration_length_at] = (uint8_t)(configuration_bytes & 255);
    configuration_descriptor[configuration_length_at + 1] = (uint8_t)(configuration_bytes >> 8);
}

static const char *const strings[] = { "", "ScanStation", "Lab webcam", "1" };

// The probe and commit control of UVC 1.0, table 4-47: 26 bytes. The third is the format's number.
enum { control_bytes = 26, control_format_at = 2 };
static int format_number = 1;

static void fill_control(uint8_t *data, int number)
{
    const uint32_t interval = formats[number - 1].interval_100ns;
    // clang-format off
    const uint8_t control[control_bytes] = {
        LE16(1), (uint8_t)number, 1, LE32(interval), LE16(0), LE16(0), LE16(0), LE16(0), LE16(0), LE32(frame_bytes),
        LE32(payload_bytes),
    };
    // clang-format on
    memcpy(data, control, sizeof control);
}

struct transfer {
    struct usb_raw_ep_io io;
    uint8_t data[chunk_bytes];
};

static int gadget;
static int endpoint = -1;
struct frame {
    uint8_t *bytes;
    int count;
};
static struct frame *frames;
static int frame_count;

static void fail(const char *what)
{
    fprintf(stderr, "webcam: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void *stream(void *unused)
{
    (void)unused;
    uint8_t *payload = malloc(payload_bytes);
    struct transfer *transfer = calloc(1, sizeof *transfer);
    if (!payload || !transfer) fail("memory");
    for (unsigned number = 0;; number++) {
        payload[0] = header_bytes;
        // End of header, end of frame, and the bit that changes from frame to frame.
        payload[1] = 0x80 | 0x02 | (number & 1);
        const struct frame *frame = &frames[number / shows_each % (unsigned)frame_count];
        const bool is_cut = cut_every > 0 && number % cut_every == 0;
        int total = header_bytes + (is_cut ? frame->count / 2 : frame->count);
        memcpy(payload + header_bytes, frame->bytes, (size_t)(total - header_bytes));
        // The host takes a packet that isn't full for the end; behind a picture's end, bytes don't matter.
        if (total < payload_bytes && total % bulk_packet == 0) payload[total++] = 0;
        for (int place = 0; place < total;) {
            int count = total - place < chunk_bytes ? total - place : chunk_bytes;
            transfer->io = (struct usb_raw_ep_io){ .ep = (uint16_t)endpoint, .length = (uint32_t)count };
            memcpy(transfer->data, payload + place, (size_t)count);
            int sent = ioctl(gadget, USB_RAW_IOCTL_EP_WRITE, transfer);
            if (sent < 0) {
                if (errno == EINTR) continue;
                return NULL; // The host has reset the device: it will be configured again, with another thread.
            }
            place += count;
        }
        usleep(interval_100ns / 10 / 2);
    }
}

static void configure(void)
{
    if (endpoint >= 0) return;
    struct usb_endpoint_descriptor descriptor = {
        .bLength = USB_DT_ENDPOINT_SIZE,
        .bDescriptorType = USB_DT_ENDPOINT,
        .bEndpointAddress = endpoint_address,
        .bmAttributes = USB_ENDPOINT_XFER_BULK,
        .wMaxPacketSize = bulk_packet,
    };
    endpoint = ioctl(gadget, USB_RAW_IOCTL_EP_ENABLE, &descriptor);
    if (endpoint < 0) fail("enabling the endpoint");
    ioctl(gadget, USB_RAW_IOCTL_VBUS_DRAW, 50);
    ioctl(gadget, USB_RAW_IOCTL_CONFIGURE, 0);
    pthread_t thread;
    if (pthread_create(&thread, NULL, stream, NULL) != 0) fail("starting a thread");
}

static void reset(void)
{
    if (endpoint >= 0) ioctl(gadget, USB_RAW_IOCTL_EP_DISABLE, endpoint);
    endpoint = -1;
}

// The answer to a request, or -1 to refuse it.
static int answer(const struct usb_ctrlrequest *request, uint8_t *data)
{
    if ((request->bRequestType & USB_TYPE_MASK) == USB_TYPE_STANDARD) {
        switch (request->bRequest) {
        case USB_REQ_GET_DESCRIPTOR:
            switch (request->wValue >> 8) {
            case USB_DT_DEVICE:
                memcpy(data, device_descriptor, sizeof device_descriptor);
                return sizeof device_descriptor;
            case USB_DT_DEVICE_QUALIFIER:
                memcpy(data, qualifier_descriptor, sizeof qualifier_descriptor);
                return sizeof qualifier_descriptor;
            case USB_DT_CONFIG:
                memcpy(data, configuration_descriptor, (size_t)configuration_bytes);
                return configuration_bytes;
            case USB_DT_STRING: {
                unsigned number = request->wValue & 255;
                if (number >= sizeof strings / sizeof *strings) return -1;
                size_t length = strlen(strings[number]);
                data[1] = USB_DT_STRING;
                if (number == 0) {
                    data[0] = 4;
                    data[2] = 0x09;
                    data[3] = 0x04;
                } else {
                    data[0] = (uint8_t)(2 + 2 * length);
                    for (size_t place = 0; place < length; place++) {
                        data[2 + 2 * place] = (uint8_t)strings[number][place];
                        data[3 + 2 * place] = 0;
                    }
                }
                return data[0];
            }
            }
            return -1;
        case USB_REQ_SET_CONFIGURATION: configure(); return 0;
        case USB_REQ_SET_INTERFACE:
        case USB_REQ_CLEAR_FEATURE: return 0;
        case USB_REQ_GET_STATUS: data[0] = data[1] = 0; return 2;
        }
        return -1;
    }
    // Class requests to the streaming interface: what would you send (1, probe), do it (2, commit).
    int selector = request->wValue >> 8;
    if ((request->wIndex & 255) != 1 || (selector != 1 && selector != 2)) return -1;
    switch (request->bRequest) {
    case 0x01: return control_bytes; // SET_CUR: `taken` looks at what comes.
    case 0x81:
    case 0x82:
    case 0x83:
    case 0x87: fill_control(data, format_number); return control_bytes;
    case 0x85:
        data[0] = control_bytes;
        data[1] = 0;
        return 2;
    case 0x86: data[0] = 3; return 1;
    }
    return -1;
}

// What the host has sent with SET_CUR: the format is all there is to choose.
static void taken(const struct usb_ctrlrequest *request, const uint8_t *data, int count)
{
    if ((request->bRequestType & USB_TYPE_MASK) != USB_TYPE_CLASS || request->bRequest != 0x01) return;
    if (count <= control_format_at || data[control_format_at] < 1 || data[control_format_at] > format_count) return;
    format_number = data[control_format_at];
    const bool is_commit = request->wValue >> 8 == 2;
    if (is_commit && is_jpeg && formats[format_number - 1].frame_type == yuyv_frame) {
        fprintf(stderr, "webcam: the host chose YUYV, and there is none\n");
        exit(1);
    }
}

static void control(const struct usb_ctrlrequest *request)
{
    static struct transfer transfer;
    int count = answer(request, transfer.data);
    if (count < 0) {
        ioctl(gadget, USB_RAW_IOCTL_EP0_STALL, 0);
        return;
    }
    if (count > request->wLength) count = request->wLength;
    transfer.io = (struct usb_raw_ep_io){ .length = (uint32_t)count };
    if (request->bRequestType & USB_DIR_IN) {
        ioctl(gadget, USB_RAW_IOCTL_EP0_WRITE, &transfer);
    } else {
        int got = ioctl(gadget, USB_RAW_IOCTL_EP0_READ, &transfer);
        taken(request, transfer.data, got);
    }
}

static void load(struct frame *frame, const char *name)
{
    int file = open(name, O_RDONLY);
    struct stat facts;
    if (file < 0 || fstat(file, &facts) < 0) fail(name);
    frame->bytes = malloc(frame_bytes);
    frame->count = (int)facts.st_size;
    if (facts.st_size > frame_bytes || (!is_jpeg && facts.st_size != frame_bytes)) {
        fprintf(stderr, "webcam: %s: not a frame\n", name);
        exit(1);
    }
    if (!frame->bytes || read(file, frame->bytes, (size_t)frame->count) != frame->count) fail(name);
    close(file);
}

int main(int count, char **names)
{
    bool has_both = false;
    int first = 1;
    for (; first < count && strncmp(names[first], "--", 2) == 0; first++) {
        if (strcmp(names[first], "--mjpeg") == 0) is_jpeg = true;
        else if (strcmp(names[first], "--both") == 0) is_jpeg = has_both = true;
        else if (strcmp(names[first], "--cut") == 0 && first + 1 < count) cut_every = (unsigned)atoi(names[++first]);
        else first = count;
    }
    if (first >= count) {
        fprintf(stderr, "usage: webcam [--mjpeg | --both] [--cut N] FRAMES…\n");
        return 2;
    }
    if (!is_jpeg || has_both) offer(yuyv_format, yuyv_frame, has_both ? slow_interval_100ns : interval_100ns);
    if (is_jpeg) offer(mjpeg_format, mjpeg_frame, interval_100ns);
    describe();
    frame_count = count - first;
    frames = calloc((size_t)frame_count, sizeof *frames);
    if (!frames) fail("memory");
    for (int number = 0; number < frame_count; number++) load(&frames[number], names[first + number]);

    gadget = open("/dev/raw-gadget", O_RDWR);
    if (gadget < 0) fail("/dev/raw-gadget");
    struct usb_raw_init init = { .driver_name = "dummy_udc", .device_name = "dummy_udc.0", .speed = USB_SPEED_HIGH };
    if (ioctl(gadget, USB_RAW_IOCTL_INIT, &init) < 0) fail("choosing dummy_udc");
    if (ioctl(gadget, USB_RAW_IOCTL_RUN, 0) < 0) fail("plugging it in");
    for (;;) {
        struct {
            struct usb_raw_event event;
            struct usb_ctrlrequest request;
        } message = { .event = { .length = sizeof(struct usb_ctrlrequest) } };
        if (ioctl(gadget, USB_RAW_IOCTL_EVENT_FETCH, &message) < 0) {
            if (errno == EINTR) continue;
            fail("waiting for the host");
        }
        if (message.event.type == USB_RAW_EVENT_CONTROL) control(&message.request);
        // 5 and 6: reset and disconnect, which older headers have no names for.
        else if (message.event.type == 5 || message.event.type == 6) reset();
    }
}
