// One MQTT connection through libmosquitto 2.0, behind a small interface. No policy lives here: Swift (module Delivery) decides when to
// connect, what to publish and what a status means to a person.
//
// Conventions
// - Every call returns a status of `CMosquitto_Status` (or a value that can't fail); nothing prints, aborts or keeps state
//   besides the client.
// - The library starts no thread: the owner waits for the client's descriptor and calls `CMosquitto_step`, from which alone
//   callbacks are made. What they are handed is the library's, and valid until they return. They must not call the client.
// - A client makes one connection and is then destroyed, so that the library can't send what it still has queued again on the next one
//   behind the owner's back.
// - One thread at a time may use a client. `CMosquitto_connect` blocks while the host's name is looked up, and only then.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The library's error numbers, as far as they make a difference.
typedef enum CMosquitto_Status {
    CMOSQUITTO_SUCCESS = 0,
    CMOSQUITTO_NO_MEMORY = 1,
    CMOSQUITTO_PROTOCOL = 2,
    CMOSQUITTO_INVALID = 3,
    CMOSQUITTO_NO_CONNECTION = 4,
    CMOSQUITTO_REFUSED = 5,
    CMOSQUITTO_LOST = 7,
    CMOSQUITTO_TLS = 8,
    CMOSQUITTO_PAYLOAD_SIZE = 9,
    CMOSQUITTO_NOT_SUPPORTED = 10,
    CMOSQUITTO_ERRNO = 14,
    CMOSQUITTO_LOOKUP = 15,
    CMOSQUITTO_KEEPALIVE = 19,
    CMOSQUITTO_MALFORMED = 21,
    CMOSQUITTO_TLS_HANDSHAKE = 23,
    CMOSQUITTO_OVERSIZE = 25,
} CMosquitto_Status;

typedef struct CMosquitto_Result {
    int status;
    // With CMOSQUITTO_ERRNO the errno; with CMOSQUITTO_LOOKUP getaddrinfo's code; else 0.
    int system_error;
} CMosquitto_Result;

typedef struct CMosquitto_Callbacks {
    void *context;
    // The broker's answer to CONNECT: 0, or why not (MQTT 3.1.1: 1…5, MQTT 5: from 128).
    void (*connected)(void *context, int reason);
    // The connection is gone: a status, or from 128 on the broker's reason (MQTT 5).
    void (*disconnected)(void *context, int reason);
    // PUBACK for a message with QoS 1; sent for one with QoS 0. From 128 on the broker's reason not to take it (MQTT 5).
    void (*published)(void *context, int id, int reason);
    // SUBACK; from 128 on the broker didn't grant it.
    void (*subscribed)(void *context, int id, int granted);
    void (*received)(void *context, const char *topic, const void *payload, size_t length, bool retained);
    // What the library would write into a log: errors and warnings only.
    void (*complained)(void *context, const char *text);
} CMosquitto_Callbacks;

typedef struct CMosquitto_Client CMosquitto_Client;

// The version of libmosquitto in use, as 2 * 1000000 + 0 * 1000 + 11.
int CMosquitto_library_version(void);

// What a status, or getaddrinfo's code, means. Static storage.
const char *CMosquitto_text(int status);
const char *CMosquitto_lookup_text(int code);

// NULL when there is no memory, or `client_id` isn't valid UTF-8. The session is a clean one: the broker keeps nothing after
// the connection. `protocol` is 5 (MQTT 5.0) or 4 (MQTT 3.1.1). `in_flight`: messages with QoS 1 that may wait for their
// PUBACK on the wire; more wait in the client. The callbacks are copied.
CMosquitto_Client *CMosquitto_create(
    const char *client_id, int protocol, int in_flight, const CMosquitto_Callbacks *callbacks);

// Closes the connection without a word, unless it was closed, and frees the client. NULL is allowed.
void CMosquitto_destroy(CMosquitto_Client *client);

// Before connecting. `password` may be NULL.
int CMosquitto_set_user(CMosquitto_Client *client, const char *user, const char *password);

// Before connecting: what the broker publishes, with QoS 1 and retained, when the connection ends without a farewell.
int CMosquitto_set_will(CMosquitto_Client *client, const char *topic, const void *payload, size_t length);

// Before connecting: encryption. Paths of PEM files or NULL; without `ca` the system's authorities count. A key with a
// passphrase fails: nobody is asked for it. `verify` false accepts any certificate.
int CMosquitto_set_tls(
    CMosquitto_Client *client, const char *ca, const char *certificate, const char *key, bool verify);

// Looks the host's name up (blocking) and begins to connect to the first address that there is a way to. `from`: an address of this
// machine to speak from, "::" or "0.0.0.0" for any one of that family; NULL: whichever.
CMosquitto_Result CMosquitto_connect(
    CMosquitto_Client *client, const char *host, int port, int keep_alive_seconds, const char *from);

// The socket to wait for, or -1; it is the client's. While `wants_write`, wait for it in both directions.
int CMosquitto_socket(CMosquitto_Client *client);
bool CMosquitto_wants_write(CMosquitto_Client *client);

// Reads, writes and keeps alive, as far as that is possible without waiting; makes the callbacks. Call it when the socket is ready, and
// also once a second. Anything but success means that the connection is over.
CMosquitto_Result CMosquitto_step(CMosquitto_Client *client);

// Hands a message over; `*id` identifies its `published` callback.
int CMosquitto_publish(
    CMosquitto_Client *client, const char *topic, const void *payload, size_t length, int qos, bool retain, int *id);

// With QoS 1; `*id` identifies its `subscribed` callback.
int CMosquitto_subscribe(CMosquitto_Client *client, const char *topic, int *id);

// A proper end: the broker doesn't publish the will.
int CMosquitto_disconnect(CMosquitto_Client *client);

// Whether a topic to publish to is well-formed: no wildcards, UTF-8, at most 65,535 bytes.
bool CMosquitto_is_valid_topic(const char *topic, size_t length);

#ifdef __cplusplus
}
#endif
