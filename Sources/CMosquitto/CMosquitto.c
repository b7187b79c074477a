#include "CMosquitto.h"

#include <errno.h>
#include <limits.h>
#include <mosquitto.h>
#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>

_Static_assert((int)CMOSQUITTO_NO_CONNECTION == (int)MOSQ_ERR_NO_CONN, "status numbers");
_Static_assert((int)CMOSQUITTO_REFUSED == (int)MOSQ_ERR_CONN_REFUSED, "status numbers");
_Static_assert((int)CMOSQUITTO_LOST == (int)MOSQ_ERR_CONN_LOST, "status numbers");
_Static_assert((int)CMOSQUITTO_TLS == (int)MOSQ_ERR_TLS, "status numbers");
_Static_assert((int)CMOSQUITTO_PAYLOAD_SIZE == (int)MOSQ_ERR_PAYLOAD_SIZE, "status numbers");
_Static_assert((int)CMOSQUITTO_ERRNO == (int)MOSQ_ERR_ERRNO, "status numbers");
_Static_assert((int)CMOSQUITTO_LOOKUP == (int)MOSQ_ERR_EAI, "status numbers");
_Static_assert((int)CMOSQUITTO_KEEPALIVE == (int)MOSQ_ERR_KEEPALIVE, "status numbers");
_Static_assert((int)CMOSQUITTO_MALFORMED == (int)MOSQ_ERR_MALFORMED_PACKET, "status numbers");
_Static_assert((int)CMOSQUITTO_TLS_HANDSHAKE == (int)MOSQ_ERR_TLS_HANDSHAKE, "status numbers");
_Static_assert((int)CMOSQUITTO_OVERSIZE == (int)MOSQ_ERR_OVERSIZE_PACKET, "status numbers");

// OpenSSL's SSL_VERIFY_NONE: `mosquitto_tls_opts_set` takes the number.
enum { VERIFY_NONE = 0 };

// Where Debian and Raspberry Pi OS keep the authorities that the system trusts (package ca-certificates).
static const char system_authorities[] = "/etc/ssl/certs";

struct CMosquitto_Client {
    struct mosquitto *handle;
    CMosquitto_Callbacks callbacks;
};

// ---- Callbacks of the library: they only hand over

static void on_connect(struct mosquitto *handle, void *object, int reason, int flags, const mosquitto_property *more) {
    (void)handle, (void)flags, (void)more;
    CMosquitto_Client *client = object;
    client->callbacks.connected(client->callbacks.context, reason);
}

static void on_disconnect(struct mosquitto *handle, void *object, int reason, const mosquitto_property *more) {
    (void)handle, (void)more;
    CMosquitto_Client *client = object;
    client->callbacks.disconnected(client->callbacks.context, reason);
}

static void on_publish(struct mosquitto *handle, void *object, int id, int reason, const mosquitto_property *more) {
    (void)handle, (void)more;
    CMosquitto_Client *client = object;
    client->callbacks.published(client->callbacks.context, id, reason);
}

static void on_subscribe(
    struct mosquitto *handle, void *object, int id, int count, const int *granted, const mosquitto_property *more) {
    (void)handle, (void)more;
    CMosquitto_Client *client = object;
    client->callbacks.subscribed(client->callbacks.context, id, count > 0 ? granted[0] : 128);
}

static void on_message(
    struct mosquitto *handle, void *object, const struct mosquitto_message *message, const mosquitto_property *more) {
    (void)handle, (void)more;
    CMosquitto_Client *client = object;
    size_t length = message->payloadlen > 0 ? (size_t)message->payloadlen : 0;
    client->callbacks.received(client->callbacks.context, message->topic, message->payload, length, message->retain);
}

static void on_log(struct mosquitto *handle, void *object, int level, const char *text) {
    (void)handle;
    CMosquitto_Client *client = object;
    if (level == MOSQ_LOG_ERR || level == MOSQ_LOG_WARNING) {
        client->callbacks.complained(client->callbacks.context, text);
    }
}

// Without this OpenSSL asks for a key's passphrase on the terminal, and waits.
static int no_passphrase(char *buffer, int size, int is_writing, void *object) {
    (void)buffer, (void)size, (void)is_writing, (void)object;
    return 0;
}

// ----

static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static void initialise_library(void) { mosquitto_lib_init(); }

int CMosquitto_library_version(void) {
    int major = 0, minor = 0, revision = 0;
    mosquitto_lib_version(&major, &minor, &revision);
    return major * 1000000 + minor * 1000 + revision;
}

const char *CMosquitto_text(int status) { return mosquitto_strerror(status); }

const char *CMosquitto_lookup_text(int code) { return gai_strerror(code); }

CMosquitto_Client *CMosquitto_create(
    const char *client_id, int protocol, int in_flight, const CMosquitto_Callbacks *callbacks) {
    pthread_once(&library_once, initialise_library);
    CMosquitto_Client *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->callbacks = *callbacks;
    client->handle = mosquitto_new(client_id, true, client);
    if (!client->handle) {
        free(client);
        return NULL;
    }
    int version = protocol >= 5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311;
    mosquitto_int_option(client->handle, MOSQ_OPT_PROTOCOL_VERSION, version);
    mosquitto_int_option(client->handle, MOSQ_OPT_SEND_MAXIMUM, in_flight);
    // A scan is one small packet, and its PUBACK is awaited: it must not wait for more data.
    mosquitto_int_option(client->handle, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_connect_v5_callback_set(client->handle, on_connect);
    mosquitto_disconnect_v5_callback_set(client->handle, on_disconnect);
    mosquitto_publish_v5_callback_set(client->handle, on_publish);
    mosquitto_subscribe_v5_callback_set(client->handle, on_subscribe);
    mosquitto_message_v5_callback_set(client->handle, on_message);
    mosquitto_log_callback_set(client->handle, on_log);
    return client;
}

void CMosquitto_destroy(CMosquitto_Client *client) {
    if (!client) return;
    mosquitto_destroy(client->handle);
    free(client);
}

int CMosquitto_set_user(CMosquitto_Client *client, const char *user, const char *password) {
    return mosquitto_username_pw_set(client->handle, user, password);
}

int CMosquitto_set_will(CMosquitto_Client *client, const char *topic, const void *payload, size_t length) {
    if (length > INT_MAX) return MOSQ_ERR_PAYLOAD_SIZE;
    return mosquitto_will_set(client->handle, topic, (int)length, payload, 1, true);
}

int CMosquitto_set_tls(
    CMosquitto_Client *client, const char *ca, const char *certificate, const char *key, bool verify) {
    int status = mosquitto_tls_set(client->handle, ca, ca ? NULL : system_authorities, certificate, key, no_passphrase);
    if (status != MOSQ_ERR_SUCCESS || verify) return status;
    status = mosquitto_tls_opts_set(client->handle, VERIFY_NONE, NULL, NULL);
    if (status != MOSQ_ERR_SUCCESS) return status;
    return mosquitto_tls_insecure_set(client->handle, true);
}

static CMosquitto_Result result(int status) {
    CMosquitto_Result result = {.status = status};
    // The library leaves getaddrinfo's code in errno.
    if (status == MOSQ_ERR_ERRNO || status == MOSQ_ERR_EAI) result.system_error = errno;
    return result;
}

CMosquitto_Result CMosquitto_connect(
    CMosquitto_Client *client, const char *host, int port, int keep_alive_seconds, const char *from) {
    return result(mosquitto_connect_bind_async(client->handle, host, port, keep_alive_seconds, from));
}

int CMosquitto_socket(CMosquitto_Client *client) { return mosquitto_socket(client->handle); }

bool CMosquitto_wants_write(CMosquitto_Client *client) { return mosquitto_want_write(client->handle); }

CMosquitto_Result CMosquitto_step(CMosquitto_Client *client) {
    // The whole loop with a wait of 0, not the library's parts for foreign loops: those miss what OpenSSL has decrypted but not handed
    // over, which the socket doesn't show.
    return result(mosquitto_loop(client->handle, 0, 1));
}

int CMosquitto_publish(
    CMosquitto_Client *client, const char *topic, const void *payload, size_t length, int qos, bool retain, int *id) {
    if (length > INT_MAX) return MOSQ_ERR_PAYLOAD_SIZE;
    return mosquitto_publish(client->handle, id, topic, (int)length, payload, qos, retain);
}

int CMosquitto_subscribe(CMosquitto_Client *client, const char *topic, int *id) {
    return mosquitto_subscribe(client->handle, id, topic, 1);
}

int CMosquitto_disconnect(CMosquitto_Client *client) { return mosquitto_disconnect(client->handle); }

bool CMosquitto_is_valid_topic(const char *topic, size_t length) {
    return mosquitto_pub_topic_check2(topic, length) == MOSQ_ERR_SUCCESS
        && mosquitto_validate_utf8(topic, (int)length) == MOSQ_ERR_SUCCESS;
}
