//===- GrowthRecord.h - What earlier runs added to a model ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A model that the growth budget left partly unfolded has a record in its
// metadata, metadata_props["onnx-fold.growth"] = "SIZE LIMIT GROWTH" in bytes:
// the size of the first model with its data files, the largest limit that was
// used up, and the bytes that were added. Later runs count from there. So
// folding again with no larger limit changes nothing, and a larger limit bounds
// the growth of all runs together.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_GROWTHRECORD_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_GROWTHRECORD_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/io/read/Import.h"

namespace onnxfold {

class GrowthRecord {
public:
  /// Reads the record from the metadata of the input. An unreadable record is
  /// ignored.
  llvm::Error read(const ImportedModel &model);

  /// The bytes that this run may add, or nothing if there is no limit.
  std::optional<int64_t> budget(const GrowthLimit &limit);
  /// True if an earlier run has used up the limit of the last budget().
  bool isUsedUp() const { return thisLimit && *thisLimit <= usedLimit; }

  /// Notes the growth of this run: that of the plan, and `more` bytes of
  /// constants that were made beside it. `leftOut`: the limit prevented some of
  /// these constants.
  void add(const FoldPlan &plan, int64_t more, bool leftOut);

  /// The entry to write, or none.
  std::vector<std::pair<std::string, std::string>> metadata() const;

private:
  int64_t firstSize = 0, usedLimit = -1, growth = 0;
  std::optional<int64_t> thisLimit;
  bool changed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_GROWTHRECORD_H
