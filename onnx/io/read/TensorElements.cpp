//===- TensorElements.cpp - Tensors of a model file as Elements -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/read/TensorElements.h"
#include "onnxfold/elements/Spill.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/TensorBytes.h"
#include "onnxfold/widenum/Packing.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Payloads up to this size are copied when the model is read: otherwise there
/// is a system call each time somebody looks.
static constexpr uint64_t copiedBytes = 4096;

[[noreturn]] static void throwUnreadable(llvm::Error error) {
  throw UnreadableFile(takeFault(std::move(error)));
}

namespace {

/// A range of a file, in memory while somebody reads it.
class FileBuffer : public Buffer {
public:
  FileBuffer(InputFileRef file, ByteRange range)
      : Buffer(range.size()), file(std::move(file)), range(range) {}

  const char *acquire() override {
    std::lock_guard<std::mutex> lock(mutex);
    if (pins == 0)
      copy = llvm::makeIntrusiveRefCnt<DeferredBuffer>(
          size(), [file = file, range = range](char *out) {
            readAll(*file, range, out);
          });
    const char *bytes = copy->acquire();
    ++pins;
    return bytes;
  }

  void release() override {
    std::lock_guard<std::mutex> lock(mutex);
    copy->release();
    if (--pins == 0)
      copy = nullptr;
  }

  bool readRange(uint64_t offset, uint64_t size, char *out) override {
    if (llvm::Error error =
            file->read(range.begin + offset, {out, size_t(size)}))
      throwUnreadable(std::move(error));
    return true;
  }
  bool spill() override { return true; } // it is in a file

private:
  /// Several threads take the page faults of new memory, a part each.
  static void readAll(const InputFile &file, ByteRange range, char *out) {
    constexpr int64_t part = 1 << 20;
    parallelFor(range.size(), part, [&](int64_t begin, int64_t end) {
      if (llvm::Error error = file.read(range.begin + begin,
                                        {out + begin, size_t(end - begin)}))
        throwUnreadable(std::move(error));
    });
  }

  InputFileRef file;
  ByteRange range;
  std::mutex mutex;
  llvm::IntrusiveRefCntPtr<DeferredBuffer> copy;
  unsigned pins = 0;
};

/// All that decoding a tensor needs after the index is gone.
struct StoredTensor {
  TensorIndex tensor;
  llvm::SmallVector<ByteRange, 1> ranges;
  Shape dims;
  InputFileRef file;
  ModelFault subject;

  StoredTensor(const TensorIndex &source, InputFileRef file, ModelFault subject)
      : tensor(source), ranges(source.ranges), dims(source.dims),
        file(std::move(file)), subject(std::move(subject)) {
    tensor.ranges = ranges;
    tensor.dims = dims;
  }
};

} // namespace

/// Messages about a tensor begin with this.
static ModelFault tensorAt(const WireReader &reader, Subject subject) {
  return ModelFault().file(reader.file().name()).append(subject.fault());
}

/// The elements from bytes in the order and width of raw_data.
static Elements fromFileBytes(DataType type, ShapeRef shape, BufferRef bytes) {
  // A file may hold any byte; a bool in memory is 0 or 1.
  if (type == DataType::Bool)
    return mapAs<bool, uint8_t>(
        Elements::fromBuffer(DataType::UInt8, shape, std::move(bytes)),
        [](uint8_t byte) { return byte != 0; });
  if (!isSubByte(type))
    return Elements::fromBuffer(type, shape, std::move(bytes));
  int64_t count = numElements(shape);
  return Elements::deferred(type, shape, {}, [=](char *out) {
    unpack(type, BufferPin(bytes).data(), out, 0, count);
  });
}

static llvm::Expected<Elements>
loadStrings(WireReader &reader, const TensorIndex &tensor, Subject subject) {
  std::vector<std::string> strings;
  auto place = [&] { return tensorAt(reader, subject); };
  if (llvm::Error error = readStrings(reader, tensor, strings, Subject(place)))
    return error;
  std::vector<llvm::StringRef> texts(strings.begin(), strings.end());
  return Elements::fromStrings(tensor.dims, texts);
}

static llvm::Expected<Elements>
loadExternal(WireReader &reader, const TensorIndex &tensor, uint64_t bytes,
             ExternalData &external, Subject subject) {
  auto place = [&] { return tensorAt(reader, subject); };
  if (const ValueInMemory *known = external.inMemory(*tensor.external))
    return known->value.reshape(tensor.dims);
  llvm::Expected<ExternalRange> found =
      external.resolve(*tensor.external, bytes, Subject(place));
  if (!found)
    return found.takeError();
  return fromFileBytes(
      DataType(tensor.dataType), tensor.dims,
      llvm::makeIntrusiveRefCnt<FileBuffer>(found->file, found->range));
}

/// Refuses data that are too short for the shape, before memory is taken:
/// values of typed fields have a byte at least, and are counted later.
static llvm::Error checkSize(WireReader &reader, const TensorIndex &tensor,
                             const onnxfold::TensorType &type, uint64_t bytes,
                             Subject subject) {
  uint64_t there = 0;
  for (ByteRange range : tensor.ranges)
    there += range.size();
  unsigned width = std::max(type.bits / 8, 1u) / type.entriesPerElement;
  if (tensor.data != TensorIndex::Data::Typed || bytes / width <= there)
    return llvm::Error::success();
  return tensorAt(reader, subject)
      .has(llvm::Twine(there) + " bytes of values")
      .expected(llvm::Twine(bytes / width) + " values for " +
                tensorText(tensor.dataType, tensor.dims));
}

/// Typed fields, and raw data that is small, are read through the reader.
static llvm::Expected<Elements> loadDecoded(WireReader &reader,
                                            const TensorIndex &tensor,
                                            uint64_t bytes, Subject subject) {
  auto type = DataType(tensor.dataType);
  auto place = [&] { return tensorAt(reader, subject); };
  if (bytes <= copiedBytes && type != DataType::Bool && !isSubByte(type)) {
    // Shapes and scalars, of which there are many, are in one block.
    llvm::Error error = llvm::Error::success();
    Elements small = Elements::deferred(type, tensor.dims, {}, [&](char *out) {
      error = firstError(
          std::move(error),
          readElements(reader, tensor, {out, bytes}, Subject(place)));
    });
    if (error)
      return error;
    return small;
  }
  if (bytes <= copiedBytes) {
    auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes);
    if (llvm::Error error = readElements(
            reader, tensor, {buffer->data(), bytes}, Subject(place)))
      return error;
    return fromFileBytes(type, tensor.dims, buffer);
  }
  auto stored =
      std::make_shared<StoredTensor>(tensor, reader.fileRef(), place());
  auto decode = [stored, bytes](char *out) {
    WireReader reader(stored->file);
    if (llvm::Error error =
            readElements(reader, stored->tensor, {out, bytes}, stored->subject))
      throwUnreadable(std::move(error));
  };
  return fromFileBytes(
      type, tensor.dims,
      llvm::makeIntrusiveRefCnt<DeferredBuffer>(bytes, std::move(decode)));
}

llvm::Expected<Elements> onnxfold::loadTensor(WireReader &reader,
                                              const TensorIndex &tensor,
                                              ExternalData &external,
                                              Subject subject) {
  if (tensor.problem)
    return tensorAt(reader, subject).append(tensor.problem->fault());
  const TensorType *facts = lookupTensorType(tensor.dataType);
  if (!facts)
    return tensorAt(reader, subject)
        .has("the unknown data type " + llvm::Twine(tensor.dataType));
  if (tensor.dataType == int32_t(DataType::String))
    return loadStrings(reader, tensor, subject);
  std::optional<uint64_t> bytes = rawDataSize(*facts, tensor.dims);
  if (!bytes)
    return tensorAt(reader, subject)
        .has("dimensions " + toString(tensor.dims))
        .says(", whose product is not a size");
  if (tensor.data == TensorIndex::Data::External)
    return loadExternal(reader, tensor, *bytes, external, subject);
  if (*bytes > copiedBytes) {
    if (std::optional<ByteRange> direct = tensor.directBytes(reader))
      return fromFileBytes(
          DataType(tensor.dataType), tensor.dims,
          llvm::makeIntrusiveRefCnt<FileBuffer>(reader.fileRef(), *direct));
    if (llvm::Error error = checkSize(reader, tensor, *facts, *bytes, subject))
      return error;
  }
  return loadDecoded(reader, tensor, *bytes, subject);
}

llvm::Expected<Elements> onnxfold::densify(const Elements &values,
                                           const Elements &indices,
                                           ShapeRef shape, Subject subject) {
  auto bad = [&](const char *text) {
    return llvm::Error(subject.fault().says(text));
  };
  std::optional<int64_t> count = checkedNumElements(shape);
  if (!count || indices.type() != DataType::Int64 || values.rank() != 1 ||
      indices.rank() < 1 || indices.rank() > 2 ||
      indices.dim(0) != values.dim(0))
    return bad("is not a sparse tensor");
  bool linear = indices.rank() == 1;
  if (!linear && indices.dim(1) != int64_t(shape.size()))
    return bad("has indices of another rank than its dims");
  ShapeRef space = linear ? ShapeRef(*count) : shape;
  Elements rows = linear ? indices.unsqueeze({1}) : indices;
  if (firstTupleOutOfRange(rows, space) ||
      llvm::any_of(indices.ints(), [](int64_t i) { return i < 0; }))
    return bad("has an index outside its dims");
  Elements zeros =
      Elements::splat(values.type(), space, WideNum::widen(int64_t(0)));
  return scatterND(zeros, rows, values).reshape(shape);
}

/// Calls `f` with the strings of a tensor, block by block.
static llvm::Error forEachBlock(
    const Elements &strings,
    llvm::function_ref<llvm::Error(llvm::ArrayRef<llvm::StringRef>)> f) {
  constexpr int64_t most = 256;
  Elements::Reader reader(strings);
  llvm::StringRef scratch[most];
  for (int64_t first = 0; first < strings.size(); first += most) {
    int64_t count = std::min(most, strings.size() - first);
    auto *texts = static_cast<const llvm::StringRef *>(
        reader.view(first, count, scratch));
    if (llvm::Error error = f(llvm::ArrayRef(texts, count)))
      return error;
  }
  return llvm::Error::success();
}

static uint64_t bytesOfStrings(const Elements &strings) {
  uint64_t bytes = 0;
  llvm::cantFail(
      forEachBlock(strings, [&](llvm::ArrayRef<llvm::StringRef> texts) {
        for (llvm::StringRef text : texts)
          bytes += encodedStringSize(text.size());
        return llvm::Error::success();
      }));
  return bytes;
}

static llvm::Error writeStrings(const Elements &strings, PayloadSink &sink) {
  uint64_t offset = 0;
  return forEachBlock(strings, [&](llvm::ArrayRef<llvm::StringRef> texts) {
    std::string bytes;
    for (llvm::StringRef text : texts)
      bytes += encodeString(text);
    offset += bytes.size();
    return sink.write(offset - bytes.size(), bytes);
  });
}

uint64_t onnxfold::payloadBytes(const Elements &elements) {
  if (elements.type() == DataType::String)
    return bytesOfStrings(elements);
  return packedBytes(elements.type(), elements.size());
}

/// Elements [first, last) block by block. REQUIRES: `first` is a multiple of
/// `grain`, and that of 8, so that packed elements begin at a byte.
static llvm::Error writeRange(const Elements::Reader &reader, DataType type,
                              int64_t first, int64_t last, int64_t grain,
                              PayloadSink &sink) {
  int64_t most = std::min(grain, last - first);
  HeapBuffer block(most * byteWidth(type));
  HeapBuffer packed(isSubByte(type) ? most : 0);
  for (; first < last; first += grain) {
    int64_t count = std::min(grain, last - first);
    auto *data =
        static_cast<const char *>(reader.view(first, count, block.data()));
    if (isSubByte(type)) {
      pack(type, data, packed.data(), count);
      data = packed.data();
    }
    llvm::StringRef bytes(data, packedBytes(type, count));
    if (llvm::Error error = sink.write(packedBytes(type, first), bytes))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error writeElements(const Elements &elements, PayloadSink &sink) {
  Elements::Reader reader(elements, Elements::Reader::Access::Once);
  int64_t grain = (reader.preferredGrain() + 7) / 8 * 8;
  std::mutex mutex;
  llvm::Error failure = llvm::Error::success();
  parallelFor(elements.size(), grain, [&](int64_t begin, int64_t end) {
    if (llvm::Error error =
            writeRange(reader, elements.type(), begin, end, grain, sink)) {
      std::lock_guard<std::mutex> lock(mutex);
      failure = firstError(std::move(failure), std::move(error));
    }
  });
  return failure;
}

Payload onnxfold::payloadOf(Elements elements) {
  Payload payload;
  payload.size = payloadBytes(elements);
  payload.write = [elements](PayloadSink &sink) {
    return elements.type() == DataType::String ? writeStrings(elements, sink)
                                               : writeElements(elements, sink);
  };
  return payload;
}
