//===- Remedies.h - What to do about nodes that are kept --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety: plain values.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_REMEDIES_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_REMEDIES_H

#include "onnxfold/onnx/driver/report/FoldReport.h"

namespace onnxfold {

/// Nodes that are kept for one reason.
struct KeptGroup {
  ReasonCode code = ReasonCode::None;
  int64_t nodes = 0;
  int64_t bytes = 0;   ///< that the limit on growth left out
  std::string remedy;  ///< what a user can do, a sentence
  std::string command; ///< the command line that does it; may be empty
  std::string option;  ///< the option that it adds; may be empty
};

/// The kept nodes by reason, the largest group first.
std::vector<KeptGroup> keptGroups(const FoldReport &report);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_REMEDIES_H
