//===- ReportTexts.cpp - Names of IR that a report keeps ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/internal/ReportTexts.h"
#include "onnxfold/onnx/ir/Model.h"

using namespace onnxfold;
using namespace mlir;

StringRef ReportTexts::keep(StringRef text) {
  if (!report.wantsNodes || text.empty())
    return text;
  auto [it, isNew] = kept.try_emplace(text.data());
  if (isNew || it->second.size() != text.size())
    it->second = text.copy(report.arena);
  return it->second;
}

llvm::ArrayRef<StringRef>
ReportTexts::keepAll(llvm::ArrayRef<StringRef> names) {
  llvm::SmallVector<StringRef, 4> copies;
  for (StringRef name : names)
    copies.push_back(keep(name));
  return llvm::ArrayRef(copies).copy(report.arena);
}

llvm::ArrayRef<StringRef> ReportTexts::namesOf(ValueRange values) {
  llvm::SmallVector<StringRef, 4> names;
  for (Value value : values)
    names.push_back(keep(valueName(value)));
  return llvm::ArrayRef(names).copy(report.arena);
}
