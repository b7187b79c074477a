// How AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer behave in every program that deploy/sanitize builds. Linked in,
// as most of them start without the environment of who started the tests, and with standard error thrown away.
// REPORTS is a folder, SYMBOLIZER a program.

// A NULL for what can't be had: the decoders count on it with pictures that lie about their size.
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "log_path=" REPORTS
           "/report:log_exe_name=1:exitcode=86:allocator_may_return_null=1:detect_leaks=1:print_suppressions=0"
           ":external_symbolizer_path=" SYMBOLIZER;
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) {
    return "log_path=" REPORTS "/report:log_exe_name=1:print_stacktrace=1:external_symbolizer_path=" SYMBOLIZER;
}

// Leaks are looked for among what C allocates and what Swift allocates by hand. Swift's own objects can't be judged: an enum keeps its
// tag in the bits of a pointer that are always 0, where LeakSanitizer doesn't know it for a pointer any more; and a task that
// waits forever, as when its test has ended, is held by nothing but itself. What such an object holds counts as held.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:swift_allocObject\n"
           "leak:swift::StackAllocator\n";
}
