//===- RandomCase.h - One random program of operations ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A case applies a few operations, one after the other, to random tensors and
// to each other's results: once with the library, once with AnyTensor. An
// operation is a function
//
//   static bool transposeOf(Case &c) {
//     Pair x = c.operand(anyType);
//     Shape perm = c.random.permutation(x.naive.rank());
//     c.add("transpose " + toString(perm), x.actual.transpose(perm), ...);
//     return true;
//   }
//
// that returns false, having added nothing, where the random choices do not
// fit it. Fresh operands come in disguise: as views of views, with negative
// and broadcast strides, as programs, as what is computed when it is read.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_ELEMENTS_RANDOMCASE_H
#define ONNXFOLD_TESTS_ELEMENTS_RANDOMCASE_H

#include "AnyTensor.h"
#include "onnxfold/tests/elements/Naive.h"

namespace onnxfold {

/// A tensor as the library has it and as it should be.
struct Pair {
  Elements actual;
  AnyTensor naive;
};

/// What an inexact result may be: the exact value, give or take `slack`,
/// rounded once to the element type. Anything, if `slack` is NaN: where what
/// comes before the result may overflow or cancel.
struct Bound {
  long double exact, slack;
};

using TypeFilter = bool (*)(DataType);
bool anyType(DataType type);
bool isArithmetic(DataType type); // 8 to 64 bits, f16 to f64
bool isOrdered(DataType type);    // arithmetic and bool
bool isAnyInteger(DataType type); // sub-byte ones too
bool isFullInteger(DataType type);
bool isFullFloat(DataType type);
bool isNumberOrBool(DataType type);

class Case {
public:
  Case(unsigned seed, bool large) : random(seed), large(large) {}

  Random random;

  //===--- operands -----------------------------------------------------===//

  bool chance(int64_t percent) { return random.integer(1, 100) <= percent; }
  DataType type(TypeFilter filter);
  /// Mostly short dimensions, sometimes of size 0 or 1.
  Shape shape(int64_t leastRank, int64_t mostRank);
  /// A result of this case, perhaps its last handle, or a fresh tensor.
  Pair operand(TypeFilter filter, int64_t leastRank = 0, int64_t mostRank = 5);
  Pair fresh(DataType type, ShapeRef shape);
  /// The given values in disguise.
  Pair disguised(AnyTensor values) { return {disguise(values, 2), values}; }
  /// A fresh tensor of x's type that broadcasts with it, without growing it
  /// beyond what a case can take.
  Pair broadcastPartner(const Pair &x, DataType type);
  /// Indices from [-limit(i), limit(i)) of any integer type that holds them.
  /// REQUIRES: limit(i) > 0.
  Pair indices(ShapeRef shape, const std::function<int64_t(ShapeRef)> &limit);
  Cell cell(DataType type);
  /// Results may have this many elements.
  int64_t room() const { return large ? 200000 : 5000; }
  bool fits(ShapeRef shape) const {
    std::optional<int64_t> n = checkedNumElements(shape);
    return n && *n <= room();
  }

  //===--- results ------------------------------------------------------===//

  /// Results that are the expected ones, bit by bit. Compared now or later.
  void add(const std::string &what, Elements actual, AnyTensor expected);
  /// But for the sign of zeros, which is free.
  void addAnyZero(const std::string &what, Elements actual,
                  const AnyTensor &expected);
  /// Floats within bounds, one per element; complex numbers with two.
  void addWithin(const std::string &what, Elements actual, DataType type,
                 ShapeRef shape, const std::vector<Bound> &bounds);
  /// Other facts.
  template <class T>
  void expectSame(const std::string &what, const T &actual, const T &expected) {
    log.push_back(what);
    EXPECT_EQ(actual, expected) << history();
  }
  void expectNull(const std::string &what, const Elements &actual) {
    expectSame(what + " of a type that it does not take", bool(actual), false);
  }

  /// Compares all results that were not compared yet.
  void finish();
  /// Of the bytes of all results that were read.
  uint64_t digest() const { return hash; }
  /// Types and ranks that operands had, and that they may have: a bit each.
  struct Coverage {
    uint64_t types = 0, allTypes = 0, ranks = 0, allRanks = 0;
    void merge(const Coverage &other);
  };
  /// Since the last call.
  Coverage takeCoverage() { return std::exchange(covered, {}); }

private:
  bool large;
  std::vector<Pair> results;
  std::vector<bool> compared;
  std::vector<std::string> log;
  uint64_t hash = 0xcbf29ce484222325;
  Coverage covered;

  std::string history() const;
  void compare(size_t result, bool isLast = false);
  AnyTensor read(Elements actual);
  bool readable(const std::string &what, const Elements &actual, DataType type,
                ShapeRef shape);
  AnyTensor randomTensor(DataType type, ShapeRef shape);
  Cell integerValue(DataType type, int64_t style);
  Cell floatValue(DataType type, int64_t style);
  Elements disguise(const AnyTensor &values, int depth);
  Elements asTransposition(const AnyTensor &values, int depth);
  Elements asSlice(const AnyTensor &values, int depth);
  Elements asReshape(const AnyTensor &values, int depth);
  Elements asExpansion(const AnyTensor &values, int depth);
  Elements asProgram(const AnyTensor &values, int depth);
  Elements asBuffer(const AnyTensor &values);
};

/// An operation under test, and how its cases are counted.
struct Operation {
  const char *name;
  bool (*run)(Case &);
};
using OperationList = std::vector<Operation>;

void addViewOperations(OperationList &list);
void addElementwiseOperations(OperationList &list);
void addMovementOperations(OperationList &list);
void addIndexOperations(OperationList &list);
void addReductionOperations(OperationList &list);
void addSearchOperations(OperationList &list);
void addUniqueOperations(OperationList &list);
void addWindowOperations(OperationList &list);
void addMonoidOperations(OperationList &list);
void addHandleOperations(OperationList &list);
void addPrecisionOperations(OperationList &list);
void addGeneratorOperations(OperationList &list);
void addMatrixOperations(OperationList &list);
void addQuantizationOperations(OperationList &list);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ELEMENTS_RANDOMCASE_H
