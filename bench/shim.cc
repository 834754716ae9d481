#include "shim.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <regex>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

std::vector<bench_row> rows;
std::string out_name;
bool quiet; /* rows that can't run are not named */
bool list_only;
const char *failure;
bool any_failed;
/* Of each sample. */
std::vector<double> shares, clocks;

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    size_t n = v.size();
    return n ? (v[(n - 1) / 2] + v[n / 2]) / 2 : 0;
}

double mean(const std::vector<double> &v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(std::max<size_t>(v.size(), 1));
}

/* The value below which the part q of v lies. */
double quantile(std::vector<double> v, double q) {
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[static_cast<size_t>(q * static_cast<double>(v.size() - 1) + 0.5)];
}

/* JSON into one file over all runs of the library, and a line a row on the standard output. The context comes first in the file and is
 * known last: rows wait in memory. */
class Reporter : public benchmark::JSONReporter {
  public:
    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &runs) override {
        std::vector<Run> named = runs;
        std::vector<double> rate, cycles;
        bool failed = false;
        for (Run &run : named) {
            /* The library appends how it was told to run: the name is the row's alone. */
            bool manual = !run.run_name.time_type.empty();
            run.run_name.iterations.clear();
            run.run_name.min_time.clear();
            run.run_name.time_type.clear();
            if (run.run_type != Run::RT_Iteration)
                continue;
            if (run.error_occurred) {
                if (!failed)
                    std::fprintf(stderr, "\n%s: FAILED: %s\n", run.benchmark_name().c_str(),
                                 run.error_message.c_str());
                failed = any_failed = true;
                continue;
            }
            if (!manual && run.real_accumulated_time > 0)
                shares.push_back(run.cpu_accumulated_time / run.real_accumulated_time);
            rate.push_back(run.counters["items_per_second"]);
            cycles.push_back(run.counters["cycles"]);
        }
        if (rate.size() > 3)
            spreads.push_back((quantile(rate, 0.75) - quantile(rate, 0.25)) / median(rate));
        if (!rate.empty())
            std::printf("%-48s %14.1f/s %14.1f cycles\n", named[0].benchmark_name().c_str(), median(rate),
                        median(cycles));
        if (file.is_open())
            JSONReporter::ReportRuns(named);
    }
    void Finalize() override {}
    bool open() {
        if (out_name.empty())
            return true;
        file.open(out_name);
        SetOutputStream(&rows_text);
        return file.good();
    }
    bool close() {
        warn();
        if (!file.is_open())
            return true;
        SetOutputStream(&file);
        JSONReporter::ReportContext(Context());
        file << rows_text.str();
        JSONReporter::Finalize();
        file.close();
        return !file.fail();
    }

  private:
    /* What makes the figures doubtful, on the standard error and into the context. */
    void warn() {
        char text[512];
        bench_quiet_end(text, sizeof text);
        std::string all = text;
        auto add = [&](const char *format, double a, double b) {
            std::snprintf(text, sizeof text, format, a, b);
            all += text;
        };
        double share = mean(shares), low = quantile(clocks, 0.05), high = quantile(clocks, 0.95);
        double wide = static_cast<double>(
            std::count_if(spreads.begin(), spreads.end(), [](double s) { return s > 0.1; }));
        if (!shares.empty() && share < 0.97)
            add("this process had %.0f %% of its processor; ", 100 * share, 0);
        if (high > 1.05 * low)
            add("the clock went from %.2f to %.2f GHz (throttled, or boosted at times); ", low, high);
        if (wide > 0.1 * static_cast<double>(spreads.size()))
            add("%.0f of %.0f rows have repetitions more than 10 %% apart (quartiles); ", wide,
                static_cast<double>(spreads.size()));
        if (!all.empty()) {
            all.resize(all.size() - 2);
            std::fprintf(stderr, "limbic-bench: WARNING: %s\n", all.c_str());
        }
        bench_context("warnings", all.c_str());
        add("%.3f to %.3f", low, high);
        bench_context("clock_ghz_range", text);
    }
    std::ofstream file;
    std::ostringstream rows_text;
    std::vector<double> spreads;
};

/* One sample. Its iterations run in chunks, with the clock calibrated between them: cycles is the median of
 * the chunks, so that neither a change of the core's speed nor another process in one of them shows. All
 * loops are fn's own: Debian's library is a debug build. */
void sample(benchmark::State &state, const bench_row &row) {
    size_t total = static_cast<size_t>(state.max_iterations);
    if (row.threads) {
        while (state.KeepRunningBatch(state.max_iterations))
            state.SetIterationTime(bench_together(&row, total));
        state.SetItemsProcessed(state.iterations() * row.threads * (row.items ? row.items : 1));
        state.counters["at"] =
            std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
        return;
    }
    size_t chunks = row.cold ? total : std::min<size_t>(total, 32);
    std::vector<double> cycles, ticks;
    double cycles_per_tick = 0;
    double at = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();

    bench_failure();
    if (row.before)
        row.before(row.arg);
    while (state.KeepRunningBatch(state.max_iterations)) {
        state.PauseTiming();
        double rate = bench_cycles_per_tick();
        cycles_per_tick = 0;
        for (size_t i = 0; i < chunks; i++) {
            size_t count = total * (i + 1) / chunks - total * i / chunks;
            if (row.cold)
                bench_evict();
            state.ResumeTiming();
            uint64_t start = bench_ticks();
            row.fn(row.arg, count);
            double each = static_cast<double>(bench_ticks() - start) / static_cast<double>(count);
            state.PauseTiming();
            double next = bench_cycles_per_tick();
            ticks.push_back(each);
            cycles.push_back(each * (rate + next) / 2);
            cycles_per_tick += (rate + next) / 2;
            rate = next;
        }
        state.ResumeTiming();
        /* The library's own stop watch is a system call and would run with cold caches as well. */
        if (row.cold)
            state.SetIterationTime(median(ticks) * static_cast<double>(total) / bench_ticks_per_second());
    }
    if (const char *message = bench_failure())
        state.SkipWithError(message);
    const unsigned items = row.items ? row.items : 1;
    state.SetItemsProcessed(state.iterations() * items);
    state.counters["cycles"] = (row.batch ? mean(cycles) : median(cycles)) / items;
    state.counters["at"] = at;
    clocks.push_back(cycles_per_tick / static_cast<double>(chunks) * bench_ticks_per_second() * 1e-9);
    state.counters["ghz"] = clocks.back();
    if (row.batch)
        state.counters["random"] = 1;
}

bool wanted(const char *name) {
    static const std::string filter = benchmark::GetBenchmarkFilter();
    static const bool negative = !filter.empty() && filter[0] == '-';
    try {
        static const std::regex pattern(filter.empty() || filter == "all" ? "." : filter.substr(negative));
        return std::regex_search(name, pattern) != negative;
    } catch (const std::regex_error &e) {
        std::fprintf(stderr, "limbic-bench: --benchmark_filter: %s\n", e.what());
        std::exit(2);
    }
}

void help() {
    std::puts(
        "limbic-bench: kernels and schemes of every instruction set, beside OpenSSL and GMP\n"
        "  [--benchmark_filter=REGEX]       rows to run\n"
        "  [--benchmark_list_tests]         list them\n"
        "  [--benchmark_out=FILE]           JSON, for bench/report.py\n"
        "  [--benchmark_repetitions=N]      samples a row\n"
        "  [--benchmark_min_time=SECONDS]   of a sample\n"
        "  [--threads=N]                    also 1, 2, 4 ... N processes at once\n"
        "limbic-bench --sm2-rsa: SM2 against RSA-2048 as one table (times, heap, sizes), beside OpenSSL and "
        "BouncyCastle\n"
        "  [--json]                         for programs\n"
        "  [--rounds=N]                     slices of 10 ms a cell (30)\n"
        "  [--isa=NAME]                     Limbic on one instruction set (c: portable C), not on the best\n"
        "  [--bcprov=FILE]                  BouncyCastle (/usr/share/java/bcprov.jar)");
}

bool page_flag(const char *flag, bench_page *page) {
    static const char rounds[] = "--rounds=", isa[] = "--isa=", bcprov[] = "--bcprov=";
    if (!std::strcmp(flag, "--json"))
        page->json = 1;
    else if (!std::strncmp(flag, rounds, sizeof rounds - 1))
        page->rounds = static_cast<unsigned>(std::strtoul(flag + sizeof rounds - 1, nullptr, 10));
    else if (!std::strncmp(flag, isa, sizeof isa - 1))
        page->isa = flag + sizeof isa - 1;
    else if (!std::strncmp(flag, bcprov, sizeof bcprov - 1))
        page->bcprov = flag + sizeof bcprov - 1;
    else
        return !std::strcmp(flag, "--sm2-rsa");
    return true;
}

} // namespace

void bench_init(int argc, char **argv, bench_page *page) {
    static char interleave[] = "--benchmark_enable_random_interleaving=true";
    static char repetitions[] = "--benchmark_repetitions=15";
    static char min_time[] = "--benchmark_min_time=0.01";
    static const char out_flag[] = "--benchmark_out=";
    static std::vector<char *> args{argv[0], interleave, repetitions, min_time};
    for (int i = 1; i < argc; i++)
        page->sm2_rsa |= !std::strcmp(argv[i], "--sm2-rsa");
    quiet = page->sm2_rsa;
    static const char threads_flag[] = "--threads=";
    for (int i = 1; i < argc; i++) {
        if (page->sm2_rsa && page_flag(argv[i], page))
            continue;
        if (!std::strncmp(argv[i], threads_flag, sizeof threads_flag - 1)) {
            page->threads =
                static_cast<unsigned>(std::strtoul(argv[i] + sizeof threads_flag - 1, nullptr, 10));
            continue;
        }
        /* The library would begin the file anew with each run, and list names with suffixes. */
        if (!std::strncmp(argv[i], out_flag, sizeof out_flag - 1))
            out_name = argv[i] + sizeof out_flag - 1;
        else if (!std::strcmp(argv[i], "--benchmark_list_tests"))
            list_only = true;
        else
            args.push_back(argv[i]);
    }
    int n = static_cast<int>(args.size());
    args.push_back(nullptr);
    benchmark::Initialize(&n, args.data(), help);
    if (benchmark::ReportUnrecognizedArguments(n, args.data()))
        std::exit(2);
}

void bench_add(const bench_row *row) {
    if (row->cold && !bench_ticks())
        bench_not_run(row->name, "no time stamp counter is known for this architecture");
    else if (wanted(row->name))
        rows.push_back(*row);
}

void bench_context(const char *key, const char *value) {
    benchmark::AddCustomContext(key, value);
}

void bench_not_run(const char *name, const char *reason) {
    if (!wanted(name))
        return;
    bench_context((std::string("not run ") + name).c_str(), reason);
    if (!list_only && !quiet)
        std::printf("%-48s not run: %s\n", name, reason);
}

void bench_fail(const char *message) {
    failure = message;
}

const char *bench_failure(void) {
    return std::exchange(failure, nullptr);
}

const bench_row *bench_find(const char *name) {
    for (const bench_row &row : rows)
        if (!std::strcmp(row.name, name))
            return &row;
    return nullptr;
}

const bench_row *bench_row_at(size_t i) {
    return i < rows.size() ? &rows[i] : nullptr;
}

int bench_run(void) {
    if (list_only) {
        for (const bench_row &row : rows)
            std::puts(row.name);
        return 0;
    }
    if (rows.empty()) {
        std::fprintf(stderr, "no row of that name\n");
        return 1;
    }
    std::vector<std::string> groups;
    for (const bench_row &row : rows)
        if (std::find(groups.begin(), groups.end(), row.group) == groups.end())
            groups.push_back(row.group);

    Reporter reporter;
    if (!reporter.open()) {
        std::perror(out_name.c_str());
        return 1;
    }
    /* On a terminal one line of progress; if that terminal also shows the rows, it stays out of their way. */
    bool tty = isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO);
    size_t done = 0;
    bench_quiet_start();
    for (const std::string &group : groups) {
        std::fprintf(stderr, "%s[%zu/%zu] %s%s", tty ? "\r\033[K" : "", ++done, groups.size(), group.c_str(),
                     tty ? "" : "\n");
        benchmark::ClearRegisteredBenchmarks();
        for (const bench_row &row : rows) {
            if (group != row.group)
                continue;
            benchmark::internal::Benchmark *b = benchmark::RegisterBenchmark(
                row.name, [&row](benchmark::State &state) { sample(state, row); });
            if (row.threads)
                b->UseManualTime()->MinTime(0.02);
            else if (row.cold)
                b->UseManualTime()->Iterations(16);
            else if (row.batch)
                b->Iterations(row.batch);
        }
        benchmark::RunSpecifiedBenchmarks(&reporter, ".");
        std::fflush(stdout);
    }
    if (tty)
        std::fputs("\r\033[K", stderr);
    if (!reporter.close()) {
        std::perror(out_name.c_str());
        return 1;
    }
    return any_failed;
}
