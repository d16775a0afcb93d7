//===- TypeMistakes.h - Types that the model states wrongly -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Where the model contradicts what was inferred, the inferred type holds, and
// the user is told once: by a warning, or with --strict by an error. Conflicts
// are found by the evaluation, and later, by the writer, when more is known.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_TYPEMISTAKES_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_TYPEMISTAKES_H

#include "onnxfold/onnx/driver/prepare/RunScope.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

class TypeMistakes {
public:
  /// `file`: for messages. `strict`: the first one is an error.
  TypeMistakes(llvm::StringRef file, bool strict)
      : file(file), strict(strict) {}

  /// Says those that were not said yet. `isLate`: the writer found them, and
  /// only values that no earlier conflict named are news.
  llvm::Error say(llvm::ArrayRef<TypeConflict> conflicts, bool isLate,
                  RunScope &run);

private:
  llvm::Error sayOne(const TypeConflict &conflict, bool isLate, RunScope &run);

  llvm::StringRef file;
  bool strict;
  llvm::StringSet<> said; ///< texts, and values with their types
  size_t number = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_TYPEMISTAKES_H
