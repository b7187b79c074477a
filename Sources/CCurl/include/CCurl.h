// HTTP POST by the distribution's libcurl.
//
// A client is one transfer at a time and the connections that it keeps open. All calls except `CCurl_client_cancel` come from one thread at
// a time, and block. Whatever a server sends, the request's limits bound what is kept.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CCurl_Client CCurl_Client;

typedef enum CCurl_Outcome {
    // There is a status. The body may be cut (`body_is_cut`).
    CCURL_ANSWERED = 0,
    // The host's name could not be resolved.
    CCURL_UNRESOLVED,
    // Nothing is listening there: refused, no route.
    CCURL_UNREACHABLE,
    // The time for the whole request is over.
    CCURL_TIMED_OUT,
    // The server's certificate is not trusted, or names another host.
    CCURL_UNTRUSTED,
    // The file with the certificate authorities can't be used.
    CCURL_BAD_CA,
    // The client's certificate or key can't be used.
    CCURL_BAD_CERTIFICATE,
    // The TLS handshake failed, or the server refused the client.
    CCURL_TLS_FAILED,
    // More bytes of headers than `max_header_bytes`.
    CCURL_HEADERS_TOO_LONG,
    // What came is not HTTP, or the connection broke in the middle.
    CCURL_BROKEN,
    CCURL_CANCELLED,
    // Out of memory, or a setting that this libcurl doesn't know.
    CCURL_UNAVAILABLE,
} CCurl_Outcome;

typedef struct CCurl_Request {
    const char *url;
    // "Name: value", or "Name;" for an empty value; ends with NULL.
    const char *const *headers;
    const uint8_t *body;
    size_t body_length;
    // From connecting to the last byte of the answer.
    int64_t timeout_ms;
    size_t max_body_bytes;
    size_t max_header_bytes;
    // Files in PEM; NULL: the system's authorities, no certificate of our own.
    const char *ca;
    const char *certificate;
    const char *key;
    // 0 accepts any certificate.
    int verify;
} CCurl_Request;

typedef struct CCurl_Answer {
    CCurl_Outcome outcome;
    // HTTP status; 0: none came.
    int32_t status;
    // Seconds of Retry-After, by number or date; 0: there was none.
    int64_t retry_after_s;
    // Release it with `CCurl_answer_clear`.
    uint8_t *body;
    size_t body_length;
    // The server had more than `max_body_bytes` to say; the connection was closed.
    int body_is_cut;
    // Where a 3xx points to, cut; empty: nowhere.
    char location[256];
    // libcurl's own words for what went wrong; empty: nothing did.
    char message[256];
} CCurl_Answer;

// NULL: out of memory, or libcurl can't be initialised. Free it with `CCurl_client_free`.
CCurl_Client *CCurl_client_make(void);
// No other call may be under way.
void CCurl_client_free(CCurl_Client *client);

// From any thread: ends the request under way and all that come later with CCURL_CANCELLED.
void CCurl_client_cancel(CCurl_Client *client);

// Sends a POST and reads the answer; reuses the previous connection. It follows no redirects, uses no proxies from the environment, and
// speaks only HTTP and HTTPS. `request` is read only during the call. Always fills *answer, and returns its outcome.
CCurl_Outcome CCurl_post(CCurl_Client *client, const CCurl_Request *request, CCurl_Answer *answer);
void CCurl_answer_clear(CCurl_Answer *answer);

typedef enum CCurl_URLProblem {
    CCURL_URL_FINE = 0,
    CCURL_URL_MALFORMED,
    CCURL_URL_NOT_HTTP,
    // It carries a user or password.
    CCURL_URL_HAS_USER,
    CCURL_URL_NO_MEMORY,
} CCurl_URLProblem;

// By libcurl's own parser, so that both agree. *is_https and *message (libcurl's words, a constant) may not be NULL.
CCurl_URLProblem CCurl_url_check(const char *url, int *is_https, const char **message);

#ifdef __cplusplus
}
#endif
