//===- TypeMistakes.cpp - Types that the model states wrongly -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/TypeMistakes.h"

using namespace onnxfold;

llvm::Error TypeMistakes::sayOne(const TypeConflict &conflict, bool isLate,
                                 RunScope &run) {
  std::string text =
      (file + ": the model says that '" + conflict.value + "' is " +
       conflict.declared + ", inferred is " + conflict.inferred)
          .str();
  std::string mistake = conflict.value + '\0' + conflict.declared;
  // A late one may be known already, when less was inferred.
  bool isNew = !isLate || !said.contains(mistake);
  said.insert(mistake);
  if (!isNew || !said.insert(text).second)
    return llvm::Error::success();
  if (strict)
    return llvm::createStringError(text);
  constexpr size_t most = 20;
  if (number++ < most)
    run.warn(text);
  else
    run.report().warnings.push_back(text);
  return llvm::Error::success();
}

llvm::Error TypeMistakes::say(llvm::ArrayRef<TypeConflict> conflicts,
                              bool isLate, RunScope &run) {
  for (const TypeConflict &conflict : conflicts)
    if (llvm::Error error = sayOne(conflict, isLate, run))
      return error;
  return llvm::Error::success();
}
