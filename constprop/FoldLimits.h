//===- FoldLimits.h - Limits on what is computed ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Counted, not timed, so that a result does not depend on the machine. Plain data.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_FOLDLIMITS_H
#define ONNXFOLD_CONSTPROP_FOLDLIMITS_H

#include <cstdint>

namespace onnxfold {

/// The limits on the evaluation of one operation, which the user sets.
struct FoldLimits {
  uint64_t maxResultBytes = uint64_t(1) << 30;
  /// The unit is about a tenth of a nanosecond on a processor of 2015. Work is
  /// counted, not timed, so that it is the same on every machine. The default
  /// is some seconds.
  uint64_t maxWork = 100'000'000'000;
  uint64_t maxTripCount = 10'000; // of one loop, those in its body included

  /// The limit on the work of many operations together.
  uint64_t maxWorkOfRun() const {
    constexpr uint64_t times = 10;
    return maxWork > ~uint64_t(0) / times ? ~uint64_t(0) : times * maxWork;
  }
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_FOLDLIMITS_H
