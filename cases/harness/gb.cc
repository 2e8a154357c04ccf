/* SPDX-License-Identifier: MIT */
/*
 * The C++ side of gb.h.  A gb_state is a benchmark::State seen from C; the
 * pointer is handed through, nothing is allocated per run.
 */
#include "harness/gb.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

namespace
{

benchmark::State &state_of(gb_state *st)
{
    return *reinterpret_cast<benchmark::State *>(st);
}

/*
 * Hands everything on to google-benchmark's own display, and counts runs
 * that failed: the library ends with 0 whatever SkipWithError() said.
 */
class CountingReporter : public benchmark::BenchmarkReporter
{
  public:
    explicit CountingReporter(benchmark::BenchmarkReporter *display)
        : display_(display)
    {
    }

    bool ReportContext(const Context &context) override
    {
        display_->SetOutputStream(&GetOutputStream());
        display_->SetErrorStream(&GetErrorStream());
        return display_->ReportContext(context);
    }

    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs)
            if (run.error_occurred)
                failed_++;
        display_->ReportRuns(runs);
    }

    void Finalize() override
    {
        display_->Finalize();
    }

    size_t failed() const
    {
        return failed_;
    }

  private:
    benchmark::BenchmarkReporter *display_;
    size_t failed_ = 0;
};

} // namespace

extern "C" {

void gb_init(int *argc, char **argv)
{
    benchmark::Initialize(argc, argv);
}

void gb_register(const char *name, gb_body *body, const void *user)
{
    benchmark::RegisterBenchmark(name, [body, user](benchmark::State &state) {
        body(reinterpret_cast<gb_state *>(&state), user);
    });
}

void gb_context(const char *key, const char *value)
{
    benchmark::AddCustomContext(key, value);
}

size_t gb_run(size_t *failed)
{
    std::unique_ptr<benchmark::BenchmarkReporter> display(
        benchmark::CreateDefaultDisplayReporter());
    CountingReporter reporter(display.get());
    size_t matched = benchmark::RunSpecifiedBenchmarks(&reporter);
    *failed = reporter.failed();
    return matched;
}

uint64_t gb_begin(struct gb_state *st)
{
    benchmark::State &state = state_of(st);
    auto n = state.max_iterations;
    return state.KeepRunningBatch(n) ? static_cast<uint64_t>(n) : 0;
}

void gb_end(struct gb_state *st)
{
    benchmark::State &state = state_of(st);
    state.KeepRunningBatch(state.max_iterations);
}

void gb_fail(struct gb_state *st, const char *why)
{
    state_of(st).SkipWithError(why);
    /* The library wants the loop entered, if only to be turned away. */
    state_of(st).KeepRunningBatch(1);
}

void gb_bytes(struct gb_state *st, uint64_t bytes)
{
    state_of(st).SetBytesProcessed(static_cast<int64_t>(bytes));
}
}
