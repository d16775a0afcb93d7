//===- CpuLevel.h - Which vector instructions are used ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place that asks for the features of the processor. cpuLevel() is the
// highest of three levels that the processor has, or a lower one if the
// environment names it:
//
//   ONNXFOLD_CPU_LEVEL=baseline|avx2|avx512
//
// The variable is read once, at the first call. All levels give the same bits,
// as long as the project is compiled with -ffp-contract=off. Forcing a level is
// for tests and measurements.
//
// atCpuLevel(f) calls f as compiled for the level: the compiler makes f, and
// everything that it inlines into f, three times. This pays for loops that
// compute, not for loops that only move data; use it where a benchmark shows a
// gain. A function that f calls and that is too large or too recursive to be
// inlined is baseline code (correct, but slow). Other compilers than g++ inline
// less, so mark the loop [[gnu::always_inline]].
//
//   void halve(float *data, size_t n) {
//     atCpuLevel([=] { scaleLoop<float>(data, n, 0.5f); });
//   }
//
// The header does not use ifuncs (target_clones): the loader resolves them
// before a sanitizer's run time is initialised, and the choice cannot be
// overridden. Thread safety: all functions may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_CPULEVEL_H
#define ONNXFOLD_WIDENUM_CPULEVEL_H

#include <cstdint>

namespace onnxfold {

/// The instructions that code may use: SSE2; x86-64-v3 (AVX2, F16C); x86-64-v4
/// (AVX-512 F, BW, CD, DQ, VL). On other processors the level is Baseline.
enum class CpuLevel : uint8_t { Baseline, Avx2, Avx512 };

/// The level that the process uses now.
CpuLevel cpuLevel();

/// Lowers the level of the whole process while the object is alive; a level
/// above cpuLevel() changes nothing. It is for tests, and only one may be alive
/// at a time.
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

/// Calls f() once, as compiled for cpuLevel().
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
