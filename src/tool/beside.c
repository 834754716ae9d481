/* Commands that are programs of their own, installed with this one: the report is in Python, and libcrypto is nothing that this command needs. */
#define _GNU_SOURCE /* readlink */
#include "tool.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

int limbic_tool_run(const char *from_bin, char **argv, const char *takes) {
    char path[PATH_MAX + 256];
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
    char *end = NULL;
    if (n > 0 && n < PATH_MAX) {
        path[n] = 0;
        end = strrchr(path, '/');
    }
    if (end == NULL || strlen(from_bin) > 250)
        return limbic_tool_fail("where this program lies is not known: /proc/self/exe: %s", strerror(errno));
    strcpy(end + 1, from_bin);
    argv[0] = path;
    (void)execv(path, argv);
    return limbic_tool_fail("%s: %s; %s", path, strerror(errno), takes);
}

int limbic_tool_openssl_check(const struct limbic_tool_options *o) {
    char *argv[2] = {NULL, NULL};
    (void)o;
    return limbic_tool_run(LIMBIC_LIBEXEC_FROM_BIN "/openssl-check", argv,
                           "it comes with the OpenSSL provider (LIMBIC_OPENSSL)");
}
