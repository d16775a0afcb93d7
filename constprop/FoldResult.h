//===- FoldResult.h - The outcome of an operation, and why ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel returns the values of its results, or the reason why there are none
// (Reason.h):
//
//   return x.transpose(perm);
//   return undefined("divisor element [1, 3] is 0");
//
// A FoldResult is read like a ReasonOr:
//
//   FoldResult result = cx.call(kernel);
//   if (!result)
//     return result.reason();
//   use(result.values());
//
// Ownership, threads: these are values that own what they hold. They are as
// thread safe as handles.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_FOLDRESULT_H
#define ONNXFOLD_CONSTPROP_FOLDRESULT_H

#include "onnxfold/constprop/Reason.h"
#include "onnxfold/constprop/TensorList.h"

namespace onnxfold {

/// A completely known value: a tensor, a sequence of tensors, or an empty
/// optional. An optional that holds a value is represented by that value. An
/// unused result is false.
struct FoldedValue {
  FoldedValue() = default;
  FoldedValue(Elements tensor) : tensor(std::move(tensor)) {}
  FoldedValue(Sequence sequence) : sequence(std::move(sequence)) {}
  static FoldedValue nothing() {
    FoldedValue value;
    value.isNothing = true;
    return value;
  }

  explicit operator bool() const { return tensor || sequence || isNothing; }

  Elements tensor;
  Sequence sequence;
  bool isNothing = false;
};

/// The values of all results (null for unused ones), or a reason. A null
/// Elements from an elementwise function (element type not in its class) is
/// reported as UnsupportedType.
class FoldResult {
public:
  FoldResult(Elements value) : results(1, FoldedValue(std::move(value))) {}
  FoldResult(Sequence value) : results(1, FoldedValue(std::move(value))) {}
  FoldResult(const FoldedValue &value) : results(1, value) {}
  FoldResult(const llvm::SmallVector<Elements, 1> &values)
      : results(values.begin(), values.end()) {}
  FoldResult(llvm::SmallVector<FoldedValue, 1> values)
      : results(std::move(values)) {}
  FoldResult(Reason reason) : why(std::move(reason)) {}

  explicit operator bool() const { return !why; }
  llvm::ArrayRef<FoldedValue> values() const { return results; }
  const Reason &reason() const { return why; }

private:
  llvm::SmallVector<FoldedValue, 1> results;
  Reason why;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_FOLDRESULT_H
