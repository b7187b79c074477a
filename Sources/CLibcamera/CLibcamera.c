#define _GNU_SOURCE
#include "CLibcamera.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static CLibcamera_Status fail(CLibcamera_Status status, CLibcamera_Error *error, const char *text) {
    if (error != NULL) {
        snprintf(error->text, sizeof error->text, "%s", text != NULL ? text : "unknown error");
    }
    return status;
}

CLibcamera_Status CLibcamera_check(const CLibcamera_Table *table, CLibcamera_Error *error) {
    char text[CLIBCAMERA_ERROR_LENGTH];
    if (table->abi_version != CLIBCAMERA_ABI_VERSION || table->table_size != sizeof *table) {
        snprintf(
            text, sizeof text, "the plugin has interface %u (%u bytes), this program needs %u (%zu bytes)",
            table->abi_version, table->table_size, CLIBCAMERA_ABI_VERSION, sizeof *table);
        return fail(CLIBCAMERA_WRONG_ABI, error, text);
    }
    // For a libcamera that was built by hand, the same soname promises nothing: compare the version compiled against with the one that
    // runs. Below 0.1 the patch level was part of the soname.
    unsigned major = 0, minor = 0, patch = 0;
    const char *running = table->running_version();
    const int isKnown = sscanf(running, "v%u.%u.%u", &major, &minor, &patch) == 3;
    const int isSame = major == table->built_major && minor == table->built_minor
        && (major > 0 || minor > 0 || patch == table->built_patch);
    if (isKnown && !isSame) {
        snprintf(
            text, sizeof text, "the plugin was built for libcamera %u.%u.%u, but %.64s is installed",
            table->built_major, table->built_minor, table->built_patch, running);
        return fail(CLIBCAMERA_WRONG_ABI, error, text);
    }
    return CLIBCAMERA_OK;
}

CLibcamera_Status CLibcamera_load(const char *path, const CLibcamera_Table **table, CLibcamera_Error *error) {
    *table = NULL;
    // RTLD_NOW: a plugin for another libcamera must fail here, not at its first call.
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        return fail(CLIBCAMERA_NO_PLUGIN, error, dlerror());
    }

    CLibcamera_TableFunction function = NULL;
    void *symbol = dlsym(handle, CLIBCAMERA_PLUGIN_SYMBOL);
    CLibcamera_Status status = CLIBCAMERA_OK;
    if (symbol == NULL) {
        status = fail(CLIBCAMERA_NO_PLUGIN, error, dlerror());
    } else {
        memcpy(&function, &symbol, sizeof function);
        *table = function();
        status = *table == NULL ? fail(CLIBCAMERA_NO_PLUGIN, error, "the plugin has no table")
                                : CLibcamera_check(*table, error);
    }
    if (status != CLIBCAMERA_OK) {
        *table = NULL;
        dlclose(handle);
    }
    return status;
}
