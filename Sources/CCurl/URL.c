#include "CCurl.h"

#include <curl/curl.h>
#include <string.h>

static CCurl_URLProblem inspect(CURLU *parsed, int *is_https) {
    char *scheme = NULL;
    if (curl_url_get(parsed, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK) return CCURL_URL_MALFORMED;
    *is_https = strcmp(scheme, "https") == 0;
    int is_http = *is_https || strcmp(scheme, "http") == 0;
    curl_free(scheme);
    if (!is_http) return CCURL_URL_NOT_HTTP;
    const CURLUPart secrets[] = {CURLUPART_USER, CURLUPART_PASSWORD};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
        char *secret = NULL;
        if (curl_url_get(parsed, secrets[i], &secret, 0) != CURLUE_OK) continue;
        curl_free(secret);
        return CCURL_URL_HAS_USER;
    }
    return CCURL_URL_FINE;
}

CCurl_URLProblem CCurl_url_check(const char *url, int *is_https, const char **message) {
    *is_https = 0;
    *message = "";
    CURLU *parsed = curl_url();
    if (parsed == NULL) return CCURL_URL_NO_MEMORY;
    CURLUcode code = curl_url_set(parsed, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME);
    CCurl_URLProblem problem = CCURL_URL_MALFORMED;
    if (code == CURLUE_OK) problem = inspect(parsed, is_https);
    else *message = curl_url_strerror(code);
    curl_url_cleanup(parsed);
    return problem;
}
