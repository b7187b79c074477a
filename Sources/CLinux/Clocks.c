#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/timex.h>
#include <time.h>

static const int64_t second = 1000000000;

// Whole seconds whose nanoseconds all fit into 64 bits: from 1677 to 2262.
static int fits(int64_t seconds) { return seconds > INT64_MIN / second && seconds < INT64_MAX / second; }

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    const int64_t seconds = now.tv_sec;
    if (!fits(seconds)) return (seconds < 0 ? INT64_MIN / second : INT64_MAX / second) * second;
    return seconds * second + now.tv_nsec;
}

int64_t CLinux_boottime_ns(void) { return nanoseconds(CLOCK_BOOTTIME); }
int64_t CLinux_monotonic_ns(void) { return nanoseconds(CLOCK_MONOTONIC); }

int64_t CLinux_realtime_ns(void) { return nanoseconds(CLOCK_REALTIME); }

int CLinux_clock_is_synced(void) {
    // A date that can't be written down is wrong, no matter who set it.
    struct timespec now = {0};
    if (clock_gettime(CLOCK_REALTIME, &now) != 0 || !fits(now.tv_sec)) return 0;
    struct timex state = {0};
    int status = adjtimex(&state);
    // Getting no answer (a seccomp filter forbids the call) is no reason to trust the clock.
    return status >= 0 && status != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}

int64_t CLinux_seconds_of_date(const char *text) {
    struct tm date = {0};
    if (strptime(text, "%a, %d %b %Y %H:%M:%S", &date) == NULL) return INT64_MIN;
    const int64_t seconds = timegm(&date);
    return fits(seconds) ? seconds : INT64_MAX / second - 1;
}
