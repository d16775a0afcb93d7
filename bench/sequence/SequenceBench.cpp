//===- SequenceBench.cpp - Sequences beside vectors of shared pointers ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiled programs (--lower-sequence-to-llvm, then LLVM's -O2) that append,
// insert in the middle and at the front, erase in the middle, read elements, and
// append to a sequence that is kept, on sequences of 10 to 100,000 tensors of four
// floats. The baseline does the same in C++ with
// std::vector<std::shared_ptr<Tensor>>, in turn with them; a figure is the time
// of one operation. Nothing may take more than twice as long.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dealloc/optimizer/Optimizer.h"
#include "onnxfold/sequence/runtime/Sequence.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/tests/lib/jit/Jit.h"
#include "onnxfold/tests/sequence/run/RuntimeSymbols.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/TargetSelect.h"
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <memory>
#include <vector>

using namespace onnxfold;
using namespace onnxfold::sequence;

namespace sequenceBench {

const char *source = R"mlir(
!seq = !sequence.seq<tensor<4xf32>, ?>

func.func @append(%n: index) -> !seq attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = sequence.empty : !sequence.seq<tensor<4xf32>, ?>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%s = %empty) -> !seq {
    %wide = arith.index_cast %i : index to i32
    %value = arith.sitofp %wide : i32 to f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%value : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %t = sequence.insert %1 into %s : tensor<4xf32>, !seq -> !seq
    scf.yield %t : !seq
  }
  return %s : !seq
}

func.func @insert(%s: !seq, %times: index) -> !seq attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%a = %s) -> !seq {
    %n = sequence.length %a : !seq
    %middle = arith.divui %n, %c2 : index
    %e = sequence.at %a[%c0] : !seq -> tensor<4xf32>
    %b = sequence.insert %e into %a at %middle : tensor<4xf32>, !seq -> !seq
    scf.yield %b : !seq
  }
  return %r : !seq
}

func.func @prepend(%s: !seq, %times: index) -> !seq attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%a = %s) -> !seq {
    %e = sequence.at %a[%c0] : !seq -> tensor<4xf32>
    %b = sequence.insert %e into %a at %c0 : tensor<4xf32>, !seq -> !seq
    scf.yield %b : !seq
  }
  return %r : !seq
}

func.func @append_one(%s: !seq) -> !seq attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %e = sequence.at %s[%c0] : !seq -> tensor<4xf32>
  %t = sequence.insert %e into %s : tensor<4xf32>, !seq -> !seq
  return %t : !seq
}

func.func @erase(%s: !seq, %times: index) -> !seq attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %times step %c1 iter_args(%a = %s) -> !seq {
    %n = sequence.length %a : !seq
    %middle = arith.divui %n, %c2 : index
    %b = sequence.erase %a at %middle : !seq -> !seq
    scf.yield %b : !seq
  }
  return %r : !seq
}

func.func @sum(%s: !seq) -> f32 attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = sequence.length %s : !seq
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f32 {
    %e = sequence.at %s[%i] : !seq -> tensor<4xf32>
    %x = tensor.extract %e[%c1] : tensor<4xf32>
    %next = arith.addf %sum, %x : f32
    scf.yield %next : f32
  }
  return %r : f32
}
)mlir";

struct Programs {
  Programs();
  template <typename Function> Function *get(const char *name) {
    return reinterpret_cast<Function *>(llvm::cantFail(engine->lookup(name)));
  }
  mlir::MLIRContext context;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*append)(SequenceValue *, int64_t);
  void (*insert)(SequenceValue *, SequenceStorage *, int64_t, int64_t);
  void (*prepend)(SequenceValue *, SequenceStorage *, int64_t, int64_t);
  void (*appendOne)(SequenceValue *, SequenceStorage *, int64_t);
  void (*erase)(SequenceValue *, SequenceStorage *, int64_t, int64_t);
  float (*sum)(SequenceStorage *, int64_t);
};

Programs::Programs() {
  mlir::DialectRegistry registry;
  registerJitDialects(registry);
  registerSequenceDialects(registry);
  context.appendDialectRegistry(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  mlir::PassManager manager(&context);
  buildLowerSequenceToLLVM(manager);
  if (failed(manager.run(*module)))
    std::abort();
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  mlir::ExecutionEngineOptions options;
  auto transform = [](llvm::Module *lowered) {
    onnxfold::optimize(*lowered, /*level=*/2, /*machine=*/nullptr);
    return llvm::Error::success();
  };
  options.transformer = transform;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Default;
  engine = llvm::cantFail(mlir::ExecutionEngine::create(*module, options));
  engine->registerSymbols([](llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap map;
    for (auto &[name, address] : runtimeSymbols())
      map[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                           llvm::JITSymbolFlags::Exported};
    return map;
  });
  append = get<void(SequenceValue *, int64_t)>("_mlir_ciface_append");
  insert = get<void(SequenceValue *, SequenceStorage *, int64_t, int64_t)>(
      "_mlir_ciface_insert");
  prepend = get<void(SequenceValue *, SequenceStorage *, int64_t, int64_t)>(
      "_mlir_ciface_prepend");
  appendOne = get<void(SequenceValue *, SequenceStorage *, int64_t)>(
      "_mlir_ciface_append_one");
  erase = get<void(SequenceValue *, SequenceStorage *, int64_t, int64_t)>(
      "_mlir_ciface_erase");
  sum = get<float(SequenceStorage *, int64_t)>("_mlir_ciface_sum");
}

Programs &programs() {
  static Programs programs;
  return programs;
}

struct Tensor {
  int64_t shape[1] = {4};
  alignas(16) float data[4];
};
using Vector = std::vector<std::shared_ptr<Tensor>>;

Vector vectorOf(int64_t n) {
  Vector vector;
  for (int64_t i = 0; i < n; ++i) {
    auto tensor = std::make_shared<Tensor>();
    std::fill_n(tensor->data, 4, float(i));
    vector.push_back(std::move(tensor));
  }
  return vector;
}

Sequence sequenceOf(int64_t n) {
  SequenceValue value;
  programs().append(&value, n);
  return Sequence(value);
}

Sequence changed(void (*change)(SequenceValue *, SequenceStorage *, int64_t,
                                int64_t),
                 Sequence sequence, int64_t times) {
  SequenceValue in = std::move(sequence).give(), out;
  change(&out, in.storage, in.length, times);
  return Sequence(out);
}

template <typename F> double secondsOf(F body) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  body();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

/// Times both in turn, medians count; each body does `operations` operations
/// and gives the seconds that they took.
template <typename Ours, typename Theirs>
void compare(benchmark::State &state, int64_t operations, Ours ours,
             Theirs theirs) {
  for (auto _ : state) {
    std::vector<double> seconds, baseline;
    for (int round = 0; round < 31; ++round) {
      baseline.push_back(theirs() / operations);
      seconds.push_back(ours() / operations);
    }
    state.SetIterationTime(median(seconds));
    state.counters["baseline"] = median(baseline);
  }
  state.counters["limit"] = 2;
}

void append(benchmark::State &state) {
  int64_t n = state.range(0), rounds = std::max<int64_t>(1, 20000 / n);
  compare(
      state, n * rounds,
      [&] {
        double seconds = 0;
        for (int64_t i = 0; i < rounds; ++i) {
          Sequence sequence;
          seconds += secondsOf([&] { sequence = sequenceOf(n); });
        }
        return seconds;
      },
      [&] {
        double seconds = 0;
        for (int64_t i = 0; i < rounds; ++i) {
          Vector vector;
          seconds += secondsOf([&] { vector = vectorOf(n); });
          benchmark::DoNotOptimize(vector.data());
        }
        return seconds;
      });
}

constexpr int64_t changes = 1000;

template <bool Inserts> void change(benchmark::State &state) {
  int64_t n = state.range(0);
  Sequence sequence = sequenceOf(n);
  Vector vector = vectorOf(n);
  auto time = [&](auto insert, auto erase) {
    double inserting = secondsOf(insert), erasing = secondsOf(erase);
    return Inserts ? inserting : erasing;
  };
  compare(
      state, changes,
      [&] {
        return time(
            [&] {
              sequence =
                  changed(programs().insert, std::move(sequence), changes);
            },
            [&] {
              sequence =
                  changed(programs().erase, std::move(sequence), changes);
            });
      },
      [&] {
        return time(
            [&] {
              for (int64_t i = 0; i < changes; ++i)
                vector.insert(vector.begin() + vector.size() / 2, vector[0]);
            },
            [&] {
              for (int64_t i = 0; i < changes; ++i)
                vector.erase(vector.begin() + vector.size() / 2);
            });
      });
}

void insertInTheMiddle(benchmark::State &state) { change<true>(state); }
void eraseInTheMiddle(benchmark::State &state) { change<false>(state); }

void insertAtTheFront(benchmark::State &state) {
  int64_t n = state.range(0);
  compare(
      state, changes,
      [&] {
        Sequence sequence = sequenceOf(n);
        return secondsOf([&] {
          sequence = changed(programs().prepend, std::move(sequence), changes);
        });
      },
      [&] {
        Vector vector = vectorOf(n);
        return secondsOf([&] {
          for (int64_t i = 0; i < changes; ++i)
            vector.insert(vector.begin(), vector[0]);
        });
      });
}

/// Each time the old sequence is kept: the new one has slots of its own.
void appendToAKept(benchmark::State &state) {
  int64_t n = state.range(0), rounds = std::max<int64_t>(1, 100000 / n);
  Sequence sequence = sequenceOf(n);
  Vector vector = vectorOf(n);
  compare(
      state, rounds,
      [&] {
        return secondsOf([&] {
          for (int64_t i = 0; i < rounds; ++i) {
            SequenceValue in = sequence.share(), out;
            programs().appendOne(&out, in.storage, in.length);
            Sequence next(out);
          }
        });
      },
      [&] {
        return secondsOf([&] {
          for (int64_t i = 0; i < rounds; ++i) {
            Vector next = vector;
            next.push_back(vector[0]);
            benchmark::DoNotOptimize(next.data());
          }
        });
      });
}

void at(benchmark::State &state) {
  int64_t n = state.range(0), rounds = std::max<int64_t>(1, 100000 / n);
  Sequence sequence = sequenceOf(n);
  Vector vector = vectorOf(n);
  compare(
      state, n * rounds,
      [&] {
        return secondsOf([&] {
          for (int64_t i = 0; i < rounds; ++i) {
            SequenceValue value = sequence.share();
            benchmark::DoNotOptimize(
                programs().sum(value.storage, value.length));
          }
        });
      },
      [&] {
        return secondsOf([&] {
          for (int64_t i = 0; i < rounds; ++i) {
            float sum = 0;
            for (size_t k = 0; k < vector.size(); ++k) {
              std::shared_ptr<Tensor> element = vector.at(k);
              sum += element->data[1];
            }
            benchmark::DoNotOptimize(sum);
          }
        });
      });
}

#define LENGTHS                                                                \
  RangeMultiplier(10)->Range(10, 100000)->UseManualTime()->Iterations(1)
BENCHMARK(append)->LENGTHS;
BENCHMARK(insertInTheMiddle)->LENGTHS;
BENCHMARK(insertAtTheFront)->LENGTHS;
BENCHMARK(eraseInTheMiddle)->LENGTHS;
BENCHMARK(appendToAKept)->LENGTHS;
BENCHMARK(at)->LENGTHS;

} // namespace sequenceBench
