//===- EntryCalls.cpp - Call the entry ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/internal/Descriptors.h"
#include "onnxfold/tensorfolding/runtime/internal/Implementation.h"
#include "onnxfold/tensorfolding/runtime/internal/SmallBuffer.h"

namespace onnxfold::tensorfolding {
using namespace internal;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Nothing if a function that declares `type` can take the tensor as it is.
static std::string wrongForCall(const Tensor &tensor, const TensorType &type) {
  std::string what = wrongTensor(tensor, type);
  if (what.empty() && type.layout == Layout::RowMajor && !type.isScalar &&
      !isRowMajor(tensor))
    what = "has strides, expected row-major order";
  return what;
}

Error FoldedProgram::Implementation::checkInputs(
    std::span<const Tensor> inputs) const {
  if (inputs.size() != inputArguments.size())
    return Error(ErrorCode::BadArgument,
                 "entry '" + metadata.entry.symbol + "': the call has " +
                     std::to_string(inputs.size()) + " inputs, expected " +
                     std::to_string(inputArguments.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    uint32_t argument = inputArguments[i];
    std::string what =
        wrongForCall(inputs[i], metadata.arguments[argument].type);
    if (!what.empty())
      return wrong(ErrorCode::BadTensor, argument, what);
  }
  return Error();
}

Error FoldedProgram::Implementation::checkOutputs(
    std::span<const Tensor> outputs) const {
  std::string prefix = "entry '" + metadata.entry.symbol + "': ";
  if (outParameters.size() != metadata.results.size())
    return Error(ErrorCode::BadArgument,
                 prefix + "the call has buffers for results, expected none as "
                          "the entry returns some that it allocates");
  if (outputs.size() != outParameters.size())
    return Error(ErrorCode::BadArgument,
                 prefix + "the call has " + std::to_string(outputs.size()) +
                     " buffers for results, expected " +
                     std::to_string(outParameters.size()));
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::string what = wrongForCall(outputs[i], *outParameters[i]);
    if (!what.empty())
      return Error(ErrorCode::BadTensor, prefix + "the buffer for result " +
                                             std::to_string(i) + " " + what);
  }
  return Error();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Memory for a tensor of static shape in row-major order; empty if there is
/// none.
static OwnedTensor allocateTensor(const TensorType &type) {
  uint64_t bytes = alignedBytes(*staticBytes(type) + 1);
  void *memory = std::aligned_alloc(tensorAlignment, bytes);
  std::vector<int64_t> strides(type.shape.size());
  writeRowMajorStrides(strides.data(), int64_t(strides.size()),
                       type.shape.data());
  return OwnedTensor(memory, memory, type.element, type.shape,
                     std::move(strides));
}

/// Memory for all results that the entry does not allocate.
Error FoldedProgram::Implementation::allocateResults(
    std::vector<OwnedTensor> &results) const {
  results.clear();
  for (const TensorType &type : metadata.results) {
    bool isReturned = !type.isScalar &&
                      metadata.entry.convention == ResultConvention::Returned;
    results.push_back(isReturned ? OwnedTensor() : allocateTensor(type));
    if (!isReturned && !results.back().data<void>())
      return Error(ErrorCode::OutOfMemory, "entry '" + metadata.entry.symbol +
                                               "' has no memory for " +
                                               typeName(type));
  }
  return Error();
}

/// Moves what the entry returned to the results. All are taken also after an
/// error, so that none leaks.
Error FoldedProgram::Implementation::takeReturned(
    char *returned, std::vector<OwnedTensor> &results) const {
  Error error;
  for (const ReturnedValue &value : entry.returnedValues()) {
    const TensorType &type = metadata.results[value.result];
    char *place = returned + value.offset;
    if (type.isScalar) {
      std::memcpy(results[value.result].data<void>(), place,
                  type.element.storageBits / 8);
      continue;
    }
    auto *words = reinterpret_cast<int64_t *>(place);
    auto rank = int64_t(type.shape.size());
    char *data =
        pointerIn(words[1]) + words[2] * int64_t(type.element.storageBits) / 8;
    results[value.result] = OwnedTensor(
        pointerIn(words[0]), data, type.element, {words + 3, words + 3 + rank},
        {words + 3 + rank, words + 3 + 2 * rank});
    if (type.layout == Layout::RowMajor &&
        !isRowMajor(results[value.result].view()))
      error = Error(ErrorCode::BadTensor,
                    "entry '" + metadata.entry.symbol + "': result " +
                        std::to_string(value.result) +
                        " has strides, expected row-major order");
  }
  return error;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void FoldedProgram::Implementation::run(const Snapshot &snapshot,
                                        void *const *arguments,
                                        void *returned) const {
  SmallBuffer<void *, 48> values(entry.valueCount());
  std::copy(snapshot.values.begin(), snapshot.values.end(), values.data());
  auto address = [&](size_t i) { return const_cast<void **>(arguments + i); };
  for (InputSlot slot : inputSlots)
    values[1 + slot.entryArgument] =
        slot.isScalar ? arguments[slot.input] : address(slot.input);
  size_t firstOutput = 1 + metadata.entryArguments.size();
  for (size_t i = 0; i < outParameters.size(); ++i)
    values[firstOutput + i] = address(inputArguments.size() + i);
  entry.call(values.data(), returned);
}

/// Releases a snapshot, also where an entry in C++ throws.
class FoldedProgram::Implementation::Pinned {
public:
  Pinned(Implementation &program, Snapshot &snapshot)
      : program(program), snapshot(snapshot) {}
  ~Pinned() { program.unpin(snapshot); }
  Pinned(const Pinned &) = delete;

private:
  Implementation &program;
  Snapshot &snapshot;
};

Error FoldedProgram::Implementation::callUnchecked(void *const *arguments,
                                                   void *returned) {
  Snapshot *snapshot;
  if (Error error = pinReady(snapshot))
    return error;
  Pinned pinned(*this, *snapshot);
  run(*snapshot, arguments, returned);
  return Error();
}

Error FoldedProgram::Implementation::call(std::span<const Tensor> inputs,
                                          std::vector<OwnedTensor> *results,
                                          std::span<const Tensor> outputs) {
  if (Error error = checkInputs(inputs))
    return error;
  if (Error error = results ? allocateResults(*results) : checkOutputs(outputs))
    return error;
  SmallBuffer<int64_t, 128> words(inputWords + outputWords);
  SmallBuffer<void *, 16> arguments(inputs.size() + outParameters.size());
  int64_t *next = words.data();
  auto put = [&, i = 0](const Tensor &tensor, bool isScalar) mutable {
    arguments[i++] = isScalar ? tensor.data : next;
    if (isScalar)
      return;
    writeDescriptor(next, tensor);
    next += descriptorWords(tensor.rank);
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    put(inputs[i], metadata.arguments[inputArguments[i]].type.isScalar);
  for (size_t i = 0, k = 0; i < metadata.results.size(); ++i)
    if (!outParameters.empty() && !metadata.results[i].isScalar)
      put(results ? (*results)[i].view() : outputs[k++], /*isScalar=*/false);
  SmallBuffer<int64_t, 64> returned((entry.returnedBytes() + 7) / 8);
  if (Error error = callUnchecked(arguments.data(), returned.data()))
    return error;
  if (results)
    return takeReturned(reinterpret_cast<char *>(returned.data()), *results);
  return Error();
}

} // namespace onnxfold::tensorfolding
