// The plugin's only exported symbol; see CLibcamera.h for what is behind it.
#pragma once
#include "CLibcamera.h"

#ifdef __cplusplus
extern "C" {
#endif

// The table is static and lives as long as the plugin is loaded.
__attribute__((visibility("default"))) const CLibcamera_Table *CLibcameraPlugin_table(void);

#ifdef __cplusplus
}
#endif
