// Where frames are written: our own cached memory if the machine has it, else what libcamera exports.
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "Camera.h"

using namespace libcamera;
using namespace plugin;

Mapping::~Mapping() {
    if (base_) munmap(base_, length_);
}

bool Mapping::map(int descriptor, size_t bytes) {
    void *address = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    if (address == MAP_FAILED) return false;
    base_ = static_cast<uint8_t *>(address);
    length_ = bytes;
    descriptor_ = descriptor;
    return true;
}

void Mapping::beginReading() const { sync(DMA_BUF_SYNC_START); }
void Mapping::endReading() const { sync(DMA_BUF_SYNC_END); }

// Memory that needs no maintenance answers ENOTTY.
void Mapping::sync(uint64_t flags) const {
    dma_buf_sync sync = {};
    sync.flags = flags | DMA_BUF_SYNC_READ;
    while (ioctl(descriptor_, DMA_BUF_IOCTL_SYNC, &sync) < 0 && (errno == EINTR || errno == EAGAIN)) {}
}

void CLibcamera_Camera::freeBuffers() {
    requests.clear();
    mappings.clear();
    ownBuffers.clear();
    allocator.reset();
}

// One of our own buffers: memory from `heap`, or a memfd when that is negative.
std::unique_ptr<FrameBuffer> CLibcamera_Camera::makeBuffer(int heap) {
    const StreamConfiguration &cfg = stream();
    int descriptor = -1;
    if (heap >= 0) {
        dma_heap_allocation_data request = {};
        request.len = cfg.frameSize;
        request.fd_flags = O_RDWR | O_CLOEXEC;
        if (ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &request) == 0) descriptor = static_cast<int>(request.fd);
    } else {
        descriptor = memfd_create("camera", MFD_CLOEXEC);
        if (descriptor >= 0 && ftruncate(descriptor, cfg.frameSize) != 0) {
            ::close(descriptor);
            descriptor = -1;
        }
    }
    if (descriptor < 0) return nullptr;
    const SharedFD shared(std::move(descriptor));
    std::vector<FrameBuffer::Plane> planes(1);
    planes[0].fd = shared;
    planes[0].offset = 0;
    planes[0].length = cfg.frameSize;
    if (cfg.pixelFormat == formats::NV12 || cfg.pixelFormat == formats::NV21) {
        planes.resize(2);
        planes[0].length = cfg.stride * cfg.size.height;
        planes[1].fd = shared;
        planes[1].offset = planes[0].length;
        planes[1].length = cfg.frameSize - planes[0].length;
    }
    return std::make_unique<FrameBuffer>(planes);
}

// False if there is no such memory; then nothing is kept.
bool CLibcamera_Camera::allocateOwn() {
    if (bufferKind == CLIBCAMERA_BUFFERS_ALLOCATOR) return false;
    int heap = -1;
    if (bufferKind != CLIBCAMERA_BUFFERS_MEMFD) {
        // Only a Pi's ISP profits (and is known to take them): V4L2's own buffers are uncached there.
        const bool isPlanar = stream().pixelFormat == formats::YUV420 || stream().pixelFormat == formats::NV12;
        if (bufferKind == CLIBCAMERA_BUFFERS_AUTOMATIC && (!isPlanar || !offers(controls::ScalerCrop))) return false;
        for (const char *name : {"/dev/dma_heap/vidbuf_cached", "/dev/dma_heap/linux,cma"})
            if (heap < 0) heap = ::open(name, O_RDWR | O_CLOEXEC);
        if (heap < 0) return false;
    }
    for (unsigned int i = 0; i < stream().bufferCount; i++) {
        std::unique_ptr<FrameBuffer> buffer = makeBuffer(heap);
        if (!buffer) {
            ownBuffers.clear();
            break;
        }
        ownBuffers.push_back(std::move(buffer));
    }
    if (heap >= 0) ::close(heap);
    return !ownBuffers.empty();
}

CLibcamera_Status CLibcamera_Camera::allocate(CLibcamera_Error *error) {
    if (!mappings.empty()) return CLIBCAMERA_OK;
    std::vector<FrameBuffer *> buffers;
    if (allocateOwn()) {
        for (const auto &buffer : ownBuffers) buffers.push_back(buffer.get());
    } else {
        allocator = std::make_unique<FrameBufferAllocator>(camera);
        const int count = allocator->allocate(stream().stream());
        if (count < 0) return failErrno(error, "allocating buffers", count, CLIBCAMERA_NO_MEMORY);
        for (const auto &buffer : allocator->buffers(stream().stream())) buffers.push_back(buffer.get());
    }
    for (const FrameBuffer *buffer : buffers) {
        const auto &plane = buffer->planes()[0];
        const size_t offset = plane.offset == FrameBuffer::Plane::kInvalidOffset ? 0 : plane.offset;
        if (!mappings[buffer].map(plane.fd.get(), offset + plane.length)) {
            const int code = errno;
            freeBuffers();
            return fail(error, CLIBCAMERA_NO_MEMORY, std::string("mapping a buffer: ") + strerror(code));
        }
    }
    return CLIBCAMERA_OK;
}
