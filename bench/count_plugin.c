/*
 * A plugin of qemu's user mode for count.c: "-plugin file=...,mark=0x400560" writes, each time the instruction at that address runs, how
 * many have run since the last time. Debian has no package with qemu-plugin.h, so what is used of version 1 of its interface is declared here.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void on_translation(uint64_t id, struct qemu_plugin_tb *tb);
typedef void on_execution(unsigned cpu, void *data);
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, on_translation *cb);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, on_execution *cb, int flags,
                                                 void *data);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, on_execution *cb, int flags,
                                                   void *data);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;
__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int argc,
                                                               char **argv);

static uint64_t mark, count;

static void on_block(unsigned cpu, void *data) {
    (void)cpu;
    count += (uintptr_t)data;
}

/* The mark is the first instruction of a function and thus of a block, whose instructions count for what follows: as many each time. */
static void on_mark(unsigned cpu, void *data) {
    (void)cpu;
    printf(" %" PRIu64, count - (uintptr_t)data);
    fflush(stdout);
    count = (uintptr_t)data;
}

static void translate(uint64_t id, struct qemu_plugin_tb *tb) {
    size_t n = qemu_plugin_tb_n_insns(tb);
    struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, 0, (void *)(uintptr_t)n);
    if (qemu_plugin_insn_vaddr(first) == mark)
        qemu_plugin_register_vcpu_insn_exec_cb(first, on_mark, 0, (void *)(uintptr_t)n);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
    (void)info;
    for (int i = 0; i < argc; i++)
        if (!strncmp(argv[i], "mark=", 5))
            mark = strtoull(argv[i] + 5, NULL, 0);
    if (!mark)
        return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
