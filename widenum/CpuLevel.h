//===- CpuLevel.h - Which vector instructions are used ----------*- C++ -*-===//
//
// The one place that asks what the processor can do. cpuLevel() is the best of
// three levels that it has, or less if the environment says so:
//
//   ONNXFOLD_CPU_LEVEL=baseline|avx2|avx512
//
// It is read once, at the first call. All levels give the same bits, as long as
// the project's -ffp-contract=off is in force; being able to force one is for
// tests and for measurements.
//
// atCpuLevel(f) calls f as compiled for the level: the compiler makes f and all
// that g++ can inline into it three times. It pays for loops that compute, not
// for those that only move; use it where a benchmark shows a gain. f must not
// call functions that are too large or too recursive to be inlined: these are
// baseline code (correct, and slow). Other compilers than g++ inline less: mark
// the loop [[gnu::always_inline]].
//
//   void halve(float *data, size_t n) {
//     atCpuLevel([=] { scaleLoop<float>(data, n, 0.5f); });
//   }
//
// No ifuncs (target_clones): the loader chooses these before a sanitizer's run
// time is up, and the choice cannot be overridden. Thread safety: all functions
// may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_CPULEVEL_H
#define ONNXFOLD_WIDENUM_CPULEVEL_H

#include <cstdint>

namespace onnxfold {

/// What code may use: SSE2; x86-64-v3 (AVX2, F16C); x86-64-v4 (AVX-512 F, BW,
/// CD, DQ, VL). Always Baseline on other processors.
enum class CpuLevel : uint8_t { Baseline, Avx2, Avx512 };

/// The level in force.
CpuLevel cpuLevel();

/// Lowers the level of the whole process while it lives; what the processor
/// does not have is not raised. For tests, one at a time.
///   ForcedCpuLevel forced(CpuLevel::Baseline);
class ForcedCpuLevel {
public:
  explicit ForcedCpuLevel(CpuLevel level);
  ~ForcedCpuLevel();
  ForcedCpuLevel(const ForcedCpuLevel &) = delete;
  ForcedCpuLevel &operator=(const ForcedCpuLevel &) = delete;

private:
  CpuLevel before;
};

#ifdef __x86_64__
namespace detail {
template <class F>
[[gnu::target("arch=x86-64-v4"), gnu::flatten]] void runAvx512(const F &f) {
  f();
}
template <class F>
[[gnu::target("arch=x86-64-v3"), gnu::flatten]] void runAvx2(const F &f) {
  f();
}
} // namespace detail
#endif

/// Calls f() once, as compiled for the level in force.
template <class F> void atCpuLevel(const F &f) {
#ifdef __x86_64__
  switch (cpuLevel()) {
  case CpuLevel::Avx512:
    return detail::runAvx512(f);
  case CpuLevel::Avx2:
    return detail::runAvx2(f);
  case CpuLevel::Baseline:
    break;
  }
#endif
  f();
}

} // namespace onnxfold

#endif // ONNXFOLD_WIDENUM_CPULEVEL_H
