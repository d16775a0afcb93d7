//===- TensorIndex.h - Where the data of a TensorProto is -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A TensorIndex holds the description of a TensorProto and the place of its
// elements in the file; no element is read. readTensor() makes it for
// initializers and for tensors in attributes.
//
// A tensor that contradicts itself (too few bytes, two kinds of data, negative
// dimensions, a type that does not exist) is no error: most of a model can be
// processed without it. `problem` says what is wrong, in words that follow the
// tensor's name: `has 35 bytes of raw_data, expected 36 for tensor<3x3xf32>`. A
// tensor with a problem has no data.
//
// Ownership: texts and lists are in the arena that was passed to readTensor().
// Thread safety: an index is constant after readTensor(); any thread may read
// it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_TENSORINDEX_H
#define ONNXFOLD_ONNX_IO_READ_TENSORINDEX_H

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/wire/WireCursor.h"

namespace onnxfold {

/// Storage facts of one TensorProto.DataType.
struct TensorType {
  const char *name;    ///< as in `tensor<2xf32>`
  unsigned bits;       ///< of one element; 0 for strings
  uint32_t typedField; ///< TensorProto's field for values, if not raw_data
  /// Entries of the typed field per element, or elements per entry where
  /// several share one (4 and 2 bit types).
  unsigned entriesPerElement = 1;
  unsigned elementsPerEntry = 1;
};

/// The facts of `dataType`, or null if ONNX has no such type.
const TensorType *lookupTensorType(int32_t dataType);

/// Bytes of raw_data for these dimensions: elements times width, 4 and 2 bit
/// types packed and rounded up to a byte. Nothing for strings, negative
/// dimensions or a size beyond 2^63.
std::optional<uint64_t> rawDataSize(const TensorType &type,
                                    llvm::ArrayRef<int64_t> dims);
/// The number of elements; nothing if a dimension is negative or the number
/// exceeds 2^63.
std::optional<uint64_t> elementCount(llvm::ArrayRef<int64_t> dims);

/// `tensor<3x3xf32>`.
std::string tensorText(int32_t dataType, llvm::ArrayRef<int64_t> dims);

/// The external_data entries of a tensor; see ExternalData.h.
struct ExternalReference {
  llvm::StringRef location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  llvm::StringRef checksum;
};

struct TensorIndex {
  enum class Data : uint8_t {
    None,     ///< no value field: legal for tensors without elements
    Raw,      ///< ranges[0] are the bytes of raw_data
    Typed,    ///< ranges are whole fields of number typedField
    Strings,  ///< ranges are whole fields of number 6
    External, ///< *external is the reference
  };

  llvm::StringRef name;
  llvm::ArrayRef<int64_t> dims;
  llvm::ArrayRef<ByteRange> ranges;
  const ExternalReference *external = nullptr;
  const StoredFault *problem = nullptr;
  /// The problem does not make the model invalid for everybody (an unknown
  /// type, bytes too many, a segment, values in two places): the tensor can be
  /// kept unchanged.
  bool tolerable = false;
  /// The problem is another initializer of its name in the graph.
  bool isDoubled = false;
  MessageSpan span; ///< of the (first) message; parent as given
  int32_t dataType = 0;
  Data data = Data::None;
  uint8_t typedField = 0;

  /// The range of this file that has the elements in the form of raw_data:
  /// raw_data itself, or one packed field of floats or doubles. Nothing for
  /// other forms, which readElements() in TensorBytes.h decodes.
  std::optional<ByteRange> directBytes(WireReader &reader) const;
};

/// Reads the TensorProto that `parts` together are (protobuf merges a singular
/// message that appears several times). Wire errors are noted in the reader.
TensorIndex readTensor(WireReader &reader, llvm::ArrayRef<MessageSpan> parts,
                       llvm::BumpPtrAllocator &arena, WireLabel label);

/// Decodes varints of `runs` (see FieldRuns), packed or not, in file order.
/// REQUIRES: the runs hold `number` fields only, as FieldRuns collects them.
void readVarints(WireReader &reader, llvm::ArrayRef<ByteRange> runs,
                 uint32_t number, llvm::function_ref<void(uint64_t)> each);
/// The same for fields of fixed width (4 or 8 bytes); blocks of raw bytes.
void readFixed(WireReader &reader, llvm::ArrayRef<ByteRange> runs,
               uint32_t number, unsigned width,
               llvm::function_ref<void(llvm::StringRef)> eachBlock);

/// One key and value of a StringStringEntryProto.
struct TextEntry {
  llvm::StringRef key;
  llvm::StringRef value;
};
TextEntry readTextEntry(WireReader &reader, const WireField &field,
                        llvm::BumpPtrAllocator &arena);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_TENSORINDEX_H
