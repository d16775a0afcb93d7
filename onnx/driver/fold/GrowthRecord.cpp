//===- GrowthRecord.cpp - What earlier runs added to a model --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/GrowthRecord.h"
#include "onnxfold/onnx/io/read/TensorElements.h"
#include "llvm/Support/FormatVariadic.h"

using namespace onnxfold;

static constexpr llvm::StringLiteral key = "onnx-fold.growth";

llvm::Error GrowthRecord::read(const ImportedModel &model) {
  firstSize = model.index->file()->size();
  for (const auto &[location, file] : model.external->files())
    firstSize += file->size();
  for (const ValueInMemory &lent : model.external->valuesInMemory())
    firstSize += payloadBytes(lent.value);
  llvm::Expected<std::optional<std::string>> text =
      readMetadata(*model.index, key);
  if (!text)
    return text.takeError();
  if (!*text)
    return llvm::Error::success();
  llvm::SmallVector<llvm::StringRef, 3> parts;
  llvm::StringRef(**text).split(parts, ' ');
  int64_t numbers[3];
  if (parts.size() != 3)
    return llvm::Error::success();
  for (size_t i = 0; i < 3; ++i)
    if (parts[i].getAsInteger(10, numbers[i]) || numbers[i] < 0)
      return llvm::Error::success();
  firstSize = numbers[0];
  usedLimit = numbers[1];
  growth = numbers[2];
  return llvm::Error::success();
}

std::optional<int64_t> GrowthRecord::budget(const GrowthLimit &limit) {
  thisLimit = limit.bytesFor(firstSize);
  if (!thisLimit)
    return std::nullopt;
  return isUsedUp() ? 0 : std::max<int64_t>(0, *thisLimit - growth);
}

void GrowthRecord::add(const FoldPlan &plan, int64_t more, bool leftOut) {
  bool isNew = thisLimit && *thisLimit > usedLimit;
  changed = (plan.isLimited() || leftOut) &&
            (isNew || more != 0 || plan.changesAnything());
  growth = std::max<int64_t>(0, growth + plan.growth() + more);
  if (thisLimit)
    usedLimit = std::max(usedLimit, *thisLimit);
}

std::vector<std::pair<std::string, std::string>>
GrowthRecord::metadata() const {
  if (!changed)
    return {};
  return {
      {key.str(), llvm::formatv("{0} {1} {2}", firstSize, usedLimit, growth)}};
}
