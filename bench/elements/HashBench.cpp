//===- HashBench.cpp - Content hash and comparison against memcpy ---------===//
//
// 50 million f32 (200 MB). The baseline is a memcpy of the bytes that are
// hashed or compared (of one side), between buffers that are resident. Limit of
// the hash: 1.0 (issue 4). To compare reads twice as much, as a memcpy moves
// twice as much as it reads.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/elements/Rows.h"
#include "onnxfold/elements/ContentHash.h"

using namespace onnxfold;
using namespace onnxfold::bench;

namespace {

void add(const char *name, double limit, std::function<void()> run) {
  auto measure = [=]() -> Values {
    HeapBuffer from(count * 4), to(count * 4);
    std::memset(from.data(), 1, from.size());
    std::memset(to.data(), 2, to.size());
    auto copy = [&] { copyHalves(to.data(), from.data(), count * 4); };
    run(); // makes what is made once
    PeakMeter peak;
    Medians times = measureInTurn(copy, run);
    Values values = {{"seconds", times.subject},
                     {"baseline", times.baseline},
                     {"peak_bytes", double(peak.bytes())},
                     {"limit_bytes", 8 << 20}};
    if (limit > 0)
      values["limit"] = limit;
    if (limit >= 1)
      addSpeedup(values, {}, copy, run);
    return values;
  };
  benchmark::RegisterBenchmark(name,
                               [measure](benchmark::State &state) {
                                 Inputs::get(); // shared by all children
                                 report(state, measure);
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void hash(const Elements &x) { benchmark::DoNotOptimize(contentHash(x)); }

void compare(const Elements &x, const Elements &y) {
  benchmark::DoNotOptimize(x.identicalTo(y));
}

const bool registered = [] {
  add("hash", 1.0, [] { hash(Inputs::get().x); });
  add("hash_transposed", 0, [] { hash(Inputs::get().x.transpose({1, 0})); });
  add("hash_chain_2", 0, [] {
    auto twice = [](auto v) { return v + v; };
    hash(map(map(Inputs::get().x, twice), twice));
  });
  add("hash_splat", 0.1, [] { hash(Elements::splat<float>({side, side}, 1)); });
  add("identical", 1.5, [] {
    static Elements same = Elements::build<float>(
        {side, side}, [](llvm::MutableArrayRef<float> out) {
          Inputs::get().x.read(out.data());
        });
    compare(Inputs::get().x, same);
  });
  add("identical_early_exit", 0.1,
      [] { compare(Inputs::get().x, Inputs::get().y); });
  return true;
}();

} // namespace
