//===- VerifyResult.h - What a comparison of two models found ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain data, which verify() (Verify.h) returns.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_VERIFYRESULT_H
#define ONNXFOLD_ONNX_VERIFY_VERIFYRESULT_H

#include "onnxfold/constprop/Reason.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace onnxfold {

/// One value that both modules have.
struct ComparedValue {
  std::string name;    // "output 'y'", "input #0 of Custom 'n'"
  unsigned trials = 0; // in which it was compared
  bool isEqual = true; // or within the bound, in all of them
  std::string
      difference;     // "at [0, 3]: 1.5 and 1.25 (...)", where it is largest
  unsigned trial = 0; // in which trial, from 0
  double ulps = 0;    // infinite for NaN, text and other types
  /// Unless values have to be equal: how far the furthest elements are apart,
  /// and how far the original's move if its inputs move by one unit in the last
  /// place.
  std::optional<double> apart, moved;
};

/// An operator that could not be run, or an output that depends on one.
struct NotRun {
  std::string name; // "RandomNormal 'noise'", "output 'y'"
  Reason reason;
  bool isOutput = false;

  /// "output 'y' was not compared: it depends on Conv 'c': a window of ..."
  /// REQUIRES: isOutput.
  std::string textOfOutput() const;
};

struct VerifyResult {
  unsigned trials = 0;        // that were run
  unsigned trialsLeftOut = 0; // because those before took long
  std::vector<ComparedValue> compared;
  std::vector<NotRun> notRun;
  /// Types in bodies that values contradict, "Loop 'l': argument #3 of its body
  /// is ...": no type in a body was believed then.
  std::vector<std::string> wrongTypes;

  /// True if no difference was found.
  bool isEqual() const;
  /// True if every output was compared.
  bool isComplete() const;
  /// Prints, for people, a line for each value that differs and for each output
  /// that was not compared. With `all` it also prints how much was compared,
  /// and what was not run.
  void print(llvm::raw_ostream &out, bool all) const;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_VERIFYRESULT_H
