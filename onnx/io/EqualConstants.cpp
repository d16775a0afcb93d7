//===- EqualConstants.cpp - New constants that have one value -------------===//

#include "onnxfold/onnx/io/EqualConstants.h"
#include "onnxfold/elements/ContentHash.h"
#include "onnxfold/elements/ElementsAttrBuilder.h"
#include "onnxfold/elements/Memory.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace onnxfold;
using namespace mlir;

/// Values from this size on are not kept in memory after they were looked at.
static constexpr uint64_t largeBytes = 64 * 1024;

/// The hash of the first, middle and last elements: masks and tables often
/// begin alike.
static ContentHash sampleHash(const Elements &value) {
  constexpr int64_t each = 32;
  if (value.size() <= 3 * each || value.type() == DataType::String)
    return contentHash(value);
  auto buffer =
      llvm::makeIntrusiveRefCnt<HeapBuffer>(3 * each * byteWidth(value.type()));
  Elements::Reader reader(value);
  int64_t step = each * byteWidth(value.type());
  reader.read(0, each, buffer->data());
  reader.read(value.size() / 2, each, buffer->data() + step);
  reader.read(value.size() - each, each, buffer->data() + 2 * step);
  return contentHash(Elements::fromBuffer(value.type(), {3 * each}, buffer));
}

EqualConstants::EqualConstants(ArrayRef<OnnxConstantOp> constants) {
  llvm::MapVector<Type, Group> groups;
  for (OnnxConstantOp constant : constants)
    if (Elements value = fromAttribute(constant.getValue()))
      groups[constant.getValue().getShapedType()].push_back({constant, value});
  for (auto &[type, group] : groups)
    if (group.size() > 1)
      compare(group);
}

void EqualConstants::compare(Group &group) {
  std::map<ContentHash, std::vector<Candidate *>> alike;
  for (Candidate &candidate : group) {
    uint64_t bytes = candidate.value.bytes();
    resetPeakHeapBytes();
    uint64_t before = memoryStatistics().heapBytes;
    alike[sampleHash(candidate.value)].push_back(&candidate);
    // Reading a few elements computed all of it.
    if (bytes >= largeBytes &&
        memoryStatistics().peakHeapBytes - before >= bytes / 2)
      moved[candidate.op] = candidate.value = spill(candidate.value);
  }
  for (auto &[hash, candidates] : alike)
    if (candidates.size() > 1)
      mergeEqual(candidates);
}

void EqualConstants::mergeEqual(ArrayRef<Candidate *> alike) {
  std::map<ContentHash, Candidate *> first;
  for (Candidate *candidate : alike) {
    // It will be read up to three times.
    if (candidate->value.bytes() >= largeBytes &&
        !candidate->value.isContiguous())
      moved[candidate->op] = candidate->value = spill(candidate->value);
    auto [known, isNew] =
        first.try_emplace(contentHash(candidate->value), candidate);
    if (!isNew && known->second->value.identicalTo(candidate->value))
      firsts[candidate->op] = known->second->op;
    if (firsts.contains(candidate->op)) {
      candidate->value = Elements();
      moved.erase(candidate->op);
    }
  }
}
