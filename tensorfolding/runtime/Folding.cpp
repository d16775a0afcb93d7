//===- Folding.cpp - Run a fold function ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/internal/Folding.h"

#include "onnxfold/tensorfolding/runtime/internal/Descriptors.h"
#include <exception>
#include <new>

namespace onnxfold::tensorfolding::internal {

/// Counts from the first to the last element of a folded value. Its metadata
/// were checked: the type is static and the number fits.
static uint64_t bytesWithGaps(const FoldedValue &value) {
  if (value.strides.empty())
    return *staticBytes(value.type);
  uint64_t last = 0;
  for (size_t i = 0; i < value.strides.size(); ++i) {
    if (value.type.shape[i] == 0)
      return 0;
    last += uint64_t(value.strides[i]) * uint64_t(value.type.shape[i] - 1);
  }
  return (last + 1) * (value.type.element.storageBits / 8);
}

uint64_t staticBlockBytes(const Metadata &metadata, const Part &part) {
  uint64_t bytes = 0;
  if (part.function.convention == ResultConvention::OutParameters)
    for (uint32_t output : part.outputs)
      if (!metadata.foldedValues[output].type.isScalar)
        bytes += alignedBytes(bytesWithGaps(metadata.foldedValues[output]));
  return bytes;
}

namespace {
/// One run of a fold function.
class FoldRun {
public:
  FoldRun(const Metadata &metadata, const Part &part,
          const CompiledFunction &function, const Weights &inputs,
          const Place &place, Error &error)
      : metadata(metadata), part(part), function(function), inputs(inputs),
        place(place), error(error), values(function.valueCount()),
        returned((function.returnedBytes() + 7) / 8) {}

  std::unique_ptr<FoldedBlock> run() {
    if (bindInputs() && layOutBlock() && call() && takeReturned())
      return std::move(block);
    return nullptr;
  }

private:
  const FoldedValue &output(size_t i) const {
    return metadata.foldedValues[part.outputs[i]];
  }
  bool fail(ErrorCode code, const std::string &what) {
    error = Error(code, "entry '" + metadata.entry.symbol + "': function '" +
                            part.function.symbol + "' " + what);
    return false;
  }
  bool outOfMemory(const char *what, uint64_t bytes) {
    return fail(ErrorCode::OutOfMemory, "has no memory for " +
                                            std::string(what) + " (" +
                                            std::to_string(bytes) + " bytes)");
  }

  bool bindInputs();
  bool layOutBlock();
  bool allocateBlock();
  bool call();
  bool takeReturned();
  bool takeTensor(size_t number, int64_t *descriptor);
  bool copyTensor(size_t number, Tensor &tensor, bool isOurs);

  const Metadata &metadata;
  const Part &part;
  const CompiledFunction &function;
  const Weights &inputs;
  const Place &place;
  Error &error;
  std::vector<void *> values;
  std::vector<int64_t> returned;
  Weights copies; // of inputs, in row-major order
  std::unique_ptr<FoldedBlock> block;
};
} // namespace

bool FoldRun::bindInputs() {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorType &type = metadata.arguments[part.inputs[i]].type;
    const Weight *weight = inputs[i].get();
    if (!type.isScalar && type.layout == Layout::RowMajor &&
        !isRowMajor(weight->tensor())) {
      copies.push_back(rowMajorCopy(*weight));
      weight = copies.back().get();
      if (!weight)
        return outOfMemory("a row-major copy of a weight", 0);
    }
    values[1 + i] = type.isScalar ? weight->asScalar() : weight->asTensor();
  }
  return true;
}

/// Makes room for descriptors and scalars, and for the out-parameters.
bool FoldRun::layOutBlock() {
  block = std::make_unique<FoldedBlock>();
  size_t words = 0;
  for (size_t i = 0; i < part.outputs.size(); ++i)
    words += output(i).type.isScalar
                 ? 1
                 : descriptorWords(output(i).type.shape.size());
  block->words.resize(words);
  block->pointers.resize(part.outputs.size());
  int64_t *next = block->words.data();
  for (size_t i = 0; i < part.outputs.size(); ++i) {
    const TensorType &type = output(i).type;
    block->pointers[i] = next;
    block->values.push_back(type.isScalar ? (void *)next : &block->pointers[i]);
    next += type.isScalar ? 1 : descriptorWords(type.shape.size());
  }
  if (part.function.convention != ResultConvention::OutParameters)
    return true;

  if (!allocateBlock())
    return false;
  auto *to = static_cast<char *>(block->memory);
  size_t argument = 1 + inputs.size();
  for (size_t i = 0; i < part.outputs.size(); ++i) {
    const FoldedValue &value = output(i);
    if (value.type.isScalar)
      continue;
    writeDescriptor(block->pointers[i],
                    {to, value.type.element, int64_t(value.type.shape.size()),
                     value.type.shape.data(),
                     value.strides.empty() ? nullptr : value.strides.data()});
    values[argument++] = &block->pointers[i];
    to += alignedBytes(bytesWithGaps(value));
  }
  return true;
}

bool FoldRun::allocateBlock() {
  block->bytes = staticBlockBytes(metadata, part);
  if (place.arena)
    block->memory = place.arena->take(place.offset, block->bytes);
  if (block->memory) {
    block->place = place;
    return true;
  }
  block->memory = Store::get().allocator().allocate(
      tensorAlignment, std::max<uint64_t>(block->bytes, tensorAlignment));
  return block->memory || outOfMemory("its folded values", block->bytes);
}

/// Compiled code cannot throw; fold functions in C++ may.
bool FoldRun::call() {
  try {
    function.call(values.data(), returned.data());
    return true;
  } catch (const std::bad_alloc &) {
    return outOfMemory("what it computes", 0);
  } catch (const std::exception &exception) {
    return fail(ErrorCode::FoldFailed,
                std::string("failed: ") + exception.what());
  }
}

bool FoldRun::takeReturned() {
  auto *bytes = reinterpret_cast<char *>(returned.data());
  bool isFine = true;
  for (const ReturnedValue &value : function.returnedValues()) {
    // All are taken also after an error, so that none leaks.
    const TensorType &type = output(value.result).type;
    if (type.isScalar)
      std::memcpy(block->pointers[value.result], bytes + value.offset,
                  type.element.storageBits / 8);
    else
      isFine &= takeTensor(value.result,
                           reinterpret_cast<int64_t *>(bytes + value.offset));
  }
  return isFine;
}

static std::string sizesOf(const int64_t *sizes, int64_t rank) {
  std::string text;
  for (int64_t i = 0; i < rank; ++i)
    text += (i ? "x" : "") + std::to_string(sizes[i]);
  return text;
}

/// Takes a tensor that the function returned, in the memory that it allocated
/// where that is aligned and its own.
bool FoldRun::takeTensor(size_t number, int64_t *descriptor) {
  const TensorType &type = output(number).type;
  auto rank = int64_t(type.shape.size());
  void *allocated = pointerIn(descriptor[0]);
  Tensor tensor = {pointerIn(descriptor[1]) +
                       descriptor[2] * int64_t(type.element.storageBits) / 8,
                   type.element, rank, descriptor + 3, descriptor + 3 + rank};
  bool isInput = std::any_of(inputs.begin(), inputs.end(), [&](auto &input) {
    return input->tensor().data == allocated;
  });
  isInput |= std::any_of(copies.begin(), copies.end(), [&](auto &copy) {
    return copy->tensor().data == allocated;
  });
  std::vector<void *> &owned = block->allocations;
  if (allocated && !isInput &&
      std::find(owned.begin(), owned.end(), allocated) == owned.end())
    owned.push_back(allocated);

  TensorType got = type;
  got.shape.assign(tensor.shape, tensor.shape + rank);
  std::optional<uint64_t> bytes = staticBytes(got);
  for (int64_t i = 0; i < rank; ++i)
    if (!bytes ||
        (type.shape[i] != dynamicSize && type.shape[i] != got.shape[i]))
      return fail(ErrorCode::FoldFailed,
                  "returned folded value " +
                      std::to_string(part.outputs[number]) + " with shape " +
                      sizesOf(tensor.shape, rank) + ", expected " +
                      typeName(type));
  if (*bytes && !descriptor[1])
    return fail(ErrorCode::FoldFailed,
                "returned no data for folded value " +
                    std::to_string(part.outputs[number]) + ", expected " +
                    typeName(got));
  block->bytes += alignedBytes(*bytes);
  bool needsOrder = type.layout == Layout::RowMajor;
  if (isInput || uintptr_t(tensor.data) % tensorAlignment != 0 ||
      (needsOrder && !isRowMajor(tensor)))
    if (!copyTensor(number, tensor, /*isOurs=*/!isInput))
      return false;
  writeDescriptor(block->pointers[number], tensor);
  return true;
}

/// Replaces a tensor by an aligned row-major copy. Memory of the function is
/// freed if nothing else is in it.
bool FoldRun::copyTensor(size_t number, Tensor &tensor, bool isOurs) {
  TensorType got = output(number).type;
  got.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  uint64_t bytes = alignedBytes(*staticBytes(got) + 1);
  void *memory = std::aligned_alloc(tensorAlignment, bytes);
  if (!memory)
    return outOfMemory("an aligned copy of a folded value", bytes);
  copyRowMajor(static_cast<char *>(memory), tensor);
  if (isOurs && function.returnedValues().size() == 1) {
    std::free(block->allocations.back());
    block->allocations.pop_back();
  }
  block->allocations.push_back(memory);
  tensor.data = memory;
  tensor.strides = nullptr;
  return true;
}

std::unique_ptr<FoldedBlock> runFold(const Metadata &metadata, const Part &part,
                                     const CompiledFunction &function,
                                     const Weights &inputs, const Place &place,
                                     Error &error) {
  return FoldRun(metadata, part, function, inputs, place, error).run();
}

} // namespace onnxfold::tensorfolding::internal
