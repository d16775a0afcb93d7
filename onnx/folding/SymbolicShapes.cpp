//===- SymbolicShapes.cpp - Shapes that ONNX does not infer ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/SymbolicShapes.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/folding/internal/SymbolicShapeRules.h"
#include "onnxfold/symbolic/SymbolicFloats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::ArrayRef;

using Derived = std::optional<SymbolicShape>;

/// DimExprs::opaque
static constexpr int broadcastName = 200;

DimExpr onnxfold::broadcastDimension(DimExpr a, DimExpr b, DimExprs &exprs) {
  std::optional<int64_t> x = exprs.valueOf(a), y = exprs.valueOf(b);
  if (a == b || y == 1)
    return a;
  if (x == 1 || y) // what is no 1 is what both come to
    return b;
  if (x)
    return a;
  // A size that is capped at 2 or more does not broadcast where it is capped.
  if (exprs.isCapped(b, a, 2))
    return a;
  if (exprs.isCapped(a, b, 2))
    return b;
  if (b.id < a.id)
    std::swap(a, b);
  return exprs.opaque(broadcastName, a, b, ExprRange::dimension());
}

SymbolicShape onnxfold::broadcastShapes(const SymbolicShape &x,
                                        const SymbolicShape &y,
                                        DimExprs &exprs) {
  SymbolicShape longer = x.size() < y.size() ? y : x;
  const SymbolicShape &shorter = x.size() < y.size() ? x : y;
  size_t lead = longer.size() - shorter.size();
  for (auto [i, d] : llvm::enumerate(shorter))
    longer[lead + i] = broadcastDimension(longer[lead + i], d, exprs);
  return longer;
}

Derived onnxfold::elementsAsSymbols(const ValueState &state, DimExprs &exprs) {
  constexpr int64_t most = 1024;
  if (!state.value || state.value.rank() > 1 || state.value.size() > most ||
      !isInteger(state.type))
    return std::nullopt;
  SymbolicShape list;
  if (state.isSymbolic()) {
    for (DimExpr symbol : state.value.values<DimExpr>())
      list.push_back(symbol);
    return list;
  }
  for (int64_t value : state.value.ints())
    list.push_back(exprs.constant(value));
  return list;
}

namespace {

/// The rules, for one operator.
class Rules {
public:
  Rules(Operator op, ArrayRef<const ValueState *> operands, DimExprs &exprs)
      : op(op), operands(operands), s(exprs) {}

  Derived broadcast() const;
  Derived reshape() const;
  Derived expand() const;
  Derived slice() const;
  Derived range() const;
  Derived tile() const;
  Derived pad() const;
  Derived concat() const;
  Derived flatten() const;
  Derived constantOfShape() const { return elements(0); }
  Derived matMul() const;
  Derived nonZero() const;
  Derived resize() const;
  Derived depthToSpace() const;
  Derived spaceToDepth() const;
  Derived topK() const;
  DerivedShapes split() const;

private:
  bool has(unsigned i) const {
    return i < operands.size() && !operands[i]->absent;
  }
  Derived shape(unsigned i) const {
    return has(i) ? operands[i]->shape : Derived();
  }
  Derived elements(unsigned i) const {
    return has(i) ? elementsAsSymbols(*operands[i], s) : Derived();
  }
  std::optional<DimExpr> scalar(unsigned i) const;
  /// All of them numbers: of an attribute before version `inputSince`.
  std::optional<llvm::SmallVector<int64_t>>
  ints(llvm::StringRef name, unsigned input, int64_t inputSince) const;
  std::optional<SymbolicShape> list(llvm::StringRef name, unsigned input,
                                    int64_t inputSince) const;
  /// The axis in [0, rank), or nothing.
  std::optional<int64_t> axisOf(int64_t axis, int64_t rank) const {
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank ? std::optional(axis) : std::nullopt;
  }
  bool isKnown(DimExpr condition, int64_t truth) const {
    return s.valueOf(condition) == truth;
  }
  DimExpr number(int64_t value) const { return s.constant(value); }
  DimExpr notNegative(DimExpr size) const { return s.maximum(size, number(0)); }
  DimExpr product(ArrayRef<DimExpr> factors) const {
    DimExpr result = number(1);
    for (DimExpr factor : factors)
      result = s.multiply(result, factor);
    return result;
  }
  DimExpr sliced(DimExpr size, DimExpr start, DimExpr end, int64_t step) const;
  std::optional<DimExpr> fromStart(DimExpr place, DimExpr size) const;

  Operator op;
  ArrayRef<const ValueState *> operands;
  DimExprs &s;
};

} // namespace

std::optional<SymbolicShape> Rules::list(llvm::StringRef name, unsigned input,
                                         int64_t inputSince) const {
  if (op.since() >= inputSince)
    return elements(input);
  auto attribute = op.getInts(name);
  if (!attribute)
    return std::nullopt;
  return llvm::map_to_vector<4>(*attribute,
                                [&](int64_t v) { return number(v); });
}

std::optional<llvm::SmallVector<int64_t>>
Rules::ints(llvm::StringRef name, unsigned input, int64_t inputSince) const {
  auto symbolic = list(name, input, inputSince);
  if (!symbolic)
    return std::nullopt;
  llvm::SmallVector<int64_t> result;
  for (DimExpr symbol : *symbolic) {
    std::optional<int64_t> value = s.valueOf(symbol);
    if (!value)
      return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

Derived Rules::broadcast() const {
  if (op.since() < 7)
    return std::nullopt;
  Derived all = shape(0);
  for (unsigned i = 1; all && i < operands.size(); ++i) {
    Derived next = shape(i);
    all = next ? Derived(broadcastShapes(*all, *next, s)) : std::nullopt;
  }
  return all;
}

Derived Rules::expand() const {
  Derived x = shape(0), target = elements(1);
  return x && target ? Derived(broadcastShapes(*x, *target, s)) : std::nullopt;
}

Derived Rules::matMul() const {
  Derived a = shape(0), b = shape(1);
  if (!a || !b || a->size() < 2 || b->size() < 2)
    return std::nullopt;
  DimExpr columns = b->back(), rows = (*a)[a->size() - 2];
  SymbolicShape batch =
      broadcastShapes(SymbolicShape(a->begin(), a->end() - 2),
                      SymbolicShape(b->begin(), b->end() - 2), s);
  batch.append({rows, columns});
  return batch;
}

//===----------------------------------------------------------------------===//
// Shapes that are computed
//===----------------------------------------------------------------------===//

Derived Rules::reshape() const {
  Derived x = shape(0), target = list("shape", 1, 5);
  if (!target)
    return std::nullopt;
  bool zeroCopies = op.getInt("allowzero", 0) == 0;
  std::optional<size_t> rest;
  for (auto [i, d] : llvm::enumerate(*target)) {
    if (zeroCopies && s.valueOf(d) == 0) {
      if (!x || i >= x->size())
        return std::nullopt;
      d = (*x)[i];
    }
    // A size that may be -1 is the rest, or what the rest would be.
    if (s.rangeOf(d).least >= 0)
      continue;
    if (rest)
      return std::nullopt;
    rest = i;
  }
  if (!rest)
    return target;
  if (!x)
    return std::nullopt;
  (*target)[*rest] = number(1);
  (*target)[*rest] = s.divideExactly(product(*x), product(*target));
  return target;
}

Derived Rules::flatten() const {
  Derived x = shape(0);
  int64_t axis = op.getInt("axis", 1);
  axis += x && axis < 0 ? x->size() : 0;
  if (!x || axis < 0 || axis > int64_t(x->size()))
    return std::nullopt;
  ArrayRef<DimExpr> all = *x;
  return SymbolicShape{product(all.take_front(axis)),
                       product(all.drop_front(axis))};
}

Derived Rules::tile() const {
  Derived x = shape(0), repeats = elements(1);
  if (op.since() < 6 || !x || !repeats || x->size() != repeats->size())
    return std::nullopt;
  for (auto [d, times] : llvm::zip_equal(*x, *repeats))
    d = s.multiply(d, times);
  return x;
}

Derived Rules::pad() const {
  Derived x = shape(0),
          pads = list(op.since() == 1 ? "paddings" : "pads", 1, 11);
  if (!x || !pads)
    return std::nullopt;
  llvm::SmallVector<int64_t> axes;
  for (size_t i = 0; i < x->size(); ++i)
    axes.push_back(i);
  if (has(3)) {
    auto given = ints("axes", 3, 18);
    if (!given)
      return std::nullopt;
    axes = *given;
  }
  if (pads->size() != 2 * axes.size())
    return std::nullopt;
  for (auto [i, given] : llvm::enumerate(axes)) {
    std::optional<int64_t> axis = axisOf(given, x->size());
    if (!axis)
      return std::nullopt;
    DimExpr both = s.add((*pads)[i], (*pads)[axes.size() + i]);
    (*x)[*axis] = s.add((*x)[*axis], both);
  }
  return x;
}

Derived Rules::concat() const {
  Derived all = shape(0);
  if (!all)
    return std::nullopt;
  std::optional<int64_t> axis =
      axisOf(op.getInt("axis", op.since() < 4 ? 1 : 0), all->size());
  for (unsigned i = 1; axis && i < operands.size(); ++i) {
    Derived next = shape(i);
    if (!next || next->size() != all->size())
      return std::nullopt;
    for (auto [k, d] : llvm::enumerate(*next))
      if (int64_t(k) == *axis)
        (*all)[k] = s.add((*all)[k], d);
      else if (s.valueOf(d))
        (*all)[k] = d;
  }
  return axis ? all : std::nullopt;
}

DerivedShapes Rules::split() const {
  size_t count = op.numOutputs();
  DerivedShapes results(count);
  Derived x = shape(0);
  if (!x)
    return results;
  std::optional<int64_t> axis = axisOf(op.getInt("axis", 0), x->size());
  Derived sizes = op.since() < 2 ? Derived() : list("split", 1, 13);
  if (!axis || (has(1) && !sizes) || (sizes && sizes->size() != count))
    return results;
  DimExpr dim = (*x)[*axis];
  if (!sizes) {
    // Equal ones, from version 18 on with a smaller one at the end.
    bool mayDiffer = op.since() >= 18;
    if (mayDiffer && op.getInt("num_outputs") != int64_t(count))
      return results;
    DimExpr size = mayDiffer
                       ? s.divideDown(s.add(dim, number(count - 1)), count)
                       : s.divideExactly(dim, number(count));
    sizes.emplace(count, size);
    if (mayDiffer)
      sizes->back() = s.subtract(dim, s.multiply(size, number(count - 1)));
  }
  for (auto [result, size] : llvm::zip_equal(results, *sizes)) {
    result = x;
    (*result)[*axis] = size;
  }
  return results;
}

/// The one element of an input, a number or a symbol of it.
std::optional<DimExpr> Rules::scalar(unsigned i) const {
  if (!has(i) || !operands[i]->value || operands[i]->value.size() != 1)
    return std::nullopt;
  Elements value = asSymbols(operands[i]->value, s);
  return value.type() == DataType::Opaque
             ? std::optional(value.value<DimExpr>(0))
             : std::nullopt;
}

Derived Rules::range() const {
  auto start = scalar(0), limit = scalar(1), delta = scalar(2);
  if (!start || !limit || !delta)
    return std::nullopt;
  std::optional<int64_t> step = s.valueOf(*delta);
  if (!step || *step == 0 || *step == ExprRange::lowest)
    return std::nullopt;
  DimExpr from = *step < 0 ? *limit : *start;
  DimExpr to = *step < 0 ? *start : *limit;
  int64_t length = *step < 0 ? -*step : *step;
  if (SymbolicFloats::covers(operands[0]->type)) {
    // Runtimes divide in other types.
    SymbolicFloats floats(s, operands[0]->type);
    auto way = floats.toInteger(floats.ceil(floats.subtract(to, from)),
                                DataType::Int64);
    return way && length == 1 ? Derived({notNegative(*way)}) : std::nullopt;
  }
  if (!isInteger(operands[0]->type))
    return std::nullopt;
  DimExpr way = s.add(s.subtract(to, from), number(length - 1));
  return SymbolicShape{notNegative(s.divideDown(way, length))};
}

/// All of what is made of a value that is not 0.
Derived Rules::nonZero() const {
  Operator maker = Operator::from(op.input(0).getDefiningOp());
  Derived x = shape(0);
  if (!x || !maker || !maker.is("ConstantOfShape"))
    return std::nullopt;
  Elements value = elementsOf(maker.attribute("value"));
  if (!value || value.size() != 1 || !isNumeric(value.type()))
    return std::nullopt;
  Elements wide = cast(value, DataType::Float64);
  if (!wide || wide.values<double>()[0] == 0)
    return std::nullopt;
  return SymbolicShape{number(x->size()), product(*x)};
}

Derived Rules::topK() const {
  Derived x = shape(0), k = op.since() < 10 ? Derived() : elements(1);
  if (!x || !k || k->size() != 1)
    return std::nullopt;
  std::optional<int64_t> axis = axisOf(op.getInt("axis", -1), x->size());
  if (!axis)
    return std::nullopt;
  (*x)[*axis] = k->front();
  return x;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// A place counted from the end as one from the start; nothing if that depends.
std::optional<DimExpr> Rules::fromStart(DimExpr place, DimExpr size) const {
  ExprRange range = s.rangeOf(place);
  if (range.least >= 0)
    return place;
  return range.most < 0 ? std::optional(s.add(place, size)) : std::nullopt;
}

DimExpr Rules::sliced(DimExpr size, DimExpr start, DimExpr end,
                      int64_t step) const {
  constexpr int64_t far = (int64_t(1) << 31) - 1;
  if (step < 0) {
    // The range may go from the last element to the first.
    std::optional<int64_t> first = s.valueOf(start), last = s.valueOf(end);
    if (first && last && (*first == -1 || *first >= far) && *last <= -far &&
        step > -far)
      return s.divideDown(s.add(size, number(-step - 1)), -step);
    return s.freshDimension();
  }
  std::optional<DimExpr> from = fromStart(start, size),
                         to = fromStart(end, size);
  if (!from || !to)
    return s.freshDimension();
  DimExpr until = s.minimum(*to, size);
  DimExpr length =
      s.rangeOf(*from).least >= 0
          ? s.subtract(until, *from) // beyond the end: negative, so nothing
          : s.subtract(notNegative(until), notNegative(*from));
  return notNegative(s.divideDown(s.add(length, number(step - 1)), step));
}

Derived Rules::slice() const {
  Derived x = shape(0), starts = list("starts", 1, 10),
          ends = list("ends", 2, 10);
  if (!x || !starts || !ends || starts->size() != ends->size())
    return std::nullopt;
  size_t count = starts->size();
  llvm::SmallVector<int64_t> axes, steps(count, 1);
  for (size_t i = 0; i < count; ++i)
    axes.push_back(i);
  bool hasAxes = op.since() >= 10 ? has(3) : op.has("axes");
  auto given = hasAxes ? ints("axes", 3, 10) : std::optional(axes);
  auto by = has(4) ? ints("steps", 4, 10) : std::optional(steps);
  if (!given || !by || given->size() != count || by->size() != count)
    return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    std::optional<int64_t> axis = axisOf((*given)[i], x->size());
    if (!axis || (*by)[i] == 0)
      return std::nullopt;
    DimExpr &size = (*x)[*axis];
    size = sliced(size, (*starts)[i], (*ends)[i], (*by)[i]);
  }
  return x;
}

//===----------------------------------------------------------------------===//
// Sizes of images
//===----------------------------------------------------------------------===//

/// A size times a factor, rounded down, where the factor is n or 1/n.
static DimExpr scaled(DimExpr size, double factor, DimExprs &s) {
  constexpr double most = 1 << 20;
  if (factor >= 1 && factor <= most && factor == std::floor(factor))
    return s.multiply(size, s.constant(int64_t(factor)));
  // Powers of two are exact in binary; a third is not.
  int exponent;
  if (factor > 1 / most && factor < 1 && std::frexp(factor, &exponent) == 0.5)
    return s.divideDown(size, int64_t(1) << (1 - exponent));
  return s.freshDimension();
}

Derived Rules::resize() const {
  Derived x = shape(0);
  // The size of a crop depends on the region of interest too.
  bool crops = op.getString("coordinate_transformation_mode", "") ==
               "tf_crop_and_resize";
  if (!x || crops || op.has("axes") ||
      op.getString("keep_aspect_ratio_policy", "stretch") != "stretch")
    return std::nullopt;
  if (Derived sizes = elements(3))
    return sizes->size() == x->size() ? sizes : std::nullopt;
  unsigned input = op.is("Upsample") || op.since() < 11 ? 1 : 2;
  if (!has(input) || !operands[input]->value ||
      operands[input]->type != DataType::Float32 ||
      operands[input]->value.size() != int64_t(x->size()))
    return std::nullopt;
  std::vector<DimExpr> scales =
      asSymbols(operands[input]->value, s).values<DimExpr>();
  for (auto [d, scale] : llvm::zip_equal(*x, scales)) {
    std::optional<double> factor = SymbolicFloats::valueOf(scale, s);
    d = factor ? scaled(d, *factor, s) : s.freshDimension();
  }
  return x;
}

/// The size of a block, if the input is a batch of images.
static std::optional<int64_t> blockSize(Operator op, const Derived &x) {
  constexpr int64_t most = 1 << 15;
  int64_t block = op.getInt("blocksize", 0);
  bool fits = x && x->size() == 4 && block > 0 && block <= most;
  return fits ? std::optional(block) : std::nullopt;
}

Derived Rules::depthToSpace() const {
  Derived x = shape(0);
  std::optional<int64_t> block = blockSize(op, x);
  if (!block)
    return std::nullopt;
  DimExpr by = number(*block);
  return SymbolicShape{(*x)[0], s.divideDown((*x)[1], *block * *block),
                       s.multiply((*x)[2], by), s.multiply((*x)[3], by)};
}

Derived Rules::spaceToDepth() const {
  Derived x = shape(0);
  std::optional<int64_t> block = blockSize(op, x);
  if (!block)
    return std::nullopt;
  return SymbolicShape{(*x)[0], s.multiply((*x)[1], number(*block * *block)),
                       s.divideDown((*x)[2], *block),
                       s.divideDown((*x)[3], *block)};
}

//===----------------------------------------------------------------------===//

static bool broadcasts(Operator op) {
  static const llvm::StringSet<> names = {
      "Add",        "Sub",       "Mul",         "Div",   "Pow",
      "Mod",        "And",       "Or",          "Xor",   "Equal",
      "Less",       "Greater",   "LessOrEqual", "Where", "GreaterOrEqual",
      "Min",        "Max",       "Sum",         "Mean",  "BitShift",
      "BitwiseAnd", "BitwiseOr", "BitwiseXor"};
  return names.contains(op.opType());
}

static DerivedShapes
applyRule(Operator op, ArrayRef<const ValueState *> operands, DimExprs &exprs) {
  DerivedShapes results(op.numOutputs());
  if (!op.domain().empty() || op.isCustom() || op.hasReferences() ||
      results.empty())
    return results;
  Rules rules(op, operands, exprs);
  if (broadcasts(op)) {
    results[0] = rules.broadcast();
    return results;
  }
  if (op.is("Split"))
    return rules.split();
  if (std::optional<SymbolicShape> windows = windowShape(op, operands, exprs)) {
    results[0] = windows;
    return results;
  }
  if (std::optional<SymbolicShape> held =
          shapeFromSequence(op, operands, exprs)) {
    results[0] = held;
    return results;
  }
  using Rule = Derived (Rules::*)() const;
  Rule rule = llvm::StringSwitch<Rule>(op.opType())
                  .Case("Reshape", &Rules::reshape)
                  .Case("Expand", &Rules::expand)
                  .Case("Slice", &Rules::slice)
                  .Case("Range", &Rules::range)
                  .Case("Tile", &Rules::tile)
                  .Case("Pad", &Rules::pad)
                  .Case("Concat", &Rules::concat)
                  .Case("Flatten", &Rules::flatten)
                  .Case("ConstantOfShape", &Rules::constantOfShape)
                  .Case("MatMul", &Rules::matMul)
                  .Case("NonZero", &Rules::nonZero)
                  .Cases({"Resize", "Upsample"}, &Rules::resize)
                  .Case("DepthToSpace", &Rules::depthToSpace)
                  .Case("SpaceToDepth", &Rules::spaceToDepth)
                  .Case("TopK", &Rules::topK)
                  .Default(nullptr);
  if (!rule)
    return results;
  results[0] = (rules.*rule)();
  if (op.is("TopK") && results.size() > 1)
    results[1] = results[0];
  return results;
}

DerivedShapes onnxfold::deriveShapes(Operator op,
                                     ArrayRef<const ValueState *> operands,
                                     DimExprs &exprs) {
  DerivedShapes shapes = applyRule(op, operands, exprs);
  // The kernel reports a size below zero.
  for (Derived &shape : shapes)
    if (shape && llvm::any_of(*shape, [&](DimExpr d) {
          return exprs.rangeOf(d).most < 0;
        }))
      shape.reset();
  return shapes;
}
