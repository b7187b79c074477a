import CLinux

/// Names the calling thread in ps and gdb; cut after 15 bytes.
package func nameThread(_ name: String) { CLinux_name_thread(name) }
