/* limbic openssl-check: runs the program of that name, which comes with the OpenSSL provider, for libcrypto is nothing that this command needs. */
#define _GNU_SOURCE /* readlink */
#include "tool.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

int limbic_tool_openssl_check(const struct limbic_tool_options *o) {
    static const char from_bin[] = "/" LIMBIC_LIBEXEC_FROM_BIN "/openssl-check";
    char path[PATH_MAX + sizeof from_bin];
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
    char *end;
    (void)o;
    if (n <= 0 || n >= PATH_MAX)
        return limbic_tool_fail("where this program lies is not known: /proc/self/exe: %s", strerror(errno));
    path[n] = 0;
    end = strrchr(path, '/');
    memcpy(end ? end : path, from_bin, sizeof from_bin);
    (void)execl(path, path, (char *)NULL);
    return limbic_tool_fail("%s: %s; it comes with the OpenSSL provider (LIMBIC_OPENSSL)", path,
                            strerror(errno));
}
