//===- Metadata.h - What a folded entry expects -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The pass constant-tensor-folding cuts a function (the *entry*) in two: the
// work on constants moves to fold functions, whose results (*folded values*) the
// new entry takes as arguments. Metadata describes the functions and how they
// are connected: the pass writes it into the program as the constant
// `<entry>.fold_metadata`, and FoldedProgram.h reads it and runs the program.
//
//   entry(x, w1, w2)  becomes  entry(x, folded 0, folded 1)
//                              entry.fold_runtime.0(w1) -> folded 0
//                              entry.fold_runtime.1(w2) -> folded 1
//
//   Metadata m;
//   m.entry = {"entry", ResultConvention::OutParameters};
//   m.arguments = {{"", ArgumentRole::Input, type}, ...};  // x, w1, w2
//   m.foldedValues = {{type}, {type}};
//   m.parts = {{{"entry.fold_runtime.0", ...}, {1}, {0}, hash}, ...};
//   m.entryArguments = {original(0), folded(0), folded(1)};
//   m.results = {type};
//   std::vector<char> bytes = writeMetadata(m);
//
// *Parts* are the connected components of the fold work. They share no
// operation, so each is folded, replaced, evicted and shared by itself. The
// content hash of a part is equal only for parts that compute the same:
// operations, attributes, literals and types, but no names and locations.
//
// Arguments and results of functions are passed as MLIR's C interface does
// (llvm.emit_c_interface): `_mlir_ciface_<symbol>` takes pointers to memref
// descriptors, and scalars by value.
//
// The header needs the standard library only. Thread safety: functions have no
// state; any thread may call them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_METADATA_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_METADATA_H

#include "onnxfold/tensorfolding/runtime/ElementType.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace onnxfold::tensorfolding {

/// A size in a shape that is known at run time only.
constexpr int64_t dynamicSize = INT64_MIN;

/// The strides that a function accepts in the descriptor of an argument.
enum class Layout : uint32_t {
  RowMajor = 0, // memref<4x8xf32>: the function ignores strides
  AnyStrides = 1,
};

/// A tensor, as a memref is passed, or a scalar.
struct TensorType {
  ElementType element;
  std::vector<int64_t> shape; // dynamicSize where it is not known
  Layout layout = Layout::RowMajor;
  bool isScalar = false; // f32, i1, index: passed by value; the shape is empty

  bool operator==(const TensorType &) const = default;
};

/// "tensor<4x?xf32>", "f32".
std::string typeName(const TensorType &type);

/// The bytes of all elements in row-major order without gaps; nothing if a size
/// is dynamic or the number overflows.
std::optional<uint64_t> staticBytes(const TensorType &type);

enum class ArgumentRole : uint32_t {
  /// Given with every call.
  Input = 0,
  /// Its value is known when the program is compiled. Values that depend on it
  /// alone were folded then; if a part has it as an input, it must be given
  /// like a weight.
  CompileTimeConstant = 1,
  /// Given once, and replaced by an update.
  Weight = 2,
};

/// An argument of the original entry.
struct Argument {
  std::string name; // for messages; may be empty
  ArgumentRole role = ArgumentRole::Input;
  TensorType type;

  bool operator==(const Argument &) const = default;
};

/// How a function returns its tensors. Scalars are returned by value in both
/// conventions.
enum class ResultConvention : uint32_t {
  /// Trailing arguments, buffers of the caller. All shapes are static.
  OutParameters = 0,
  /// Descriptors of buffers that the function allocated with malloc and the
  /// caller frees: each with an `allocated` of its own, none of an argument.
  Returned = 1,
};

struct Function {
  std::string symbol; // without the prefix _mlir_ciface_
  ResultConvention convention = ResultConvention::OutParameters;

  bool operator==(const Function &) const = default;
};

/// A result of a fold function: which part and which result of it follows from
/// Part::outputs, which argument of the new entry from Metadata::entryArguments.
struct FoldedValue {
  TensorType type;
  /// Strides in elements, for buffers of the caller; empty means row-major.
  std::vector<int64_t> strides;

  bool operator==(const FoldedValue &) const = default;
};

/// 128 bits, the low ones first.
using ContentHash = std::array<uint64_t, 2>;

struct Part {
  Function function;
  /// The arguments of the function: numbers of Metadata::arguments, none of
  /// them an input.
  std::vector<uint32_t> inputs;
  /// Its results: numbers of Metadata::foldedValues. Each folded value is the
  /// output of one part.
  std::vector<uint32_t> outputs;
  /// Zero if it is not known: such a part is never shared.
  ContentHash hash = {};

  bool operator==(const Part &) const = default;
};

/// Where an argument of the new entry comes from.
struct EntryArgument {
  enum class Kind : uint32_t { Original = 0, Folded = 1 };
  Kind kind = Kind::Original;
  /// A number of Metadata::arguments (of inputs, and of weights that the entry
  /// uses as they are) or of Metadata::foldedValues.
  uint32_t index = 0;

  bool operator==(const EntryArgument &) const = default;
};
inline EntryArgument original(uint32_t argument) {
  return {EntryArgument::Kind::Original, argument};
}
inline EntryArgument folded(uint32_t value) {
  return {EntryArgument::Kind::Folded, value};
}

struct Metadata {
  Function entry;
  std::vector<Argument> arguments; // of the original entry
  std::vector<Part> parts;
  std::vector<FoldedValue> foldedValues;
  std::vector<EntryArgument> entryArguments; // of the new entry
  std::vector<TensorType> results;

  bool operator==(const Metadata &) const = default;
};

/// The name of the constant that holds the metadata of an entry.
std::string metadataSymbol(const std::string &entry);

/// The first error in the metadata, for example "part 0 ('f.fold_runtime.0')
/// has input 7, expected a number below 3, of an argument"; empty if there is
/// none. The result of readMetadata was checked.
std::string checkMetadata(const Metadata &metadata);

/// The bytes of MetadataLayout.h: the same ones for equal metadata.
/// REQUIRES: checkMetadata(metadata) is empty.
std::vector<char> writeMetadata(const Metadata &metadata);

/// Reads what writeMetadata wrote. `size` is the number of bytes that may be
/// read, or unknownSize where only the address is known (a symbol of a program):
/// then the size in its header is trusted. On errors the result is empty, and
/// `error` names what was found and what was expected.
constexpr size_t unknownSize = SIZE_MAX;
std::optional<Metadata> readMetadata(const void *bytes, size_t size,
                                     std::string &error);

} // namespace onnxfold::tensorfolding

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_METADATA_H
