// How ThreadSanitizer behaves in every program that deploy/sanitize builds (see address.c), and what it has to be told of Swift's
// runtime, which isn't built with it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "log_path=" REPORTS "/report:log_exe_name=1:exitcode=86:history_size=4:second_deadlock_stack=1"
           ":external_symbolizer_path=" SYMBOLIZER;
}

const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) { return ""; }

// ---- What synchronizes within Swift's libraries, unseen. The functions there are called through these.

void __tsan_acquire(void *address);
void __tsan_release(void *address);

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}
#define REAL(type, name) \
    static type *function; \
    type *known = __atomic_load_n(&function, __ATOMIC_RELAXED); \
    if (!known) __atomic_store_n(&function, known = (type *)real(name), __ATOMIC_RELAXED)

// Mutex: its fast path is compiled into its callers, and seen; waiting and waking are in libswiftSynchronization.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void LockSlow(uint32_t thread, __attribute__((swift_context)) void *handle);
typedef __attribute__((swiftcall)) bool TryLockSlow(__attribute__((swift_context)) void *handle);
typedef __attribute__((swiftcall)) void UnlockSlow(__attribute__((swift_context)) void *handle);

__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *handle) __asm__(
    LOCK_SLOW);
__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *handle) {
    REAL(LockSlow, LOCK_SLOW);
    known(thread, handle);
    __tsan_acquire(handle);
}

__attribute__((swiftcall)) bool try_lock_slow(__attribute__((swift_context)) void *handle) __asm__(TRY_LOCK_SLOW);
__attribute__((swiftcall)) bool try_lock_slow(__attribute__((swift_context)) void *handle) {
    REAL(TryLockSlow, TRY_LOCK_SLOW);
    bool taken = known(handle);
    if (taken) __tsan_acquire(handle);
    return taken;
}

__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *handle) __asm__(UNLOCK_SLOW);
__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *handle) {
    REAL(UnlockSlow, UNLOCK_SLOW);
    __tsan_release(handle);
    known(handle);
}

// Globals and static properties: who finds one made has it from who made it.
typedef void Once(intptr_t *predicate, void (*make)(void *), void *context);
struct making {
    intptr_t *predicate;
    void (*make)(void *);
    void *context;
};

static void make(void *untyped) {
    struct making *making = untyped;
    making->make(making->context);
    __tsan_release(making->predicate);
}

void swift_once(intptr_t *predicate, void (*function)(void *), void *context);
void swift_once(intptr_t *predicate, void (*maker)(void *), void *context) {
    REAL(Once, "swift_once");
    struct making making = {predicate, maker, context};
    known(predicate, make, &making);
    __tsan_acquire(predicate);
}
