/* Files, standard input and output as bytes in memory. */
#define _GNU_SOURCE /* explicit_bzero */

#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int limbic_tool_fail(const char *format, ...) {
    va_list ap;
    fputs("limbic: ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    return LIMBIC_TOOL_FAILURE;
}

int limbic_tool_alloc(struct limbic_tool_bytes *b, size_t n) {
    b->p = calloc(n ? n : 1, 1);
    b->n = n;
    if (b->p == NULL)
        limbic_tool_fail("out of memory");
    return b->p != NULL;
}

void limbic_tool_free(struct limbic_tool_bytes *b) {
    if (b->p != NULL)
        explicit_bzero(b->p, b->n);
    free(b->p);
    b->p = NULL;
    b->n = 0;
}

static int is_standard(const char *name) {
    return name == NULL || strcmp(name, "-") == 0;
}

FILE *limbic_tool_open(const char *name) {
    FILE *f = is_standard(name) ? stdin : fopen(name, "rb");
    if (f == NULL)
        limbic_tool_fail("%s: %s", name, strerror(errno));
    else
        (void)setvbuf(f, NULL, _IONBF, 0); /* no second copy of a secret */
    return f;
}

int limbic_tool_read(const char *name, struct limbic_tool_bytes *b, size_t limit) {
    FILE *f = limbic_tool_open(name);
    size_t room = 4096, n = 0;
    int ok = f != NULL && limbic_tool_alloc(b, room);
    while (ok) {
        size_t got = fread(b->p + n, 1, room - n, f);
        n += got;
        if (n < room)
            break;
        struct limbic_tool_bytes more;
        if (n > limit) {
            limbic_tool_fail("%s: more than %zu bytes", is_standard(name) ? "standard input" : name, limit);
            ok = 0;
        } else if ((ok = limbic_tool_alloc(&more, room *= 2)) != 0) {
            memcpy(more.p, b->p, n);
            limbic_tool_free(b);
            *b = more;
        }
    }
    if (ok && ferror(f)) {
        limbic_tool_fail("%s: %s", is_standard(name) ? "standard input" : name, strerror(errno));
        ok = 0;
    } else if (ok && n > limit) {
        limbic_tool_fail("%s: more than %zu bytes", is_standard(name) ? "standard input" : name, limit);
        ok = 0;
    }
    if (f != NULL && f != stdin)
        fclose(f);
    if (!ok && f != NULL)
        limbic_tool_free(b);
    else if (ok)
        b->n = n; /* the rest was never written */
    return ok;
}

int limbic_tool_same_file(const char *a, const char *b) {
    struct stat x, y;
    return a != NULL && b != NULL && stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

/* 0, or the error. */
static int write_to(int fd, const uint8_t *p, size_t n) {
    while (n > 0) {
        ssize_t done = write(fd, p, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        p += done;
        n -= (size_t)done;
    }
    return 0;
}

/* Beside the file, then in its place; what is no ordinary file is written to as it is. */
static int write_file(const char *name, const uint8_t *p, size_t n, int how) {
    struct stat old;
    int exists = stat(name, &old) == 0, beside = how != LIMBIC_TOOL_NEW && (!exists || S_ISREG(old.st_mode)),
        code;
    char *path = malloc(strlen(name) + 8);
    if (path == NULL)
        return ENOMEM;
    strcpy(path, name);
    if (beside)
        strcat(path, ".XXXXXX");
    int fd = beside ? mkstemp(path)
                    : open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (how == LIMBIC_TOOL_NEW ? O_EXCL : 0),
                           how ? 0600 : 0666);
    code = fd < 0 ? errno : write_to(fd, p, n);
    if (fd >= 0 && beside && code == 0) {
        mode_t mask = umask(0);
        (void)umask(mask);
        if (fchmod(fd, exists ? old.st_mode & 0777 : how ? 0600 : 0666 & ~mask) != 0)
            code = errno;
    }
    if (fd >= 0 && close(fd) != 0 && code == 0)
        code = errno;
    if (beside && code == 0 && rename(path, name) != 0)
        code = errno;
    if (fd >= 0 && code != 0 && (beside || how == LIMBIC_TOOL_NEW))
        (void)unlink(path);
    free(path);
    return code;
}

int limbic_tool_write(const char *name, const uint8_t *p, size_t n, int how) {
    int code = is_standard(name) ? write_to(STDOUT_FILENO, p, n) : write_file(name, p, n, how);
    return code ? limbic_tool_fail("%s: %s", is_standard(name) ? "standard output" : name, strerror(code))
                : LIMBIC_TOOL_OK;
}

/* Digits by arithmetic: a private key's must not decide an address. */
static uint8_t digit(unsigned x) {
    return (uint8_t)('0' + x + (('a' - '0' - 10) & (0U - ((9U - x) >> 31))));
}

int limbic_tool_write_hex(const char *name, const uint8_t *p, size_t n, int how) {
    struct limbic_tool_bytes text;
    if (!limbic_tool_alloc(&text, 2 * n + 1))
        return LIMBIC_TOOL_FAILURE;
    for (size_t i = 0; i < n; i++) {
        text.p[2 * i] = digit(p[i] >> 4);
        text.p[2 * i + 1] = digit(p[i] & 15U);
    }
    text.p[2 * n] = '\n';
    int code = limbic_tool_write(name, text.p, text.n, how);
    limbic_tool_free(&text);
    return code;
}

int limbic_tool_unhex(struct limbic_tool_bytes *b) {
    size_t digits = 0;
    unsigned bad = 0;
    for (size_t i = 0; i < b->n; i++) {
        unsigned c = b->p[i], lower = c | 0x20, x;
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
            continue;
        unsigned is_digit = (c - '0' < 10U), is_letter = (lower - 'a' < 6U);
        x = (c - '0') * is_digit + (lower - 'a' + 10) * is_letter;
        bad |= (is_digit | is_letter) ^ 1U;
        if (digits % 2 == 0)
            b->p[digits / 2] = (uint8_t)((x & 15U) << 4);
        else
            b->p[digits / 2] = (uint8_t)(b->p[digits / 2] | (x & 15U));
        digits++;
    }
    if (bad || digits % 2 || digits == 0)
        return 0;
    explicit_bzero(b->p + digits / 2, b->n - digits / 2);
    b->n = digits / 2;
    return 1;
}
