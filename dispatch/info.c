/* What runs here, for the public interface. */
#include "dispatch/dispatch.h"
#include "limbic/limbic.h"

#include <string.h>

size_t limbic_row_count(void) {
    return limbic_rows_count;
}

limbic_status limbic_row(size_t i, limbic_row_info *info) {
    if (!info)
        return LIMBIC_ERR_NULL;
    if (i >= limbic_rows_count)
        return LIMBIC_ERR_LENGTH;
    const struct limbic_row *row = &limbic_rows[i];
    info->unit = limbic_unit_name(row->unit);
    info->op = limbic_op_name(row->op);
    info->isa = limbic_isa_name(row->isa);
    info->chosen = limbic_row_state(row) == LIMBIC_ROW_chosen;
    info->usable = limbic_row_usable(row);
    limbic_row_reason(row, info->reason, sizeof info->reason);
    return LIMBIC_OK;
}

size_t limbic_cpu_features(char *out, size_t size) {
    const struct limbic_cpu *cpu = limbic_cpu();
    size_t used = 0;
    if (!out)
        size = 0;
    for (unsigned i = 0; i < LIMBIC_FEATURES; i++) {
        if (!((cpu->enabled & ~cpu->off) >> i & 1))
            continue;
        const char *name = limbic_feature_name(i);
        if (used++ && used - 1 < size)
            out[used - 2] = ' ';
        for (; *name; name++, used++)
            if (used < size)
                out[used - 1] = *name;
    }
    if (size)
        out[used < size ? (used ? used - 1 : 0) : size - 1] = 0;
    return used ? used - 1 : 0;
}

const char *limbic_cpu_unknown_words(void) {
    return limbic_cpu_unknown();
}
