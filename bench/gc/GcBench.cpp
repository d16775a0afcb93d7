//===- GcBench.cpp - Attributes: making, collecting, scrubbing ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each against what cannot be avoided: making an attribute against allocating
// 96 bytes for each; a collection against walking the same operations and
// looking at nothing; a safe point against comparing an atomic number; a pass
// that is collected in against writing the same bytes into one place; scrub
// and text against memcpy of the result's bytes, for one huge value into memory
// as fresh as the result's. On one thread, but for the rows of scrub that say
// how much two gain. peak_bytes of scrub is what it takes beside its input and
// its result: one value per thread at most.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/support/Measure.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/gc/Scrub.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstring>
#include <sys/mman.h>

using namespace onnxfold;

namespace gcBench {

template <class F> double bestSeconds(F body) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    auto start = Clock::now();
    body();
    best = std::min(
        best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

double memcpySeconds(uint64_t bytes) {
  std::vector<char> from(bytes, 1), to(bytes, 2);
  return bestSeconds([&] {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  });
}

/// A module with `count` operations, each with an attribute of `elements` f32.
struct Model {
  mlir::MLIRContext context;
  mlir::OpBuilder builder{&context};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ModuleRoot root;

  explicit Model(llvm::ThreadPoolInterface *pool = nullptr)
      : context(mlir::MLIRContext::Threading::DISABLED) {
    if (pool)
      context.setThreadPool(*pool);
    context.loadDialect<ElementsDialect>();
    context.allowUnregisteredDialects();
    module = mlir::ModuleOp::create(builder.getUnknownLoc());
    root = ModuleRoot(*module);
    builder.setInsertionPointToEnd(module->getBody());
  }

  void add(const Elements &x) {
    mlir::OperationState state(builder.getUnknownLoc(), "test.op");
    state.addAttribute(
        "x", DisposableElementsAttr::get(toTensorType(x, &context), x));
    builder.create(state);
  }
};

Elements ramp(int64_t count) {
  return Elements::build<float>({count}, [](llvm::MutableArrayRef<float> out) {
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = float(i);
  });
}

void makeAttributes(benchmark::State &state) {
  constexpr int64_t count = 100000;
  Elements x = ramp(200);
  Model model;
  auto type = toTensorType(x, &model.context);
  for (auto _ : state)
    for (int64_t i = 0; i < count; ++i)
      benchmark::DoNotOptimize(DisposableElementsAttr::get(type, x));
  state.counters["baseline"] = bestSeconds([&] {
    for (int64_t i = 0; i < count; ++i)
      benchmark::DoNotOptimize(std::malloc(96)); // kept, as a slot is
  });
}
BENCHMARK(makeAttributes)->Iterations(5)->Unit(benchmark::kMillisecond);

void collectAllAlive(benchmark::State &state) {
  Model model;
  Elements x = ramp(200);
  for (int64_t i = 0; i < 100000; ++i)
    model.add(x);
  DisposablePool &pool = DisposablePool::get(&model.context);
  for (auto _ : state)
    benchmark::DoNotOptimize(pool.collect());
  state.counters["baseline"] = bestSeconds([&] {
    size_t operations = 0;
    model.module->walk([&](mlir::Operation *) { ++operations; });
    benchmark::DoNotOptimize(operations);
  });
}
BENCHMARK(collectAllAlive)->Unit(benchmark::kMillisecond);

void safePoint(benchmark::State &state) {
  constexpr int count = 10000000;
  Model model;
  struct Pass : mlir::PassWrapper<Pass, mlir::OperationPass<>> {
    void runOnOperation() override {
      DisposablePool &pool = DisposablePool::get(&getContext());
      seconds = bestSeconds([&] {
        for (int i = 0; i < count; ++i)
          pool.safePoint();
      });
    }
    double seconds = 0;
  };
  mlir::PassManager pm(&model.context);
  addCollector(pm);
  auto pass = std::make_unique<Pass>();
  Pass &run = *pass;
  pm.addPass(std::move(pass));
  for (auto _ : state) {
    (void)pm.run(*model.module);
    state.SetIterationTime(run.seconds);
  }
  std::atomic<uint64_t> clock = 0;
  state.counters["baseline"] = bestSeconds([&] {
    for (int i = 0; i < count; ++i)
      if (clock.load(std::memory_order_relaxed) > 10)
        benchmark::DoNotOptimize(i);
  });
  state.counters["nanoseconds"] = run.seconds / count * 1e9;
}
BENCHMARK(safePoint)->Iterations(1)->UseManualTime()->Unit(
    benchmark::kMillisecond);

/// 2 GB in values of 100 KB, each the only one in use.
void collectInsideAPass(benchmark::State &state) {
  constexpr int count = 20000;
  constexpr int64_t bytes = 100 << 10;
  struct Pass : mlir::PassWrapper<Pass, mlir::OperationPass<>> {
    void runOnOperation() override {
      DisposablePool &pool = DisposablePool::get(&getContext());
      mlir::Operation *op = &getOperation()->getRegion(0).front().front();
      for (int i = 0; i < count; ++i) {
        Elements x = Elements::build<int8_t>(
            {bytes}, [&](llvm::MutableArrayRef<int8_t> out) {
              std::memset(out.data(), i, out.size());
            });
        op->setAttr("x", DisposableElementsAttr::get(
                             toTensorType(x, &getContext()), x));
        pool.safePoint();
      }
    }
  };
  bench::report(state, [&]() -> bench::Values {
    Model model;
    model.add(ramp(1));
    mlir::PassManager pm(&model.context);
    addCollector(pm);
    pm.addPass(std::make_unique<Pass>());
    bench::PeakMeter meter;
    double seconds = bench::secondsOf([&] { (void)pm.run(*model.module); });
    double peak = double(meter.bytes());
    std::vector<char> place(bytes);
    double baseline = bench::secondsOf([&] {
      for (int i = 0; i < count; ++i) {
        std::memset(place.data(), i, place.size());
        benchmark::ClobberMemory();
      }
    });
    auto statistics = DisposablePool::get(&model.context).statistics();
    return {{"seconds", seconds},
            {"baseline", baseline},
            {"peak_bytes", peak},
            {"limit_bytes", 16 << 20},
            {"collections", double(statistics.collections)},
            {"collecting", double(statistics.nanoseconds) * 1e-9}};
  });
}
BENCHMARK(collectInsideAPass)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// memcpy into fresh huge pages, by as many threads as there are.
double freshCopySeconds(const char *from, int64_t bytes) {
  void *to = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(to, bytes, MADV_HUGEPAGE);
  double seconds = bench::secondsOf([&] {
    parallelFor(bytes, 1 << 20, [&](int64_t begin, int64_t end) {
      std::memcpy(static_cast<char *>(to) + begin, from + begin, end - begin);
    });
  });
  munmap(to, bytes);
  return seconds;
}

struct ScrubTimes {
  double seconds, baseline;
  int64_t peak; // beside input and result
};

/// The values of `make`, scrubbed; the best of three.
ScrubTimes scrubTimes(llvm::function_ref<void(Model &)> make, ScrubForm form,
                      unsigned threads) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  std::optional<ParallelScope> scope;
  if (threads > 1)
    scope.emplace(pool);
  ScrubTimes best = {1e9, 1e9, 0};
  for (int i = 0; i < 3; ++i) {
    Model model(threads > 1 ? &pool : nullptr);
    make(model);
    bench::PeakMeter meter;
    ScrubResult result;
    double seconds = bench::secondsOf(
        [&] { result = scrub(*model.module, {.form = form}); });
    best.seconds = std::min(best.seconds, seconds);
    // What scrub frees while it runs is not part of the peak.
    best.peak = std::max(best.peak, meter.bytes() - int64_t(result.bytes));
    std::vector<char> from(result.bytes, 1);
    best.baseline =
        std::min(best.baseline, freshCopySeconds(from.data(), result.bytes));
  }
  return best;
}

void scrubRow(benchmark::State &state, llvm::function_ref<void(Model &)> make,
              ScrubForm form, double limitBytes) {
  bench::report(state, [&]() -> bench::Values {
    ScrubTimes one = scrubTimes(make, form, 1);
    ScrubTimes two = scrubTimes(make, form, 2);
    return {{"seconds", one.seconds},
            {"baseline", one.baseline},
            {"speedup", one.seconds / two.seconds},
            {"speedup_possible", one.baseline / two.baseline},
            {"peak_bytes", double(std::max(one.peak, two.peak))},
            {"limit_bytes", limitBytes}};
  });
}

/// 200 MB in one value, whose elements must move.
void addHuge(Model &model) {
  model.add(ramp(50000000).reshape({10000, 5000}).transpose({1, 0}));
}

void scrubHugeToResource(benchmark::State &state) {
  scrubRow(state, addHuge, ScrubForm::Resource, 8 << 20);
}
BENCHMARK(scrubHugeToResource)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// DenseElementsAttr copies and hashes what it is made of, on one thread.
void scrubHugeToDense(benchmark::State &state) {
  scrubRow(state, addHuge, ScrubForm::Dense, 208 << 20);
}
BENCHMARK(scrubHugeToDense)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// 200 MB in values of 4 MB. Each dies as soon as it is converted.
void scrubToDense(benchmark::State &state) {
  auto make = [](Model &model) {
    for (int64_t i = 0; i < 50; ++i)
      model.add(ramp(1000000 + i));
  };
  scrubRow(state, make, ScrubForm::Dense, 8 << 20);
}
BENCHMARK(scrubToDense)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void printAsHex(benchmark::State &state) {
  constexpr int64_t count = 4000000;
  Model model;
  model.add(ramp(count));
  size_t size = 0;
  for (auto _ : state) {
    std::string text;
    llvm::raw_string_ostream os(text);
    model.module->print(os);
    size = text.size();
  }
  state.counters["baseline"] = memcpySeconds(size);
}
BENCHMARK(printAsHex)->Unit(benchmark::kMillisecond);

} // namespace gcBench
