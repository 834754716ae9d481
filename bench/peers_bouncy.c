/* Speaks with peers/Bouncy.java, a child process on two pipes. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t child;
static int to = -1, from = -1;

/* One line, without its end; 0 at the end of the stream, or if none comes for two minutes. */
static int line(char *out, size_t size) {
    size_t n = 0;
    char c;
    struct pollfd p = {.fd = from, .events = POLLIN};
    while (poll(&p, 1, 120000) == 1 && read(from, &c, 1) == 1) {
        if (c == '\n') {
            out[n] = 0;
            return 1;
        }
        if (n + 1 < size)
            out[n++] = c;
    }
    out[n] = 0;
    return 0;
}

int bench_bouncy_start(const char *jar, char *text, size_t size) {
    static const char ready[] = "ready ";
    int down[2], up[2];
    if (access(jar, R_OK) != 0) {
        bench_format(text, size, "no %s (Debian: libbcprov-java)", jar);
        return 0;
    }
    if (pipe(down) != 0 || pipe(up) != 0 || (child = fork()) < 0) {
        bench_format(text, size, "no process for Java");
        return 0;
    }
    if (child == 0) {
        dup2(down[0], STDIN_FILENO);
        dup2(up[1], STDOUT_FILENO);
        dup2(up[1], STDERR_FILENO);
        close(down[1]);
        close(up[0]);
        execlp("java", "java", "-XX:+UseSerialGC", "-cp", jar, BENCH_PEERS "/Bouncy.java", (char *)NULL);
        puts("java is not there (Debian: default-jdk-headless)");
        fflush(stdout);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    to = down[1];
    from = up[0];
    signal(SIGPIPE, SIG_IGN);
    if (line(text, size) && !strncmp(text, ready, sizeof ready - 1)) {
        memmove(text, text + sizeof ready - 1, strlen(text + sizeof ready - 1) + 1);
        return 1;
    }
    if (!*text)
        bench_format(text, size, "Java did not start");
    bench_bouncy_stop();
    return 0;
}

/* Of the whole process. */
static double processor_time(void) {
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int bench_bouncy_run(const char *scheme, const char *op, size_t count, double *seconds, double *heap) {
    char text[96], *end;
    if (to < 0)
        return 0;
    double before = processor_time();
    int n = snprintf(text, sizeof text, "%s/%s %zu\n", scheme, op, count);
    if (n < 0 || (size_t)n >= sizeof text || write(to, text, (size_t)n) != n || !line(text, sizeof text))
        return 0;
    *seconds = processor_time() - before;
    *heap = strtod(text, &end);
    return end != text && !*end;
}

void bench_bouncy_stop(void) {
    close(to);
    close(from);
    to = from = -1;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}
