#include "base/random.h"
#include "base/limb.h"

#if defined(__linux__)
#include <errno.h>
#include <sys/random.h>

static int system_random(void *out, size_t n) {
    uint8_t *p = out;
    while (n) {
        ssize_t got = getrandom(p, n < 256 ? n : 256, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 1;
        p += got;
        n -= (size_t)got;
    }
    return 0;
}
#else
#include <stdlib.h>

static int system_random(void *out, size_t n) {
    arc4random_buf(out, n);
    return 0;
}
#endif

limbic_status limbic_random(void *out, size_t n) {
    if (system_random(out, n) == 0)
        return LIMBIC_OK;
    limbic_wipe(out, n);
    return LIMBIC_ERR_RANDOM;
}
