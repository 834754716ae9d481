/* What the machine is, which processor the benchmark keeps to, and who else was at work. */
#define _GNU_SOURCE
#include "bench.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The value of a line "key : value" of /proc/cpuinfo; empty if there is none. */
static void cpuinfo(const char *key, char *out, size_t size) {
    char line[4096];
    FILE *f = fopen("/proc/cpuinfo", "r");
    *out = 0;
    for (; f && !*out && fgets(line, sizeof line, f);) {
        size_t n = strlen(key);
        const char *value = strchr(line, ':');
        if (value && !strncmp(line, key, n) && (line[n] == '\t' || line[n] == ' ' || line[n] == ':')) {
            value += 1 + strspn(value + 1, " ");
            snprintf(out, size, "%.*s", (int)strcspn(value, "\n"), value);
        }
    }
    if (f)
        fclose(f);
}

void bench_cpu_model(char *out, size_t size) {
    cpuinfo("model name", out, size);
    if (!*out)
        cpuinfo("CPU part", out, size);
    if (!*out)
        snprintf(out, size, "unknown");
}

/* The first line of a file; empty if it can't be read. */
static void first_line(const char *name, char *out, size_t size) {
    FILE *f = fopen(name, "r");
    *out = 0;
    if (f && fgets(out, (int)size, f))
        out[strcspn(out, "\n")] = 0;
    if (f)
        fclose(f);
}

static void ids(void) {
    static const char *const keys[] = {"cpu family",       "model",    "stepping",    "CPU implementer",
                                       "CPU architecture", "CPU part", "CPU revision"};
    char text[256] = "", value[64];
    size_t used = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        cpuinfo(keys[i], value, sizeof value);
        if (*value && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", used ? ", " : "", keys[i],
                                     value);
    }
    bench_context("cpu_ids", text);
}

static void virtualisation(void) {
    char flags[4096], vendor[64];
    first_line("/sys/class/dmi/id/sys_vendor", vendor, sizeof vendor);
    cpuinfo("flags", flags, sizeof flags);
    strncat(flags, " ", sizeof flags - strlen(flags) - 1);
    const char *kind = strstr(flags, " hypervisor ") ? "virtual machine"
                       : *flags == ' '               ? "unknown"
                                                     : "none seen";
    bench_context("virtualisation", kind);
    if (*vendor)
        bench_context("machine_vendor", vendor);
}

void bench_machine(void) {
    char text[512];
    bench_cpu_model(text, sizeof text);
    bench_context("cpu_model", text);
    ids();
    virtualisation();
    first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", text, sizeof text);
    bench_context("governor", *text ? text : "unknown");
    bench_context("LIMBIC_CPU", getenv("LIMBIC_CPU") ? getenv("LIMBIC_CPU") : "");
}

/* ---- processors ---- */

#ifdef __linux__
static cpu_set_t allowed; /* before bench_pin */
#endif

int bench_pin(void) {
#ifdef __linux__
    cpu_set_t one;
    int cpu = sched_getcpu();
    if (sched_getaffinity(0, sizeof allowed, &allowed))
        return -1;
    CPU_ZERO(&one);
    if (cpu < 0)
        return -1;
    CPU_SET((size_t)cpu, &one);
    return sched_setaffinity(0, sizeof one, &one) ? -1 : cpu;
#else
    return -1;
#endif
}

unsigned bench_processors(void) {
#ifdef __linux__
    int n = CPU_COUNT(&allowed);
    if (n > 0)
        return (unsigned)n;
#endif
    return (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

void bench_pin_member(unsigned member) {
#ifdef __linux__
    cpu_set_t mine, one;
    size_t cpu = 0;
    /* The members take the processors that bench_pin has left, in turn. */
    if (sched_getaffinity(0, sizeof mine, &mine))
        return;
    for (; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && !CPU_ISSET(cpu, &mine) && --member == 0)
            break;
    CPU_ZERO(&one);
    if (cpu < CPU_SETSIZE) {
        CPU_SET(cpu, &one);
        (void)sched_setaffinity(0, sizeof one, &one);
    }
#else
    (void)member;
#endif
}

/* ---- disturbances ---- */

struct usage {
    double wall, own, busy, stolen; /* seconds; of all processors */
};

static double seconds(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static struct usage usage(void) {
    struct usage u = {0, 0, 0, 0};
    struct timespec t;
    struct rusage self;
    unsigned long long v[8];
    double tick = 1 / (double)sysconf(_SC_CLK_TCK);
    clock_gettime(CLOCK_MONOTONIC, &t);
    u.wall = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    if (!getrusage(RUSAGE_SELF, &self))
        u.own = seconds(self.ru_utime) + seconds(self.ru_stime);
    FILE *f = fopen("/proc/stat", "r");
    if (f && fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", v, v + 1, v + 2, v + 3, v + 4, v + 5,
                    v + 6, v + 7) == 8) {
        u.busy = tick * (double)(v[0] + v[1] + v[2] + v[5] + v[6]);
        u.stolen = tick * (double)v[7];
    }
    if (f)
        fclose(f);
    return u;
}

static struct usage began;

void bench_quiet_start(void) {
    began = usage();
}

void bench_quiet_end(char *out, size_t size) {
    enum { TENTH = 10 };
    struct usage now = usage();
    double wall = now.wall - began.wall, crew = bench_together_seconds();
    double others = (now.busy - began.busy - (now.own - began.own) - crew) / wall;
    double stolen = (now.stolen - began.stolen) / wall;
    size_t used = 0;
    *out = 0;
    if (wall < 1)
        return; /* the counters' steps are too coarse */
    if (others > 2.5 / TENTH)
        used += (size_t)snprintf(out, size, "other processes kept %.1f processors busy; ", others);
    if (stolen > 0.2 / TENTH && used < size)
        snprintf(out + used, size - used, "the hypervisor took %.0f %% of a processor; ", 100 * stolen);
}
