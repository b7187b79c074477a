// A USB webcam without a webcam: plays a UVC 1.0 device through the kernel's raw gadget interface, for the host controller that
// dummy_hcd connects to it. uvcvideo drives it as any other webcam, so libcamera, too. To plug it in is to start this program;
// to unplug it is to end it. Video goes through a bulk endpoint, as dummy_hcd has no isochronous ones.
//
//   webcam FRAMES…       each a file of 640 x 480 pixels YUYV; they are shown in turn, ten frames a second

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
#include <unistd.h>

enum { width = 640, height = 480, frame_bytes = width * height * 2 };
enum { interval_100ns = 1000000, shows_each = 10 };
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

// USB Video Class 1.0, chapter 3: an interface that controls (camera to output), and one that streams (one format, one size).
static const uint8_t configuration_descriptor[] = {
    9, USB_DT_CONFIG, LE16(9 + 8 + 9 + 13 + 17 + 9 + 9 + 14 + 27 + 30 + 6 + 7), 2, 1, 0, 0x80, 50,
    8, USB_DT_INTERFACE_ASSOCIATION, 0, 2, 0x0e, 3, 0, 2,
    9, USB_DT_INTERFACE, 0, 0, 0, 0x0e, 1, 0, 2,
    13, 0x24, 1, LE16(0x0100), LE16(13 + 17 + 9), LE32(48000000), 1, 1,
    17, 0x24, 2, 1, LE16(0x0201), 0, 0, LE16(0), LE16(0), LE16(0), 2, 0, 0,
    9, 0x24, 3, 2, LE16(0x0101), 0, 1, 0,
    9, USB_DT_INTERFACE, 1, 0, 1, 0x0e, 2, 0, 0,
    14, 0x24, 1, 1, LE16(14 + 27 + 30 + 6), endpoint_address, 0, 2, 0, 0, 0, 1, 0,
    27, 0x24, 4, 1, 1, 'Y', 'U', 'Y', '2', 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71, 16, 1, 0, 0, 0, 0,
    30, 0x24, 5, 1, 0, LE16(width), LE16(height), LE32(frame_bytes * 80), LE32(frame_bytes * 80), LE32(frame_bytes),
    LE32(interval_100ns), 1, LE32(interval_100ns),
    6, 0x24, 13, 1, 1, 4,
    7, USB_DT_ENDPOINT, endpoint_address, USB_ENDPOINT_XFER_BULK, LE16(bulk_packet), 0,
};

static const char *const strings[] = { "", "ScanStation", "Lab webcam", "1" };

// The probe and commit control of UVC 1.0, table 4-47: 26 bytes.
static const uint8_t stream_control[26] = {
    LE16(1), 1, 1, LE32(interval_100ns), LE16(0), LE16(0), LE16(0), LE16(0), LE16(0), LE32(frame_bytes), LE32(payload_bytes),
};

struct transfer {
    struct usb_raw_ep_io io;
    uint8_t data[chunk_bytes];
};

static int gadget;
static int endpoint = -1;
static uint8_t **frames;
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
        memcpy(payload + header_bytes, frames[number / shows_each % (unsigned)frame_count], frame_bytes);
        for (int place = 0; place < payload_bytes;) {
            int count = payload_bytes - place < chunk_bytes ? payload_bytes - place : chunk_bytes;
            transfer->io = (struct usb_raw_ep_io){ .ep = (uint16_t)endpoint, .length = (uint32_t)count };
            memcpy(transfer->data, payload + place, (size_t)count);
            int sent = ioctl(gadget, USB_RAW_IOCTL_EP_WRITE, transfer);
            if (sent < 0) {
                if (errno == EINTR) continue;
                return NULL; // The host has reset the device: it is configured anew, with another thread.
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
                memcpy(data, configuration_descriptor, sizeof configuration_descriptor);
                return sizeof configuration_descriptor;
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
    case 0x01: return sizeof stream_control; // SET_CUR: there is one choice only.
    case 0x81:
    case 0x82:
    case 0x83:
    case 0x87: memcpy(data, stream_control, sizeof stream_control); return sizeof stream_control;
    case 0x85: data[0] = sizeof stream_control; data[1] = 0; return 2;
    case 0x86: data[0] = 3; return 1;
    }
    return -1;
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
    ioctl(gadget, request->bRequestType & USB_DIR_IN ? USB_RAW_IOCTL_EP0_WRITE : USB_RAW_IOCTL_EP0_READ, &transfer);
}

int main(int count, char **names)
{
    if (count < 2) {
        fprintf(stderr, "usage: webcam FRAMES…\n");
        return 2;
    }
    frame_count = count - 1;
    frames = calloc((size_t)frame_count, sizeof *frames);
    for (int number = 0; frames && number < frame_count; number++) {
        frames[number] = malloc(frame_bytes);
        int file = open(names[1 + number], O_RDONLY);
        if (file < 0 || !frames[number] || read(file, frames[number], frame_bytes) != frame_bytes) fail(names[1 + number]);
        close(file);
    }

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
