//===- ShapeRule.h - The shape rule of one form of an operator --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A form says how types and shapes of results follow from those of the inputs
// (docs/schemas.md has the language):
//
//   A: T[rows..., K], B, scales -> Y: T[rows..., N]
//   X: T[x...], k? -> Y: T[x..., value(k)] if has(k) and upper == 0
//   X: T, scale, zero -> Y: T as AveragePool(X)
//
// A name stands for a dimension, `name...` for a run of dimensions. The shapes
// of inputs bind names. The shapes of results are expressions of names, integer
// attributes and values of inputs, or they are those of an operator of ONNX.
//
// Thread safety: a rule is not changed once it is parsed.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_SHAPERULE_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_SHAPERULE_H

#include "onnxfold/onnx/folding/OperatorSchemas.h"
#include "onnxfold/onnx/folding/SymbolicShapes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace onnxfold {

/// The default of an integer attribute or a list of integers. If it is nothing,
/// the name is not bound where a node lacks the attribute.
using AttributeDefault = std::optional<llvm::SmallVector<int64_t>>;
using AttributeDefaults = llvm::StringMap<AttributeDefault>;

/// A dimension, or a number of a condition.
struct DimTerm {
  enum Kind {
    Number,
    Name, // of a dimension or an attribute
    Add,  // of two operands, and so on
    Subtract,
    Multiply,
    Divide,
    Minimum,
    Maximum,
    OrElse,  // the second one where the first one is not bound
    Element, // of a run, an attribute's list: name[operand]
    Value,   // of an input: value(name), value(name, operand)
    Rank,    // the length of a run or list: rank(name)
    Unknown,
  };
  Kind kind = Unknown;
  int64_t number = 0;
  std::string name;
  std::vector<DimTerm> operands;
};

/// One entry of a shape: a dimension or several.
struct ShapeItem {
  enum Kind { Dimension, Run, Slice, Broadcast };
  Kind kind = Dimension;
  DimTerm term;                      // of Dimension
  std::vector<std::string> names;    // runs
  std::optional<DimTerm> begin, end; // of Slice
};

struct ValuePattern {
  std::string name;
  bool isOptional = false;
  bool isVariadic = false; // the last input: one of them, or more
  /// A name of ONNX ("float16"), a variable, or "type(attribute)"; "" if the
  /// form does not state the type.
  std::string type;
  std::optional<std::vector<ShapeItem>> shape;
};

struct FormCondition {
  enum Kind { Has, HasNot, Equal, Unequal, Less, LessEqual };
  Kind kind;
  std::string name; // of Has and HasNot
  DimTerm left, right;
};

/// The operator of ONNX with the same shapes.
struct LikeOperator {
  std::string opType;
  int64_t opset = 0; // 0: the newest
  struct Input {
    std::string name;
    unsigned step = 0; // of variadic ones: each step-th from this one on
  };
  std::vector<Input> inputs;
  /// True if the first input and the result have their channels in the last
  /// dimension.
  bool isChannelsLast = false;
};

struct ShapeRule {
  std::vector<ValuePattern> inputs, results;
  std::optional<LikeOperator> like;
  std::vector<FormCondition> conditions;

  /// An error names the word of the text at which it was found.
  static llvm::Expected<ShapeRule> parse(llvm::StringRef text,
                                         const AttributeDefaults &attributes);
};

/// ONNX's name of an element type ("float16"), or Undefined.
DataType elementTypeOfName(llvm::StringRef name);

/// Whether a node is of a form. Unknown: its operands are not known enough.
enum class FormFit { No, Unknown, Yes };

/// The names of a form and what they stand for at one node.
class FormMatch {
public:
  FormMatch(Operator op, llvm::ArrayRef<const ValueState *> operands,
            const AttributeDefaults &attributes, DimExprs &exprs);

  /// Binds the names of the inputs' shapes.
  FormFit match(const ShapeRule &rule);
  /// Sets the states of the results; those of which nothing is known do not
  /// change. REQUIRES: match() was called.
  void infer(const ShapeRule &rule, llvm::MutableArrayRef<ValueState> results);
  /// Sets element types only, for nodes for which no form is known to fit.
  void inferTypes(const ShapeRule &rule,
                  llvm::MutableArrayRef<ValueState> results);

  /// The numbers of the operands that are the inputs of `like`.
  llvm::SmallVector<unsigned> likeOperands(const LikeOperator &like) const;

private:
  struct Run {
    std::optional<SymbolicShape> dims; // nothing: not known
  };

  FormFit matchInput(const ValuePattern &pattern, const ValueState &state);
  FormFit matchShape(llvm::ArrayRef<ShapeItem> items,
                     const SymbolicShape &shape);
  FormFit matchDimension(const ShapeItem &item, DimExpr dim);
  FormFit matchRun(llvm::StringRef name, llvm::ArrayRef<DimExpr> dims);
  void bindUnknown(llvm::ArrayRef<ShapeItem> items);
  FormFit test(const FormCondition &condition);
  /// The value of a term; nothing if a name in it is not bound.
  std::optional<DimExpr> evaluate(const DimTerm &term);
  std::optional<DimExpr> evaluateElement(const DimTerm &term);
  std::optional<DimExpr> evaluateValue(const DimTerm &term);
  std::optional<SymbolicShape> evaluateItems(llvm::ArrayRef<ShapeItem> items);
  bool append(const ShapeItem &item, SymbolicShape &shape);
  std::optional<SymbolicShape> runOf(llvm::StringRef name) const;
  DataType typeOf(llvm::StringRef type) const;
  const ValueState *operandOf(llvm::StringRef name) const;

  Operator op;
  llvm::ArrayRef<const ValueState *> operands;
  const AttributeDefaults &attributes;
  DimExprs &exprs;
  llvm::ArrayRef<ValuePattern> inputs;
  llvm::StringMap<DimExpr> dims;
  llvm::StringMap<Run> runs;
  llvm::StringMap<DataType> types;
};

/// One operator of a schema file.
struct OperatorSchema {
  bool effects = true;
  AttributeDefaults attributes;
  /// The first form that fits a node is used.
  std::vector<ShapeRule> forms;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_SHAPERULE_H
