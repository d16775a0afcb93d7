//===- Reassociation.cpp - Sums and products with constants ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Constants of a chain of sums or products are brought together: one node less
// each time, and what is only moved is left where it is (RATIONALE.md).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

namespace {

/// `rest` + `constant` or `rest` * `constant`; `isInverse`: - and /.
struct Term {
  Value rest, constant;
  bool isInverse = false;
};

enum class Chain { Sum, Product };

} // namespace

static bool isConstant(const CleanUpContext &cx, Value value) {
  return bool(cx.constantOf(value));
}

/// The chain that an operator is part of.
static std::optional<Chain> chainOf(Operator op) {
  constexpr int broadcasts = 7; // as numpy does it
  if (!op || op.isCustom() || op.since() < broadcasts)
    return std::nullopt;
  if (op.is("Add") || op.is("Sub"))
    return Chain::Sum;
  return op.is("Mul") || op.is("Div") ? std::optional(Chain::Product)
                                      : std::nullopt;
}

static std::optional<Term> termOf(const CleanUpContext &cx, Operator op,
                                  Chain chain) {
  if (chainOf(op) != chain)
    return std::nullopt;
  bool isInverse = op.is("Sub") || op.is("Div");
  Value a = op.input(0), b = op.input(1);
  if (!isInverse && isConstant(cx, a))
    std::swap(a, b);
  if (isConstant(cx, a) || !isConstant(cx, b) ||
      (op.is("Div") && isInteger(cx.typeOf(a))))
    return std::nullopt;
  return Term{a, b, isInverse};
}

/// The term that input #i is.
static std::optional<Term> innerTerm(const CleanUpContext &cx, unsigned i,
                                     Chain chain) {
  Operator made = cx.producer(i);
  return made ? termOf(cx, made, chain) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Two constants as one
//===----------------------------------------------------------------------===//

static bool isOfLevel(DataType type, int level) {
  return level == 1 ? isInteger(type) && type != DataType::Bool
                    : typeClass(type) == TypeClass::Float;
}

/// Each number is there in full in the type: no overflow, and of a product no
/// underflow, which would change more than the last bits.
static bool isExact(const Elements &value, Chain chain) {
  double least = value.type() == DataType::Float16   ? 0x1p-14
                 : value.type() == DataType::Float64 ? 0x1p-1022
                                                     : 0x1p-126;
  Elements wide = ops::cast(value, DataType::Float64);
  return llvm::all_of(wide.values<double>(), [&](double v) {
    return std::isfinite(v) && (chain == Chain::Sum || std::fabs(v) >= least);
  });
}

/// Two constants may be there for what they do to x in between, which is to
/// round it, as in (x + 1.5 * 2^23) - 1.5 * 2^23, or to limit it, as in
/// x * 2^k / 2^k: more than a bit of an addend cancels, or an addend rounds; one
/// factor makes numbers larger and the other one smaller, back to what they were
/// or by more than a few bits.
static bool undoEachOther(const Term &x, const Elements &a, const Term &y,
                          const Elements &b, Chain chain) {
  bool isSum = chain == Chain::Sum;
  if (isSum && (patterns::addsToRound(a) || patterns::addsToRound(b)))
    return true;
  double most = a.type() == DataType::Float16 ? 0x1p3 : 0x1p8;
  double unit = std::ldexp(4, -patterns::digitsOf(a.type()));
  auto applied = [=](double v, bool isInverse) {
    return isSum ? (isInverse ? -v : v)
                 : (isInverse ? 1 / std::fabs(v) : std::fabs(v));
  };
  auto undo = [=, i = x.isInverse, j = y.isInverse](double v, double w) {
    v = applied(v, i), w = applied(w, j);
    if (isSum)
      return std::fabs(v + w) < std::fmax(std::fabs(v), std::fabs(w)) / 2;
    bool isModerate = std::fmax(v, w) <= most && std::fmin(v, w) >= 1 / most;
    return (v - 1) * (w - 1) < 0 &&
           (!isModerate || std::fabs(v * w - 1) <= unit);
  };
  Elements found = ops::zipTo<bool>(ops::cast(a, DataType::Float64),
                                    ops::cast(b, DataType::Float64), undo);
  return ops::firstWhere<bool>(found, [](bool one) { return one; }).has_value();
}

/// One has the shape of both together, and what they make can stand for them.
static bool canCombine(const CleanUpContext &cx, const Term &x, const Term &y,
                       Chain chain) {
  constexpr int64_t most = 1 << 20; // elements that are looked at
  Elements a = cx.constantOf(x.constant), b = cx.constantOf(y.constant);
  if (a.type() != b.type() || std::max(a.size(), b.size()) > most)
    return false;
  std::optional<Shape> shape = broadcastShapes(a.shape(), b.shape());
  if (!shape || (*shape != a.shape() && *shape != b.shape()))
    return false;
  if (isInteger(a.type()))
    return true;
  if (undoEachOther(x, a, y, b, chain))
    return false;
  bool isOpposite = x.isInverse != y.isInverse;
  Elements first = x.isInverse && isOpposite ? b : a;
  Elements second = x.isInverse && isOpposite ? a : b;
  Elements both =
      chain == Chain::Sum
          ? (isOpposite
                 ? ops::zip(first, second, [](auto v, auto w) { return v - w; })
                 : ops::zip(first, second,
                            [](auto v, auto w) { return v + w; }))
          : (isOpposite
                 ? ops::zip(first, second, [](auto v, auto w) { return v / w; })
                 : ops::zip(first, second,
                            [](auto v, auto w) { return v * w; }));
  return both && isExact(a, chain) && isExact(b, chain) && isExact(both, chain);
}

/// `rest` with both constants, of nodes that are folded.
static Value combine(const CleanUpContext &cx, Value rest, const Term &x,
                     const Term &y, Chain chain) {
  bool isSum = chain == Chain::Sum;
  OperatorName forth = isSum ? OperatorName("Add") : OperatorName("Mul");
  OperatorName back = isSum ? OperatorName("Sub") : OperatorName("Div");
  NodeBuilder &nodes = cx.nodes;
  if (x.isInverse == y.isInverse)
    return nodes.create(x.isInverse ? back : forth,
                        {rest, nodes.create(forth, {x.constant, y.constant})});
  const Term &plus = x.isInverse ? y : x, &minus = x.isInverse ? x : y;
  return nodes.create(
      forth, {rest, nodes.create(back, {plus.constant, minus.constant})});
}

//===----------------------------------------------------------------------===//
// The forms
//===----------------------------------------------------------------------===//

/// (x + y) of a sum in the middle of a chain, and the constant beside it:
/// ((x + c1) + y) + c2, or ((x + c1) + y) + (beside + c2).
static Value fromBelow(const CleanUpContext &cx, const Term &outer,
                       unsigned place, Chain chain, Value beside = {}) {
  Operator sum = cx.producer(place);
  if (chainOf(sum) != chain || sum.is("Sub") || sum.is("Div") ||
      termOf(cx, sum, chain))
    return {};
  CleanUpContext below = cx.at(sum);
  for (unsigned i : {0u, 1u})
    if (auto inner = innerTerm(below, i, chain))
      if (canCombine(cx, *inner, outer, chain) && below.isOnlyReader(i) &&
          cx.isOnlyReader(place)) {
        Value both =
            cx.nodes.create(sum.name(), {inner->rest, sum.input(1 - i)});
        if (beside)
          both = cx.nodes.create(cx.op.name(), {both, beside});
        return combine(cx, both, *inner, outer, chain);
      }
  return {};
}

/// ((x + c1) + y) + (z + c2), of integers.
static Value fromBothSides(const CleanUpContext &cx, Chain chain) {
  for (unsigned place : {0u, 1u})
    if (auto outer = innerTerm(cx, 1 - place, chain);
        outer && cx.isOnlyReader(1 - place))
      if (Value result = fromBelow(cx, *outer, place, chain, outer->rest))
        return result;
  return {};
}

static Value reassociate(const CleanUpContext &cx, int level) {
  auto chain = chainOf(cx.op);
  if (!chain || !isOfLevel(cx.typeOf(cx.op->getResult(0)), level))
    return {};
  if (auto outer = termOf(cx, cx.op, *chain)) {
    unsigned place = outer->rest == cx.op.input(0) ? 0 : 1;
    auto inner = innerTerm(cx, place, *chain);
    if (inner && canCombine(cx, *inner, *outer, *chain) &&
        cx.isOnlyReader(place))
      return combine(cx, inner->rest, *inner, *outer, *chain);
    return fromBelow(cx, *outer, place, *chain);
  }
  if (cx.op.is("Sub") || cx.op.is("Div"))
    return {};
  auto first = innerTerm(cx, 0, *chain), second = innerTerm(cx, 1, *chain);
  if (level == 1 && bool(first) != bool(second))
    return fromBothSides(cx, *chain);
  if (!first || !second || !canCombine(cx, *first, *second, *chain) ||
      !cx.isOnlyReader(0) || !cx.isOnlyReader(1))
    return {};
  Value both = cx.nodes.create(cx.op.name(), {first->rest, second->rest});
  return combine(cx, both, *first, *second, *chain);
}

Value patterns::matchIntegerChain(const CleanUpContext &cx) {
  return reassociate(cx, 1);
}

Value patterns::matchFloatChain(const CleanUpContext &cx) {
  return reassociate(cx, 2);
}
