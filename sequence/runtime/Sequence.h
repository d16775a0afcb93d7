//===- Sequence.h - Sequences in and out of compiled programs ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A sequence of tensors for C++ programs that call functions compiled by
// convert-sequence and the passes after it. The class is header only and uses
// the run-time library.
//
// A compiled function `f(!sequence.seq<...>, tensor<?xf32>) ->
// !sequence.seq<...>` with the attribute llvm.emit_c_interface is called like
// this:
//
//   extern "C" void _mlir_ciface_f(SequenceValue *result,
//                                  SequenceStorage *, int64_t,
//                                  void *descriptor);
//   Sequence s;
//   s.append<float>({2, 3}, data);             // copies
//   SequenceValue in = s.share(), out;         // or std::move(s).give()
//   _mlir_ciface_f(&out, in.storage, in.length, &descriptor);
//   Sequence result(out);                      // and is released by ~Sequence
//   const float *values = result.at(0).data<float>();
//
// Ownership: the function takes the reference that it is passed, and gives the
// one that it returns (transforms/Passes.h has the whole convention). Elements
// are read only, because sequences share them.
//
// Errors: a position outside of the sequence, and data of another type, stop
// the program as they do in compiled code. Thread safety: as std::shared_ptr:
// several threads may have copies; one Sequence may be used by one thread at a
// time.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SEQUENCE_RUNTIME_SEQUENCE_H
#define ONNXFOLD_SEQUENCE_RUNTIME_SEQUENCE_H

#include "onnxfold/sequence/runtime/Runtime.h"
#include <cstring>
#include <utility>
#include <vector>

namespace onnxfold::sequence {

/// The code of a C++ type. Elements of other types have the code in their
/// record.
template <typename T> constexpr ElementCode elementCodeOf = ElementCode(0);
template <> inline constexpr ElementCode elementCodeOf<bool> = ElementCode::I1;
template <>
inline constexpr ElementCode elementCodeOf<int8_t> = ElementCode::I8;
template <>
inline constexpr ElementCode elementCodeOf<int16_t> = ElementCode::I16;
template <>
inline constexpr ElementCode elementCodeOf<int32_t> = ElementCode::I32;
template <>
inline constexpr ElementCode elementCodeOf<int64_t> = ElementCode::I64;
template <>
inline constexpr ElementCode elementCodeOf<uint8_t> = ElementCode::UI8;
template <>
inline constexpr ElementCode elementCodeOf<uint16_t> = ElementCode::UI16;
template <>
inline constexpr ElementCode elementCodeOf<uint32_t> = ElementCode::UI32;
template <>
inline constexpr ElementCode elementCodeOf<uint64_t> = ElementCode::UI64;
template <>
inline constexpr ElementCode elementCodeOf<float> = ElementCode::F32;
template <>
inline constexpr ElementCode elementCodeOf<double> = ElementCode::F64;

/// An element of a sequence, which is valid as long as a sequence holds it.
class SequenceElement {
public:
  explicit SequenceElement(const SequenceRecord *record) : record(record) {}

  ElementCode elementCode() const { return record->elementCode; }
  std::vector<int64_t> shape() const {
    return {record->sizes(), record->sizes() + record->rank};
  }
  int64_t size() const { // elements
    int64_t product = 1;
    for (int64_t i = 0; i < record->rank; ++i)
      product *= record->sizes()[i];
    return product;
  }
  /// The values in row-major order. Stops unless they are of that type.
  template <typename T> const T *data() const {
    onnxfoldSequenceRecordCheck(record, uint32_t(elementCodeOf<T>),
                                /*rank=*/-1, nullptr,
                                "sequence.at: the element");
    return static_cast<const T *>(record->aligned);
  }

private:
  const SequenceRecord *record;
};

class Sequence {
public:
  Sequence() = default;
  /// Takes the reference that a program gave.
  explicit Sequence(SequenceValue given) : value(given) {}
  Sequence(const Sequence &other) : value(other.share()) {}
  Sequence(Sequence &&other) noexcept
      : value(std::exchange(other.value, SequenceValue{nullptr, 0})) {}
  Sequence &operator=(Sequence other) noexcept {
    std::swap(value, other.value);
    return *this;
  }
  ~Sequence() { onnxfoldSequenceDealloc(value.storage, value.length); }

  int64_t length() const { return value.length; }

  /// Position in [-length, length).
  SequenceElement at(int64_t position) const {
    int64_t fromFront = position < 0 ? position + value.length : position;
    if (fromFront < 0 || fromFront >= value.length)
      onnxfoldSequenceOutOfRange("sequence.at", position, value.length,
                                 /*inclusive=*/0);
    return SequenceElement(value.storage->slots()[fromFront]);
  }

  /// Appends a copy of values in row-major order. Other sequences that share
  /// the storage do not change.
  template <typename T>
  void append(const std::vector<int64_t> &shape, const T *values) {
    static_assert(elementCodeOf<T> != ElementCode(0));
    append(elementCodeOf<T>, sizeof(T), shape, values);
  }
  void append(ElementCode code, int64_t elementBytes,
              const std::vector<int64_t> &shape, const void *values) {
    SequenceRecord *record = onnxfoldSequenceRecordAlloc(
        uint32_t(code), elementBytes, shape.size(), shape.data());
    if (int64_t size = SequenceElement(record).size())
      std::memcpy(record->aligned, values, size * elementBytes);
    value.storage =
        onnxfoldSequenceReserve(value.storage, value.length, value.length + 1);
    if (!value.length ||
        !alike(*value.storage->slots()[value.length - 1], *record))
      onnxfoldSequenceForget(value.storage);
    value.storage->slots()[value.length++] = record;
  }

  /// A new reference for a program to take; this object keeps its own.
  SequenceValue share() const {
    onnxfoldSequenceRetain(value.storage);
    return value;
  }
  /// This object's reference, for a program to take; the object is empty
  /// afterwards.
  SequenceValue give() && {
    return std::exchange(value, SequenceValue{nullptr, 0});
  }

private:
  /// Whether two elements have the same type and shape.
  static bool alike(const SequenceRecord &one, const SequenceRecord &other) {
    return one.elementCode == other.elementCode && one.rank == other.rank &&
           (one.rank == 0 || !std::memcmp(one.sizes(), other.sizes(),
                                          one.rank * sizeof(int64_t)));
  }

  SequenceValue value = {nullptr, 0};
};

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_RUNTIME_SEQUENCE_H
