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
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

static std::optional<int64_t> rankOf(const CleanUpContext &cx, Value value) {
  const auto &shape = cx.knownValues().state(value).shape;
  return shape ? std::optional<int64_t>(shape->size()) : std::nullopt;
}

/// The axes of a Squeeze or an Unsqueeze as bits of the larger rank; nothing if
/// they are not known or not given.
static std::optional<llvm::BitVector> axesOf(const CleanUpContext &cx,
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

static Value withAxes(const CleanUpContext &cx, OperatorName type, Value x,
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
  return withAxes(cx, type, x, axes);
}

Value patterns::matchUnsqueezeChain(const CleanUpContext &cx) {
  Operator first = cx.producer(0);
  if (!first || !cx.nodes.sinceOf("Squeeze") || !cx.nodes.sinceOf("Unsqueeze"))
    return {};
  auto outer = axesOf(cx, cx.op);
  auto inner = outer ? axesOf(cx, first) : std::nullopt;
  if (!inner)
    return {};
  Value x = first.input(0);
  if (cx.op.is("Unsqueeze") && first.is("Unsqueeze"))
    return withAxes(cx, "Unsqueeze", x, listOf(interleave(*outer, *inner)));
  if (cx.op.is("Squeeze") && first.is("Squeeze"))
    return withAxes(cx, "Squeeze", x, listOf(interleave(*inner, *outer)));
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

Value patterns::matchReduceView(const CleanUpContext &cx) {
  auto axes = axesOf(cx, cx.op);
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
  auto axes = isFlatten ? std::nullopt : axesOf(cx, cx.op);
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
