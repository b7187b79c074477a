#include "CCurl.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct CCurl_Client {
    CURLM *multi;
    CURL *easy;
    atomic_int cancelled;
};

// What the callbacks of one transfer know.
typedef struct Transfer {
    const CCurl_Request *request;
    CCurl_Answer *answer;
    size_t capacity;
    size_t header_bytes;
    int headers_too_long;
    int out_of_memory;
} Transfer;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode initialised = CURLE_FAILED_INIT;

static void initialise(void) { initialised = curl_global_init(CURL_GLOBAL_DEFAULT); }

CCurl_Client *CCurl_client_make(void) {
    if (pthread_once(&once, initialise) != 0 || initialised != CURLE_OK) return NULL;
    CCurl_Client *client = calloc(1, sizeof *client);
    if (client == NULL) return NULL;
    client->multi = curl_multi_init();
    client->easy = curl_easy_init();
    if (client->multi == NULL || client->easy == NULL) {
        CCurl_client_free(client);
        return NULL;
    }
    return client;
}

void CCurl_client_free(CCurl_Client *client) {
    if (client == NULL) return;
    if (client->easy != NULL) curl_easy_cleanup(client->easy);
    if (client->multi != NULL) curl_multi_cleanup(client->multi);
    free(client);
}

void CCurl_client_cancel(CCurl_Client *client) {
    atomic_store(&client->cancelled, 1);
    curl_multi_wakeup(client->multi);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    Transfer *transfer = context;
    CCurl_Answer *answer = transfer->answer;
    size_t length = size * count;
    size_t room = transfer->request->max_body_bytes - answer->body_length;
    size_t kept = length < room ? length : room;
    if (answer->body_length + kept > transfer->capacity) {
        size_t capacity = transfer->capacity == 0 ? 4096 : transfer->capacity * 2;
        while (capacity < answer->body_length + kept) capacity *= 2;
        uint8_t *body = realloc(answer->body, capacity);
        if (body == NULL) {
            transfer->out_of_memory = 1;
            return 0;
        }
        answer->body = body;
        transfer->capacity = capacity;
    }
    if (kept > 0) memcpy(answer->body + answer->body_length, bytes, kept);
    answer->body_length += kept;
    if (kept == length) return length;
    answer->body_is_cut = 1;
    return 0;  // ends the transfer
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    Transfer *transfer = context;
    transfer->header_bytes += size * count;
    if (transfer->header_bytes <= transfer->request->max_header_bytes) return size * count;
    transfer->headers_too_long = 1;
    return 0;
}

// Every option must be accepted: a refused one could be the one that keeps a secret.
#define SET(option, value) \
    do { \
        CURLcode code = curl_easy_setopt(easy, option, value); \
        if (code != CURLE_OK) return code; \
    } while (0)

static CURLcode set_up(CURL *easy, const CCurl_Request *request, struct curl_slist *headers, Transfer *transfer) {
    SET(CURLOPT_ERRORBUFFER, transfer->answer->message);
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    // A name is looked up for each connection, and those are few, so a server that moves to another address is found at once.
    SET(CURLOPT_DNS_CACHE_TIMEOUT, 0L);
    SET(CURLOPT_TIMEOUT_MS, (long)request->timeout_ms);
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    SET(CURLOPT_POSTFIELDS, request->body_length == 0 ? "" : (const char *)request->body);
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_WRITEFUNCTION, take_body);
    SET(CURLOPT_WRITEDATA, transfer);
    SET(CURLOPT_HEADERFUNCTION, take_header);
    SET(CURLOPT_HEADERDATA, transfer);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_SSL_VERIFYPEER, request->verify ? 1L : 0L);
    SET(CURLOPT_SSL_VERIFYHOST, request->verify ? 2L : 0L);
    if (request->ca != NULL) {
        SET(CURLOPT_CAINFO, request->ca);
        SET(CURLOPT_CAPATH, NULL);
    }
    if (request->certificate != NULL) SET(CURLOPT_SSLCERT, request->certificate);
    if (request->key != NULL) SET(CURLOPT_SSLKEY, request->key);
    return CURLE_OK;
}

#undef SET

static CCurl_Outcome outcome_of(CURLcode code) {
    switch (code) {
    case CURLE_OK: return CCURL_ANSWERED;
    case CURLE_COULDNT_RESOLVE_HOST: return CCURL_UNRESOLVED;
    case CURLE_COULDNT_CONNECT: return CCURL_UNREACHABLE;
    case CURLE_OPERATION_TIMEDOUT: return CCURL_TIMED_OUT;
    case CURLE_PEER_FAILED_VERIFICATION: return CCURL_UNTRUSTED;
    case CURLE_SSL_CACERT_BADFILE: return CCURL_BAD_CA;
    case CURLE_SSL_CERTPROBLEM: return CCURL_BAD_CERTIFICATE;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER: return CCURL_TLS_FAILED;
    case CURLE_OUT_OF_MEMORY:
    case CURLE_FAILED_INIT:
    case CURLE_UNKNOWN_OPTION:
    case CURLE_NOT_BUILT_IN: return CCURL_UNAVAILABLE;
    default: return CCURL_BROKEN;
    }
}

// Runs until the transfer is over or the client is cancelled.
static CCurl_Outcome run(CCurl_Client *client) {
    for (;;) {
        int running = 0;
        if (curl_multi_perform(client->multi, &running) != CURLM_OK) return CCURL_UNAVAILABLE;
        if (running == 0) break;
        if (atomic_load(&client->cancelled)) return CCURL_CANCELLED;
        // Wakes up for sockets, for libcurl's own time limits and for `cancel`; any limit will do here.
        if (curl_multi_poll(client->multi, NULL, 0, 60000, NULL) != CURLM_OK) return CCURL_UNAVAILABLE;
    }
    int left = 0;
    CURLMsg *message;
    CCurl_Outcome outcome = CCURL_UNAVAILABLE;
    while ((message = curl_multi_info_read(client->multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) outcome = outcome_of(message->data.result);
    }
    return outcome;
}

static void read_answer(CURL *easy, CCurl_Answer *answer) {
    long status = 0;
    curl_off_t seconds = 0;
    char *location = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK) answer->status = (int32_t)status;
    if (curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK) answer->retry_after_s = seconds;
    if (curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &location) == CURLE_OK && location != NULL) {
        strncpy(answer->location, location, sizeof answer->location - 1);
    }
}

static struct curl_slist *make_headers(const CCurl_Request *request, int *failed) {
    struct curl_slist *list = NULL;
    for (const char *const *header = request->headers; *header != NULL; header++) {
        struct curl_slist *longer = curl_slist_append(list, *header);
        if (longer == NULL) {
            *failed = 1;
            break;
        }
        list = longer;
    }
    return list;
}

CCurl_Outcome CCurl_post(CCurl_Client *client, const CCurl_Request *request, CCurl_Answer *answer) {
    memset(answer, 0, sizeof *answer);
    if (atomic_load(&client->cancelled)) return answer->outcome = CCURL_CANCELLED;
    Transfer transfer = {.request = request, .answer = answer};
    int failed = 0;
    struct curl_slist *headers = make_headers(request, &failed);
    // Keeps the connections, forgets the options.
    curl_easy_reset(client->easy);
    if (failed || set_up(client->easy, request, headers, &transfer) != CURLE_OK
        || curl_multi_add_handle(client->multi, client->easy) != CURLM_OK) {
        answer->outcome = CCURL_UNAVAILABLE;
    } else {
        answer->outcome = run(client);
        read_answer(client->easy, answer);
        curl_multi_remove_handle(client->multi, client->easy);
    }
    curl_slist_free_all(headers);
    // libcurl reports transfers that we ended as failed writes.
    if (answer->outcome == CCURL_BROKEN && transfer.out_of_memory) answer->outcome = CCURL_UNAVAILABLE;
    if (answer->outcome == CCURL_BROKEN && transfer.headers_too_long) answer->outcome = CCURL_HEADERS_TOO_LONG;
    if (answer->outcome == CCURL_BROKEN && answer->body_is_cut) answer->outcome = CCURL_ANSWERED;
    // The buffer for libcurl's error text is about to go.
    curl_easy_reset(client->easy);
    return answer->outcome;
}

void CCurl_answer_clear(CCurl_Answer *answer) {
    free(answer->body);
    answer->body = NULL;
    answer->body_length = 0;
}
