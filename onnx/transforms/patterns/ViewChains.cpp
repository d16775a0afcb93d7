//===- ViewChains.cpp - Chains of nodes that only reshape -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What is put in the place of a chain fails at run time where the chain does:
// a Squeeze wants sizes of 1, and a Reshape as many elements as there are.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

static std::optional<int64_t> rankOf(const CleanUpContext &cx, Value value) {
  const auto &shape = cx.knownValues().state(value).shape;
  return shape ? std::optional<int64_t>(shape->size()) : std::nullopt;
}

std::optional<llvm::BitVector> patterns::squeezedAxes(const CleanUpContext &cx,
                                                      Operator op) {
  constexpr int asInput = 13;
  bool isSqueeze = op.is("Squeeze");
  if (!isSqueeze && !op.is("Unsqueeze"))
    return std::nullopt;
  auto rank = rankOf(cx, isSqueeze ? op.input(0) : op->getResult(0));
  auto axes = op.getInts("axes");
  if (op.since() >= asInput) {
    Elements list = cx.constantOf(op.input(1));
    axes = list ? std::optional(list.ints()) : std::nullopt;
  }
  if (!rank || !axes)
    return std::nullopt;
  llvm::BitVector bits(*rank);
  for (int64_t axis : *axes) {
    axis += axis < 0 ? *rank : 0;
    if (axis < 0 || axis >= *rank || bits.test(axis))
      return std::nullopt;
    bits.set(axis);
  }
  return bits;
}

static SmallVector<int64_t> listOf(const llvm::BitVector &axes) {
  return SmallVector<int64_t>(axes.set_bits_begin(), axes.set_bits_end());
}

Value patterns::withAxes(const CleanUpContext &cx, OperatorName type, Value x,
                         ArrayRef<int64_t> axes) {
  constexpr int asInput = 13;
  if (*cx.nodes.sinceOf(type) >= asInput)
    return cx.nodes.create(type, {x, cx.nodes.integers(axes)});
  return cx.nodes.create(type, {x}, {cx.nodes.attribute("axes", axes)});
}

/// `outer`, and the places of `inner` between those.
static llvm::BitVector interleave(const llvm::BitVector &outer,
                                  const llvm::BitVector &inner) {
  llvm::BitVector both = outer;
  unsigned next = 0;
  for (unsigned i = 0; i < outer.size(); ++i)
    if (!outer.test(i) && inner.test(next++))
      both.set(i);
  return both;
}

/// Squeeze(Unsqueeze(x, inserted), removed) where one does all of the other.
static Value squeezeBack(const CleanUpContext &cx, Value x,
                         const llvm::BitVector &inserted,
                         const llvm::BitVector &removed) {
  bool insertsMore = !removed.test(inserted); // removed is a part of inserted
  if (insertsMore == !inserted.test(removed))
    return {}; // neither is, or they are the same
  SmallVector<int64_t> axes;
  int64_t place = 0;
  for (unsigned i = 0; i < inserted.size(); ++i) {
    if (insertsMore ? removed.test(i) : inserted.test(i))
      continue;
    if (insertsMore ? inserted.test(i) : removed.test(i))
      axes.push_back(place);
    ++place;
  }
  OperatorName type =
      insertsMore ? OperatorName("Unsqueeze") : OperatorName("Squeeze");
  return patterns::withAxes(cx, type, x, axes);
}

Value patterns::matchUnsqueezeChain(const CleanUpContext &cx) {
  Operator first = cx.producer(0);
  if (!first || !cx.nodes.sinceOf("Squeeze") || !cx.nodes.sinceOf("Unsqueeze"))
    return {};
  auto outer = patterns::squeezedAxes(cx, cx.op);
  auto inner = outer ? patterns::squeezedAxes(cx, first) : std::nullopt;
  if (!inner)
    return {};
  Value x = first.input(0);
  if (cx.op.is("Unsqueeze") && first.is("Unsqueeze"))
    return patterns::withAxes(cx, "Unsqueeze", x,
                              listOf(interleave(*outer, *inner)));
  if (cx.op.is("Squeeze") && first.is("Squeeze"))
    return patterns::withAxes(cx, "Squeeze", x,
                              listOf(interleave(*inner, *outer)));
  return cx.op.is("Squeeze") && first.is("Unsqueeze")
             ? squeezeBack(cx, x, *inner, *outer)
             : Value();
}

//===----------------------------------------------------------------------===//
// Axes that a reduction drops or keeps
//===----------------------------------------------------------------------===//

/// The version from which on a reduction has its axes as an input; 0 for what
/// is no reduction.
static int axesAreInputFrom(Operator op) {
  if (op.is("ReduceSum"))
    return 13;
  if (op.isAny({"ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd",
                "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
                "ReduceSumSquare"}))
    return 18;
  return 0;
}

/// The axes that it reduces as bits of the rank of its input.
static std::optional<llvm::BitVector> reducedAxes(const CleanUpContext &cx,
                                                  Operator op) {
  int asInput = axesAreInputFrom(op);
  bool isIndex = op.is("ArgMax") || op.is("ArgMin");
  auto rank = asInput || isIndex ? rankOf(cx, op.input(0)) : std::nullopt;
  if (!rank)
    return std::nullopt;
  SmallVector<int64_t> axes;
  if (isIndex) {
    axes.push_back(op.getInt("axis", 0));
  } else if (asInput <= op.since() ? op.hasInput(1) : op.has("axes")) {
    Elements list = cx.constantOf(op.input(1));
    auto given = op.getInts("axes");
    axes = list ? list.ints() : given.value_or(SmallVector<int64_t>());
    if (axes.empty()) // all of them or none
      return std::nullopt;
  } else if (op.getInt("noop_with_empty_axes", 0) == 0) {
    return llvm::BitVector(*rank, true);
  }
  llvm::BitVector bits(*rank);
  for (int64_t axis : axes) {
    axis += axis < 0 ? *rank : 0;
    if (axis < 0 || axis >= *rank)
      return std::nullopt;
    bits.set(axis);
  }
  return bits;
}

/// x, or a Squeeze of it, for a reduction of one element each.
static Value beforeReduction(const CleanUpContext &cx) {
  auto reduced = reducedAxes(cx, cx.op);
  if (!reduced || !cx.nodes.sinceOf("Squeeze"))
    return {};
  const auto &shape = cx.knownValues().state(cx.op.input(0)).shape;
  for (unsigned axis : reduced->set_bits())
    if (cx.knownValues().exprs().valueOf((*shape)[axis]) != 1)
      return {};
  if (cx.op.getInt("keepdims", 1) != 0 || reduced->none())
    return patterns::inputAlike(cx, 0);
  return patterns::withAxes(cx, "Squeeze", cx.op.input(0), listOf(*reduced));
}

/// A sum of floats begins with 0, so that -0 becomes 0; no product and no maximum
/// does.
Value patterns::matchReduceOne(const CleanUpContext &cx) {
  bool adds = cx.op.is("ReduceSum") || cx.op.is("ReduceMean");
  return adds && !isInteger(cx.typeOf(cx.op.input(0))) ? Value()
                                                       : beforeReduction(cx);
}

Value patterns::matchReduceOneFloat(const CleanUpContext &cx) {
  return beforeReduction(cx);
}

Value patterns::matchReduceView(const CleanUpContext &cx) {
  auto axes = patterns::squeezedAxes(cx, cx.op);
  Operator reduction = axes ? cx.producer(0) : Operator();
  auto reduced = reduction ? reducedAxes(cx, reduction) : std::nullopt;
  bool keeps = reduction && reduction.getInt("keepdims", 1) != 0;
  if (!reduced || *reduced != *axes || keeps != cx.op.is("Squeeze") ||
      !cx.isOnlyReader(0))
    return {};
  NamedAttrList attributes(reduction->getAttrs());
  NamedAttribute keepDims = cx.nodes.attribute("keepdims", int64_t(!keeps));
  attributes.set(keepDims.getName(), keepDims.getValue());
  return cx.nodes.create(reduction.name(), reduction->getOperands(),
                         attributes.getAttrs());
}

//===----------------------------------------------------------------------===//
// What reshapes the result of a Reshape
//===----------------------------------------------------------------------===//

namespace {

/// The target of a Reshape: sizes, at most one -1, and 0 for a size that is
/// copied from the same place of the input.
using Target = SmallVector<int64_t>;

} // namespace

/// The constant target of a Reshape to what others do to its result.
static std::optional<Target> targetOf(const CleanUpContext &cx,
                                      Operator reshape) {
  Elements list = cx.constantOf(reshape.input(1));
  if (!list || list.type() != DataType::Int64 || reshape.since() < 5)
    return std::nullopt;
  Target target = list.ints();
  if (!llvm::is_contained(target, 0))
    return target;
  const auto &given = cx.knownValues().state(reshape.input(0)).shape;
  if (reshape.getInt("allowzero", 0) != 0 || !given)
    return std::nullopt;
  for (size_t i = 0; i < target.size(); ++i)
    if (target[i] == 0 && i < given->size()) {
      // A size of 0 could not be written.
      auto known = cx.knownValues().exprs().valueOf((*given)[i]);
      if (known && *known == 0)
        return std::nullopt;
      target[i] = known.value_or(0);
    }
  return target;
}

/// Sizes that are copied (0) are still copied from the same place.
static bool copiesStay(ArrayRef<int64_t> before, ArrayRef<int64_t> after) {
  if (llvm::count(before, 0) != llvm::count(after, 0))
    return false;
  for (auto [i, size] : llvm::enumerate(after))
    if (size == 0 && (i >= before.size() || before[i] != 0))
      return false;
  return true;
}

/// The only copied size, which has moved to another place, becomes the rest of
/// the elements (-1), if it is that for certain.
static bool writeAsRest(const CleanUpContext &cx, Value x,
                        ArrayRef<int64_t> before, Target &after) {
  const auto &given = cx.knownValues().state(x).shape;
  if (!given || llvm::count(before, 0) != 1 || llvm::count(after, 0) != 1 ||
      llvm::is_contained(before, -1))
    return false;
  size_t copied = llvm::find(before, 0) - before.begin();
  int64_t have = 1, asked = 1;
  for (auto [i, size] : llvm::enumerate(*given))
    if (i != copied &&
        llvm::MulOverflow(
            have, cx.knownValues().exprs().valueOf(size).value_or(0), have))
      return false;
  for (int64_t size : before)
    if (size != 0 && llvm::MulOverflow(asked, size, asked))
      return false;
  *llvm::find(after, 0) = -1;
  return copied < given->size() && have == asked;
}

/// The product of some sizes; nothing if it is not a number, a -1 or a copy.
static std::optional<int64_t> productOf(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  std::optional<int64_t> open;
  for (int64_t size : sizes)
    if (size <= 0) {
      if (open)
        return std::nullopt;
      open = size;
    } else if (llvm::MulOverflow(product, size, product)) {
      return std::nullopt;
    }
  // A rest need not be a multiple of the product.
  if (open)
    return product == 1 ? open : std::nullopt;
  return product;
}

static std::optional<Target> flattened(ArrayRef<int64_t> target, int64_t axis) {
  axis += axis < 0 ? target.size() : 0;
  if (axis < 0 || axis > int64_t(target.size()))
    return std::nullopt;
  auto rows = productOf(target.take_front(axis));
  auto columns = productOf(target.drop_front(axis));
  return rows && columns ? std::optional(Target{*rows, *columns})
                         : std::nullopt;
}

static std::optional<Target> unsqueezed(ArrayRef<int64_t> target,
                                        const llvm::BitVector &axes) {
  if (axes.size() != target.size() + axes.count())
    return std::nullopt;
  Target result;
  for (unsigned i = 0, next = 0; i < axes.size(); ++i)
    result.push_back(axes.test(i) ? 1 : target[next++]);
  return result;
}

static std::optional<Target> squeezed(ArrayRef<int64_t> target,
                                      const llvm::BitVector &axes) {
  if (axes.size() != target.size())
    return std::nullopt;
  Target result;
  for (unsigned i = 0; i < axes.size(); ++i)
    if (!axes.test(i))
      result.push_back(target[i]);
    else if (target[i] != 1)
      return std::nullopt;
  return result;
}

Value patterns::matchReshapeView(const CleanUpContext &cx) {
  bool isFlatten = cx.op.is("Flatten");
  auto axes = isFlatten ? std::nullopt : patterns::squeezedAxes(cx, cx.op);
  Operator reshape = isFlatten || axes ? cx.producer(0, "Reshape") : Operator();
  if (!reshape)
    return {};
  auto before = targetOf(cx, reshape);
  if (!before || !mayStateIntegers(reshape.getOperation()))
    return {};
  auto after = isFlatten ? flattened(*before, cx.op.getInt("axis", 1))
               : cx.op.is("Squeeze") ? squeezed(*before, *axes)
                                     : unsqueezed(*before, *axes);
  if (!after ||
      (!copiesStay(*before, *after) &&
       !writeAsRest(cx, reshape.input(0), *before, *after)) ||
      !cx.isOnlyReader(0))
    return {};
  return cx.nodes.create("Reshape",
                         {reshape.input(0), cx.nodes.integers(*after)});
}

//===----------------------------------------------------------------------===//
// Transposes that move only axes of size 1
//===----------------------------------------------------------------------===//

/// The axes of a permutation for which `isLeft` is not true are in order.
static bool isInOrder(ArrayRef<int64_t> permutation,
                      llvm::function_ref<bool(int64_t axis)> isLeft) {
  int64_t last = -1;
  for (int64_t axis : permutation)
    if (!isLeft(axis)) {
      if (axis < last)
        return false;
      last = axis;
    }
  return true;
}

/// The permutation of `transpose`, if the elements of its input keep their
/// order.
static std::optional<SmallVector<int64_t>>
orderKeepingPermutation(const CleanUpContext &cx, Operator transpose) {
  const auto &shape = cx.knownValues().state(transpose.input(0)).shape;
  auto permutation =
      shape ? patterns::permutationOfRank(cx, transpose, shape->size())
            : std::nullopt;
  if (!permutation)
    return std::nullopt;
  auto isOne = [&](int64_t axis) {
    return cx.knownValues().exprs().valueOf((*shape)[axis]) == 1;
  };
  return isInOrder(*permutation, isOne) ? permutation : std::nullopt;
}

/// The target of a Reshape of Transpose(x, permutation) for one of x: copies are
/// of the same sizes. Beside other copies a rest is refused where one of them is
/// 0, so that must be ruled out.
static std::optional<Target> targetBefore(const CleanUpContext &cx,
                                          ArrayRef<int64_t> permutation,
                                          ArrayRef<DimExpr> shape,
                                          ArrayRef<int64_t> given,
                                          bool assumeNoneEmpty) {
  Target target(given);
  const DimExprs &exprs = cx.knownValues().exprs();
  for (auto [i, size] : llvm::enumerate(target)) {
    if (size != 0)
      continue;
    if (i >= permutation.size())
      return std::nullopt; // refused
    DimExpr copied = shape[permutation[i]];
    if (shape[i] == copied)
      continue;
    // Another place: a number, or the rest beside numbers.
    bool isRest = llvm::all_of(llvm::enumerate(given), [=, place = i](auto o) {
      return o.index() == place || o.value() > 0 ||
             (assumeNoneEmpty && o.value() == 0);
    });
    std::optional<int64_t> known = exprs.valueOf(copied);
    if (known == 0 || (!known && (!isRest || llvm::is_contained(target, -1))))
      return std::nullopt;
    size = known.value_or(-1);
  }
  return target;
}

static Value reshapeBefore(const CleanUpContext &cx, Operator transpose,
                           bool assumeNoneEmpty) {
  auto permutation = orderKeepingPermutation(cx, transpose);
  Elements list = permutation ? cx.constant(1) : Elements();
  if (!list || list.type() != DataType::Int64 || cx.op.since() < 5 ||
      !mayStateIntegers(cx.op.getOperation()))
    return {};
  SmallVector<int64_t> given = list.ints();
  if (cx.op.getInt("allowzero", 0) != 0 && llvm::is_contained(given, 0))
    return {};
  const auto &shape = cx.knownValues().state(transpose.input(0)).shape;
  auto target = targetBefore(cx, *permutation, *shape, given, assumeNoneEmpty);
  if (!target)
    return {};
  return cx.nodes.create("Reshape",
                         {transpose.input(0), cx.nodes.integers(*target)});
}

/// The axis of x at which as many elements lie before as before that of
/// Transpose(x, permutation).
static Value flattenBefore(const CleanUpContext &cx, Operator transpose) {
  auto permutation = orderKeepingPermutation(cx, transpose);
  if (!permutation)
    return {};
  const auto &shape = cx.knownValues().state(transpose.input(0)).shape;
  int64_t rank = permutation->size(), axis = cx.op.getInt("axis", 1), place = 0;
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis > rank)
    return {};
  for (int64_t before : ArrayRef(*permutation).take_front(axis))
    if (cx.knownValues().exprs().valueOf((*shape)[before]) != 1)
      place = before + 1;
  return cx.nodes.create("Flatten", {transpose.input(0)},
                         {cx.nodes.attribute("axis", place)});
}

static Value squeezeBefore(const CleanUpContext &cx, Operator transpose) {
  auto axes = patterns::squeezedAxes(cx, cx.op);
  auto permutation =
      axes ? patterns::permutationOfRank(cx, transpose, axes->size())
           : std::nullopt;
  if (!permutation)
    return {};
  llvm::BitVector removed(axes->size());
  for (unsigned i : axes->set_bits())
    removed.set((*permutation)[i]);
  auto isRemoved = [&](int64_t axis) { return removed.test(axis); };
  if (!isInOrder(*permutation, isRemoved))
    return {};
  return patterns::withAxes(cx, "Squeeze", transpose.input(0), listOf(removed));
}

/// Transpose(Reshape(x, s), p) = Reshape(x, s[p])
static Value transposeOfReshape(const CleanUpContext &cx, Operator reshape) {
  auto permutation = orderKeepingPermutation(cx, cx.op);
  auto target = permutation ? targetOf(cx, reshape) : std::nullopt;
  if (!target || target->size() != permutation->size() ||
      !mayStateIntegers(reshape.getOperation()) || !cx.nodes.sinceOf("Reshape"))
    return {};
  Target moved;
  for (auto [i, axis] : llvm::enumerate(*permutation)) {
    moved.push_back((*target)[axis]);
    if (moved.back() == 0 && int64_t(i) != axis)
      return {};
  }
  if (!cx.isOnlyReader(0))
    return {};
  return cx.nodes.create("Reshape",
                         {reshape.input(0), cx.nodes.integers(moved)});
}

/// Transpose(Unsqueeze(x, a), p) = Unsqueeze(x, b) if x keeps the order of its
/// axes.
static Value transposeOfUnsqueeze(const CleanUpContext &cx,
                                  Operator unsqueeze) {
  auto axes = patterns::squeezedAxes(cx, unsqueeze);
  auto permutation = axes ? patterns::permutationOfRank(cx, cx.op, axes->size())
                          : std::nullopt;
  if (!permutation || !cx.nodes.sinceOf("Unsqueeze"))
    return {};
  auto isInserted = [&](int64_t axis) { return axes->test(axis); };
  if (!isInOrder(*permutation, isInserted))
    return {};
  llvm::BitVector moved(axes->size());
  for (auto [i, axis] : llvm::enumerate(*permutation))
    if (axes->test(axis))
      moved.set(i);
  return patterns::withAxes(cx, "Unsqueeze", unsqueeze.input(0), listOf(moved));
}

Value patterns::matchTransposedView(const CleanUpContext &cx) {
  if (cx.op.is("Transpose")) {
    if (Operator reshape = cx.producer(0, "Reshape"))
      return transposeOfReshape(cx, reshape);
    Operator unsqueeze = cx.producer(0, "Unsqueeze");
    return unsqueeze ? transposeOfUnsqueeze(cx, unsqueeze) : Value();
  }
  Operator transpose = cx.producer(0, "Transpose");
  if (!transpose || !cx.nodes.sinceOf(cx.op.name()))
    return {};
  if (cx.op.is("Reshape"))
    return reshapeBefore(cx, transpose, /*assumeNoneEmpty=*/false);
  return cx.op.is("Flatten") ? flattenBefore(cx, transpose)
                             : squeezeBefore(cx, transpose);
}

Value patterns::matchTransposedRest(const CleanUpContext &cx) {
  Operator transpose = cx.producer(0, "Transpose");
  return transpose && cx.nodes.sinceOf("Reshape")
             ? reshapeBefore(cx, transpose, /*assumeNoneEmpty=*/true)
             : Value();
}
