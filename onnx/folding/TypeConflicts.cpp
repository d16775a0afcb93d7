//===- TypeConflicts.cpp - Types that a model states wrongly --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using namespace mlir;

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

void TypeConflicts::note(Value value, Type inferred) {
  TypeConflict conflict{valueName(value).str(), textOf(value.getType()),
                        textOf(inferred)};
  if (!llvm::is_contained(conflicts, conflict))
    conflicts.push_back(std::move(conflict));
}
