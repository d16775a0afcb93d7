//===- Rule.h - A rewrite that a text states --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A rule is a function in ONNX's own text whose results are the two sides: all
// results but the last are patterns, the last is what replaces them. Both are
// computed from the parameters; a node that both sides read is one that stays.
// docs/rules.md has the language.
//
//   <opset_import: ["" : 7], doc_string: "if: like(before, x)">
//   times_one (x) => (before, after) {
//     one = Constant <value_float = 1.0> ()
//     before = Mul (x, one)
//     after = Identity (x)
//   }
//
// Thread safety: a rule does not change once it is read.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RULES_RULE_H
#define ONNXFOLD_ONNX_TRANSFORMS_RULES_RULE_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpPattern.h"
#include "onnxfold/onnx/transforms/rules/RuleGlance.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <deque>
#include <string>
#include <vector>

namespace onnxfold {

/// A condition, or a number in one.
struct RuleTerm {
  enum Kind {
    // Numbers
    Integer,   // integer
    Real,      // real
    Dimension, // name, that the shape of a value binds
    Attribute, // index: of an attribute that is a parameter
    Element,   // index, operand 0: of a list
    Length,    // index: of a list
    Rank,      // index: of a value
    Size,      // index: the number of elements
    Dim,       // index, operand 0
    Value,     // index, operand 0: an element of a value
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Minimum,
    Maximum,
    Text, // name
    // Truths
    Equal,
    Unequal,
    Less,
    LessEqual,
    And,
    Or,
    Not,
    Given,          // index: of a value
    GivenAttribute, // index
    Constant,
    Once,
    SameShape, // index, other: of values
    SameType,
    Like,
    Broadcasts, // `index` broadcasts to the shape of `other`
    Wider,      // the type of `index` has all numbers of that of `other`
    Finite,
    Between,     // index, operands 0 and 1
    HalvesEqual, // of the last dimension of `index`
  };
  Kind kind = Integer;
  int64_t integer = 0;
  double real = 0;
  std::string name;
  unsigned index = 0, other = 0;
  std::vector<RuleTerm> operands;

  bool isTruth() const { return kind >= Equal; }
};

/// A dimension of a value: a number, a name, `_`, or `name...`, which stands for
/// any number of dimensions.
struct RuleDim {
  enum Kind { Number, Name, Any, Run };
  Kind kind = Any;
  int64_t number = 0;
  std::string name;
};

/// A parameter, or a result of a node.
struct RuleValue {
  std::string name;
  int node = -1;       ///< which computes it; -1: a parameter
  unsigned result = 0; ///< of the node
  bool isOptional = false, isVariadic = false, mayBeReused = false;
  std::vector<DataType> types; ///< empty: any
  std::optional<std::vector<RuleDim>> shape;
  /// The numbers of a parameter for which the bound is claimed.
  std::optional<std::pair<double, double>> range;
  /// The doubles that the proof takes for a parameter.
  std::vector<Elements> tries;
  unsigned typeClass = 0; ///< values of one class have one element type
};

struct RuleAttribute {
  std::string name;
  mlir::Attribute value; ///< null: it is a parameter
  unsigned parameter = 0;
};

struct RuleNode {
  enum Kind {
    Operator,
    Number,   ///< a Constant with value_float or value_int: of any type
    Tensor,   ///< a Constant with another literal
    Parameter ///< a Constant that an attribute of the rule states
  };
  Kind kind = Operator;
  std::string opType;
  llvm::SmallVector<int, 4> inputs; ///< -1: not given
  llvm::SmallVector<unsigned, 1> outputs;
  llvm::SmallVector<RuleAttribute, 2> attributes;
  bool isCommutative = false;
  bool hasAnyAttributes = false; ///< what it does not state has any value
  double number = 0;
  Elements tensor;
};

/// An attribute that is a parameter.
struct RuleParameter {
  std::string name;
  int32_t kind = 0;                 ///< AttributeProto.AttributeType
  mlir::Attribute sample;           ///< a value to try, or null
  std::vector<Elements> tries;      ///< as RuleValue::tries
  std::optional<RuleTerm> computed; ///< the replacement alone reads it
  bool mayBeMissing = false;
};

/// How far the sides of a rule of level 2 may be apart.
struct RuleBound {
  double ulps = 0;
  int of = -1; ///< units of the largest element of this value; -1: of each
  std::string text;
};

struct RewriteRule {
  std::string name, algebra, file, text;
  std::string overload; ///< tells rules of one name apart
  /// Rewrites of onnx-fold that a run with this rule leaves out.
  std::vector<std::string> undoes;
  unsigned line = 0, column = 0;
  int level = 1;
  RuleBound bound;
  int64_t firstOpset = 0, lastOpset = 0;

  std::vector<RuleValue> values; ///< parameters first
  unsigned numParameters = 0;
  std::vector<RuleNode> nodes; ///< each after those that it reads
  std::vector<RuleParameter> attributes;
  llvm::SmallVector<unsigned, 2> patterns; ///< values
  unsigned replacement = 0;                ///< a value
  std::vector<RuleTerm> conditions;        ///< all must hold
  /// The sizes that the proof takes for dimensions of these names.
  llvm::StringMap<std::vector<int64_t>> sizes;
  /// By RuleValue::typeClass; empty: any type.
  std::vector<std::vector<DataType>> typeClasses;
  std::string roots; ///< CleanUpPattern::roots
  /// At each pattern; the texts are those of the rule in the RuleSet.
  std::vector<RuleGlance> glances;

  bool isConstant(unsigned value) const {
    int node = values[value].node;
    return node >= 0 && nodes[node].kind != RuleNode::Operator;
  }
  /// An attribute that a pattern states as a float constant of any type.
  bool isAnyFloat(unsigned value) const;
  /// The nodes that a value is computed from, its own one included.
  std::vector<bool> nodesOf(unsigned value) const;
  /// The text of it in `--report` and `--list-patterns`.
  std::string description() const;
};

/// Sets which values have one type, and which types these are by the schemas of
/// an opset, if the pattern is that one. An error says what is wrong, also if
/// the opset has no such nodes.
llvm::Error inferTypeClasses(RewriteRule &rule, unsigned pattern,
                             int64_t opset);

/// The rules of some files, as patterns of clean-ups. It must outlive these.
class RuleSet {
public:
  explicit RuleSet(mlir::MLIRContext &context) : context(context) {}
  RuleSet(const RuleSet &) = delete;

  /// Adds the rules of a file; an error names file, line and column.
  llvm::Error add(llvm::StringRef text, llvm::StringRef file);

  mlir::MLIRContext &mlirContext() const { return context; }
  llvm::ArrayRef<std::unique_ptr<RewriteRule>> rules() const { return all; }
  /// The patterns in the order of the files.
  const std::deque<CleanUpPattern> &patterns() const { return found; }

private:
  mlir::MLIRContext &context;
  std::vector<std::unique_ptr<RewriteRule>> all;
  std::deque<CleanUpPattern> found; ///< whose addresses are kept
};

/// The text of a set that is in the program: fusions, decompose, rewrites, which
/// are those of onnx-fold itself. Tests prove these.
std::optional<llvm::StringRef> shippedRules(llvm::StringRef name);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RULES_RULE_H
