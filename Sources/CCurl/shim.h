// Swift does not import variadic functions, so each kind of argument has a function here.
#pragma once

#include <curl/curl.h>

/// Receives bytes of an answer, or gives bytes of a request. Returns the number of these bytes; with any other number, the
/// transfer ends.
typedef size_t (*todod_curl_transfer)(char *bytes, size_t size, size_t count, void *context);

/// Initializes libcurl for the process. Returns whether that succeeded.
static inline int todod_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

/// Sets an option that is a number or a flag.
static inline CURLcode todod_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets an option that is a text, which libcurl copies. A null pointer sets the default.
static inline CURLcode todod_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets an option that is a pointer, which must be valid during the transfer.
static inline CURLcode todod_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets the body of a request, which libcurl copies.
static inline CURLcode todod_curl_set_body(CURL *handle, const void *bytes, long long count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// Sets the function that gives the body of a request, its context, and the size of the body.
static inline void todod_curl_set_sender(CURL *handle, todod_curl_transfer body, void *context, long long count) {
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)count);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, body);
    curl_easy_setopt(handle, CURLOPT_READDATA, context);
}

/// Sets the functions that receive the head and the body of an answer, and their context.
static inline void todod_curl_set_receivers(CURL *handle, todod_curl_transfer head, todod_curl_transfer body,
                                            void *context) {
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

/// Returns a number that describes the last transfer, or 0.
static inline long todod_curl_get_long(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

/// Returns a size that describes the last transfer, or 0.
static inline long long todod_curl_get_size(CURL *handle, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
