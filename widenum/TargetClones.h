//===- TargetClones.h - One loop, several instruction sets ------*- C++ -*-===//
//
// ONNXFOLD_TARGET_CLONES in front of a plain function (not a template) has the
// compiler make it three times, for x86-64-v4 (AVX-512), x86-64-v3 (AVX2) and
// the baseline, and the loader choose by processor. g++ inlines everything that
// it calls, else the callees would stay baseline code; for other compilers mark
// the loop [[gnu::always_inline]]. The results are the same bits as long as the
// project's -ffp-contract=off is in force.
//
// ONNXFOLD_HAS_TARGET_CLONES is 1 where that is so, and 0 where one function is
// made: other processors, builds without optimisation or with a sanitizer, and
// where ONNXFOLD_NO_TARGET_CLONES is defined (to test the baseline).
//
// It pays for loops that compute (conversions), not for those that only move
// or add; use it where a benchmark shows a gain.
//
// Example:
//   ONNXFOLD_TARGET_CLONES
//   void halve(float *data, size_t n) { scaleLoop<float>(data, n, 0.5f); }
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_TARGETCLONES_H
#define ONNXFOLD_WIDENUM_TARGETCLONES_H

// The loader chooses before a sanitizer's run time is up: no clones there.
#if defined(__x86_64__) && defined(__OPTIMIZE__) &&                            \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&         \
    !defined(ONNXFOLD_NO_TARGET_CLONES)
#define ONNXFOLD_HAS_TARGET_CLONES 1
#ifdef __clang__ // refuses flatten beside target_clones
#define ONNXFOLD_TARGET_CLONES                                                 \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ONNXFOLD_TARGET_CLONES                                                 \
  __attribute__((                                                              \
      flatten, target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#else
#define ONNXFOLD_HAS_TARGET_CLONES 0
#define ONNXFOLD_TARGET_CLONES
#endif

#endif // ONNXFOLD_WIDENUM_TARGETCLONES_H
