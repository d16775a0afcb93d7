//===- GcBench.cpp - Attributes: making, collecting, scrubbing ------------===//
//
// Each against what cannot be avoided, on one thread: making an attribute
// against allocating 96 bytes for each; a collection against walking the same
// operations and looking at nothing; scrub and text against memcpy of the
// result's bytes into resident memory.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ElementsAttrBuilder.h"
#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/gc/Scrub.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstring>

using namespace onnxfold;

namespace {

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
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OpBuilder builder{&context};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ModuleRoot root;

  Model() {
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

void scrubToDense(benchmark::State &state) {
  constexpr int64_t pieces = 50, count = 1000000;
  for (auto _ : state) {
    state.PauseTiming();
    auto model = std::make_unique<Model>();
    for (int64_t i = 0; i < pieces; ++i)
      model->add(ramp(count + i));
    state.ResumeTiming();
    scrub(*model->module);
    state.PauseTiming();
    model.reset();
    state.ResumeTiming();
  }
  state.counters["baseline"] = memcpySeconds(pieces * count * 4);
}
BENCHMARK(scrubToDense)->Iterations(3)->Unit(benchmark::kMillisecond);

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

} // namespace
