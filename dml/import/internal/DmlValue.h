//===- DmlValue.h - What is known of a value of DML -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A value of a variable or an expression: its type, its sizes, and either the
// number or text itself, or the name of a tensor of the graph.
//
//   DmlValue two = DmlValue::known(2, DmlValue::Int);
//   DmlValue x = DmlValue::matrix("x", 3, -1);      // 3 x ?
//   joined(x, DmlValue::matrix("y", 5, -1));        // ? x ?, without a name
//
// joined() is the least upper bound: what holds of a variable to which one path
// gives the first value and another path the second.
//
// Thread safety: as std::string. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_DMLVALUE_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_DMLVALUE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace onnxfold::dml {

struct DmlValue {
  /// A frame is one of numbers: the name is that of a matrix.
  enum Type { Unknown, Matrix, Double, Int, Boolean, Text, List, Frame };
  Type type = Unknown;
  std::string name;             ///< in the graph; empty for known values
  std::optional<double> number; ///< the value of a known scalar
  /// The value of a text. For an unknown value, why it must not be read.
  std::string text;
  int64_t rows = -1, columns = -1; ///< of a matrix; negative: unknown
  std::vector<DmlValue> elements;  ///< of a list
  std::vector<std::string> keys;   ///< of the elements; "": none
  /// A lower bound of an unknown Int. (Rows and columns are at least 1.)
  int64_t least = std::numeric_limits<int64_t>::min();
  bool isCounting = false;  ///< a column 1, 2, 3, ...
  bool isUnordered = false; ///< a column in the order of a hash table
  /// A text that depends on values, or a list of texts of which the length does.
  bool isOpenText = false;
  bool isUnassigned = false; ///< unknown: nothing assigned it on this path
  bool isPartial = false;    ///< nothing assigned it on another path
  bool isParameter = false;  ///< a text: $name, or its default
  bool isBound = false;      ///< a text: $name, as the caller has bound it
  std::string parameter;     ///< of an open text: $name, which has no value

  static DmlValue known(double number, Type type);
  static DmlValue matrix(std::string name, int64_t rows = -1,
                         int64_t columns = -1);
  static DmlValue scalar(std::string name, Type type);

  bool isMatrix() const { return type == DmlValue::Matrix; }
  bool isScalar() const {
    return type == DmlValue::Double || type == DmlValue::Int ||
           type == DmlValue::Boolean;
  }
  bool isUnknown() const { return type == DmlValue::Unknown; }
  /// An Int or a known number is at least `bound`.
  bool isAtLeast(int64_t bound) const {
    return number ? *number >= double(bound) : least >= bound;
  }
  /// The number is unknown, or small enough for a size or a position: Inf, NaN
  /// and numbers from 10^15 on are not.
  bool mayCount() const { return !number || std::abs(*number) < 1e15; }
  /// A known number that mayCount(), rounded towards zero; -1 for others.
  int64_t size() const { return number && mayCount() ? int64_t(*number) : -1; }
  /// Of a list: an element's key, and whether any has one.
  std::string keyOf(size_t element) const {
    return element < keys.size() ? keys[element] : "";
  }
  bool hasKeys() const;
  /// The same value, not only an equal one.
  bool isSame(const DmlValue &other) const;
};

/// A text, and an unknown value that must not be read.
DmlValue textValue(llvm::StringRef text);
DmlValue unreadable(const llvm::Twine &why);
/// An unknown value that isUnassigned.
DmlValue unassigned(const llvm::Twine &why);

/// Why a list is refused; "" if it is not. A copy of a list copies what is in it.
std::string problemOfList(const DmlValue &list);

/// The sizes of a value in messages: "3 x ?", "a scalar".
std::string sizeText(const DmlValue &value);

/// The value after one path or the other, open where they differ. It is
/// unreadable if no type holds both.
DmlValue joined(const DmlValue &a, const DmlValue &b);

/// A matrix or a scalar that has no name yet. It gets that of an output of the
/// If or the Loop after which it is read.
bool isOpen(const DmlValue &value);

/// Why a frame after a branch or a loop is unreadable.
constexpr llvm::StringLiteral frameOfPaths =
    "is a frame that a branch or a loop assigns";

/// Calls `use` for a value, or for all leaves of a list.
template <typename Value, typename Use> void eachLeaf(Value &value, Use use) {
  if (value.type == DmlValue::List)
    for (auto &one : value.elements)
      eachLeaf(one, use);
  else
    use(value);
}

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_DMLVALUE_H
