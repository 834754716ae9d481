/* Rows of several processes at once. The library has no state that threads could fight for, so processes, whose memory nothing shares, stand
 * for them; they are forked when the first such row runs, when all rows have their operands. */
#define _GNU_SOURCE
#include "bench.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct order {
    const struct bench_row *row;
    size_t count;
};
enum { MEMBERS = 1024 };
static struct shared {
    _Atomic unsigned ready, done, go;
    struct span {
        double begin, end;
        char apart[48]; /* no cache line is shared */
    } spans[MEMBERS];
} * shared;
static int pipes[MEMBERS]; /* of the orders; member 0 is this process */
static unsigned members = 1;
static double others_seconds;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Makes the operands, waits for all, runs. */
static void work(unsigned member, struct order o, unsigned turn) {
    if (o.row->before)
        o.row->before(o.row->arg);
    atomic_fetch_add(&shared->ready, 1);
    if (!member) {
        while (atomic_load(&shared->ready) < o.row->threads)
            sched_yield();
        atomic_store(&shared->ready, 0);
        atomic_store(&shared->done, 0);
        atomic_store(&shared->go, turn);
    }
    while (atomic_load(&shared->go) != turn)
        sched_yield();
    shared->spans[member].begin = now();
    o.row->fn(o.row->arg, o.count);
    shared->spans[member].end = now();
    if (bench_failure())
        bench_die("an operation failed in a process beside the first");
    atomic_fetch_add(&shared->done, 1);
}

static _Noreturn void serve(unsigned member, int orders) {
    struct order o;
    unsigned turn;
    bench_pin_member(member);
    /* Ends with the first process, which has the pipe's other end. */
    while (read(orders, &o, sizeof o) == (ssize_t)sizeof o &&
           read(orders, &turn, sizeof turn) == (ssize_t)sizeof turn)
        work(member, o, turn);
    _exit(0);
}

static void add_member(void) {
    int ends[2];
    if (members == MEMBERS || pipe(ends))
        bench_die("no more processes");
    pid_t child = fork();
    if (child < 0)
        bench_die("fork failed");
    if (!child) {
        close(ends[1]);
        for (unsigned i = 1; i < members; i++)
            close(pipes[i]);
        serve(members, ends[0]);
    }
    close(ends[0]);
    pipes[members++] = ends[1];
}

double bench_together(const struct bench_row *row, size_t count) {
    static unsigned turn;
    const struct order o = {row, count};
    double begin, end;
    if (!shared) {
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED)
            bench_die("no shared memory");
    }
    while (members < row->threads)
        add_member();
    turn++;
    for (unsigned i = 1; i < row->threads; i++)
        if (write(pipes[i], &o, sizeof o) != (ssize_t)sizeof o ||
            write(pipes[i], &turn, sizeof turn) != (ssize_t)sizeof turn)
            bench_die("a process beside the first is gone");
    work(0, o, turn);
    while (atomic_load(&shared->done) < row->threads)
        sched_yield();
    begin = shared->spans[0].begin;
    end = shared->spans[0].end;
    for (unsigned i = 1; i < row->threads; i++) {
        const struct span *s = &shared->spans[i];
        begin = s->begin < begin ? s->begin : begin;
        end = s->end > end ? s->end : end;
        others_seconds += s->end - s->begin;
    }
    return end - begin;
}

double bench_together_seconds(void) {
    return others_seconds;
}

void bench_threads(unsigned most) {
    static const char *const ops[] = {"sign", "sign_batch64", "verify", "verify_batch64"};
    const struct bench_row *found;
    char scheme[32], op[32], isa[16];
    if (most > bench_processors()) {
        fprintf(stderr, "limbic-bench: --threads=%u: there are %u processors\n", most, bench_processors());
        exit(2);
    }
    for (size_t i = 0; (found = bench_row_at(i)) != NULL && !found->threads; i++) {
        int known = 0;
        struct bench_row row = *found;
        if (sscanf(row.name, "scheme/%31[^/]/%31[^/]/%15s", scheme, op, isa) != 3 || row.batch || row.cold)
            continue;
        for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
            known |= !strcmp(op, ops[k]);
        for (unsigned n = 1; known && !strcmp(isa, "auto"); n = n < most && 2 * n > most ? most : 2 * n) {
            if (n > most)
                break;
            row.threads = n;
            BENCH_NAME(&row, "scheme/%s/%s/auto/threads:%u", scheme, op, n);
            BENCH_GROUP(&row, "threads/%s/%s", scheme, op);
            bench_add(&row);
        }
    }
}
