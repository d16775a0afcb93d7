//===- DisputedSizes.cpp - Sizes that implementations do not agree on -----===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/DisputedSizes.h"
#include "onnx/defs/tensor_proto_util.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

using namespace onnxfold;
using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;

namespace {

/// Operators that lay windows over an image, and which input has the weights.
struct WindowOperator {
  bool isPool = false;
  unsigned weights = 0; ///< 0: none
};

/// A size, or nothing.
using Size = std::optional<int64_t>;

} // namespace

static std::optional<WindowOperator> windowOperator(Operator op) {
  using Result = std::optional<WindowOperator>;
  return llvm::StringSwitch<Result>(op.opType())
      .Cases({"MaxPool", "AveragePool", "LpPool"}, WindowOperator{true, 0})
      .Cases({"Conv", "ConvInteger"}, WindowOperator{false, 1})
      .Case("QLinearConv", WindowOperator{false, 3})
      .Default(std::nullopt);
}

/// `axis`: any number.
static Size sizeAt(const TensorShapeProto &shape, int64_t axis) {
  bool isKnown = axis >= 0 && axis < shape.dim_size() &&
                 shape.dim(int(axis)).has_dim_value();
  return isKnown ? Size(shape.dim(int(axis)).dim_value()) : Size();
}

static const TensorShapeProto *shapeOf(llvm::ArrayRef<InferenceInput> inputs,
                                       unsigned i) {
  if (i >= inputs.size() || !inputs[i].type ||
      !inputs[i].type->has_tensor_type() ||
      !inputs[i].type->tensor_type().has_shape())
    return nullptr;
  return &inputs[i].type->tensor_type().shape();
}

static int64_t entry(Operator op, llvm::StringRef name, size_t i,
                     int64_t byDefault) {
  auto list = op.getInts(name);
  return list && i < list->size() ? (*list)[i] : byDefault;
}

static bool isSame(Operator op) {
  return op.getString("auto_pad", "NOTSET").starts_with("SAME");
}

static void forget(TypeProto &type, int64_t axis) {
  auto &tensor = *type.mutable_tensor_type();
  if (tensor.has_shape() && axis < tensor.shape().dim_size())
    tensor.mutable_shape()->mutable_dim(int(axis))->Clear();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Windows that the reference evaluator (1.23.2) lays otherwise than the text
/// says and ONNX Runtime does.
static bool isEvaluatorsOwn(Operator op, size_t axis,
                            llvm::ArrayRef<int64_t> pads) {
  llvm::StringRef automatic = op.getString("auto_pad", "NOTSET");
  if (op.is("AveragePool") || op.is("LpPool")) // it takes no gaps off
    return automatic == "VALID" && entry(op, "dilations", axis, 1) != 1;
  if (!op.is("MaxPool"))
    return false;
  if (automatic == "SAME_LOWER") // it rounds down
    return entry(op, "strides", axis, 1) > 1;
  size_t axes = pads.size() / 2;
  bool isEven = pads.take_front(axes) == pads.drop_front(axes);
  return !isEven && (axes == 1 || op.getInt("ceil_mode", 0) != 0);
}

llvm::StringRef onnxfold::disputedWindows(Operator op, size_t axis,
                                          int64_t kernel) {
  auto pads = op.getInts("pads").value_or(llvm::SmallVector<int64_t>());
  bool hasPads = llvm::any_of(pads, [](int64_t pad) { return pad != 0; });
  llvm::StringRef automatic = op.getString("auto_pad", "NOTSET");
  if (automatic != "NOTSET" && hasPads)
    return "it has both auto_pad and pads";
  if (isEvaluatorsOwn(op, axis, pads))
    return "the reference evaluator lays its windows otherwise";
  if (!isSame(op))
    return "";
  if (op.getInt("ceil_mode", 0) != 0)
    return "auto_pad asks for the same size, and ceil_mode is set";
  if (entry(op, "dilations", axis, 1) != 1)
    return "auto_pad asks for the same size, and windows are dilated";
  return entry(op, "strides", axis, 1) > kernel
             ? "auto_pad asks for the same size, and strides are longer than "
               "windows"
             : "";
}

/// The windows do not fit, or the last one starts in the padding at the end.
static llvm::StringRef disputeOf(Operator op, size_t axis, size_t axes,
                                 int64_t kernel, int64_t size) {
  llvm::StringRef windows = disputedWindows(op, axis, kernel);
  if (!windows.empty() || isSame(op))
    return windows;
  constexpr int64_t most = int64_t(1) << 31;
  int64_t stride = entry(op, "strides", axis, 1),
          dilation = entry(op, "dilations", axis, 1),
          before = entry(op, "pads", axis, 0),
          after = entry(op, "pads", axes + axis, 0);
  for (int64_t number : {stride, dilation, before, after, kernel, size})
    if (number < 0 || number > most)
      return "pads, strides or dilations are negative or larger than 2^31";
  if (stride == 0)
    return "a stride is 0";
  int64_t room = size + before + after - ((kernel - 1) * dilation + 1);
  if (room < 0 || size == 0)
    return "a window does not fit into the padded image";
  if (op.getInt("ceil_mode", 0) == 0)
    return "";
  if (op.getString("auto_pad", "NOTSET") == "VALID" && room % stride != 0)
    return "auto_pad is VALID with ceil_mode, and the text rounds down, "
           "inference up";
  if (op.is("MaxPool") && axes != 2 && before + after > 0)
    return "the reference evaluator drops places of padded windows with "
           "ceil_mode over other than two dimensions";
  return op.since() < 22 &&
                 llvm::divideCeilSigned(room, stride) * stride >= size + before
             ? "with ceil_mode the last window starts in the padding at the "
               "end, where inference counts it and runtimes do not"
             : "";
}

static llvm::StringRef forgetWindows(Operator op,
                                     llvm::ArrayRef<InferenceInput> inputs,
                                     WindowOperator kind,
                                     InferredTypes &types) {
  const TensorShapeProto *image = shapeOf(inputs, 0);
  const TensorShapeProto *weights =
      kind.isPool ? nullptr : shapeOf(inputs, kind.weights);
  llvm::StringRef why;
  for (TypeProto &type : types) {
    if (!type.tensor_type().has_shape())
      continue;
    int rank = type.tensor_type().shape().dim_size();
    for (int axis = 2; axis < rank; ++axis) {
      Size size = image ? sizeAt(*image, axis) : Size();
      Size ofWeights = weights ? sizeAt(*weights, axis) : Size();
      int64_t kernel =
          entry(op, "kernel_shape", axis - 2, ofWeights.value_or(1));
      if (!sizeAt(type.tensor_type().shape(), axis) || !size)
        continue;
      llvm::StringRef dispute =
          disputeOf(op, axis - 2, rank - 2, kernel, *size);
      if (dispute.empty())
        continue;
      forget(type, axis);
      why = dispute;
    }
  }
  return why;
}

/// ConvTranspose with `output_shape` has the rank of its input, which inference
/// forgets where a size is smaller than the input's.
static bool forgetTransposed(Operator op, llvm::ArrayRef<InferenceInput> inputs,
                             InferredTypes &types) {
  const TensorShapeProto *image = shapeOf(inputs, 0);
  auto &type = *types[0].mutable_tensor_type();
  if (!image || !type.has_shape())
    return false;
  if (type.shape().dim_size() != image->dim_size()) {
    type.clear_shape();
    return true;
  }
  bool isAny = false;
  for (int axis = 2; axis < image->dim_size() && isSame(op); ++axis) {
    forget(types[0], axis);
    isAny = true;
  }
  return isAny;
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// The elements of a constant list; nothing if it is not known.
static std::optional<std::vector<int64_t>>
listOf(llvm::ArrayRef<InferenceInput> inputs, unsigned i) {
  if (i >= inputs.size() || !inputs[i].data)
    return std::nullopt;
  const TensorProto &data = *inputs[i].data;
  if (data.data_type() == TensorProto::INT64)
    return onnx::ParseData<int64_t>(&data);
  if (data.data_type() != TensorProto::INT32)
    return std::nullopt;
  std::vector<int32_t> narrow = onnx::ParseData<int32_t>(&data);
  return std::vector<int64_t>(narrow.begin(), narrow.end());
}

/// A negative step from before the first element: the text starts at the first
/// one, the evaluator before it.
static bool forgetSlices(llvm::ArrayRef<InferenceInput> inputs,
                         InferredTypes &types) {
  const TensorShapeProto *x = shapeOf(inputs, 0);
  auto starts = listOf(inputs, 1), axes = listOf(inputs, 3),
       steps = listOf(inputs, 4);
  if (!x || !starts || !steps || !types[0].tensor_type().has_shape())
    return false;
  bool isAny = false;
  for (size_t i = 0; i < steps->size() && i < starts->size(); ++i) {
    int64_t axis = axes && i < axes->size() ? (*axes)[i] : int64_t(i);
    axis += axis < 0 ? x->dim_size() : 0;
    Size size = sizeAt(*x, axis);
    if (!size || (*steps)[i] >= 0 || (*starts)[i] >= -*size)
      continue;
    forget(types[0], axis);
    isAny = true;
  }
  return isAny;
}

/// Parts of which the last one would have no elements, or less.
static bool forgetParts(Operator op, llvm::ArrayRef<InferenceInput> inputs,
                        InferredTypes &types) {
  const TensorShapeProto *x = shapeOf(inputs, 0);
  int64_t axis = op.getInt("axis", 0), parts = op.getInt("num_outputs", 0);
  axis += x && axis < 0 ? x->dim_size() : 0;
  Size size = x ? sizeAt(*x, axis) : Size();
  if (!size || parts < 1 ||
      llvm::divideCeilSigned(*size, parts) * (parts - 1) < *size)
    return false;
  for (TypeProto &type : types)
    forget(type, axis);
  return true;
}

namespace {

/// A side of an Einsum's equation: letters before an ellipsis, and behind it.
struct EinsumTerm {
  explicit EinsumTerm(llvm::StringRef text)
      : hasEllipsis(text.contains("...")) {
    std::tie(before, behind) = text.split("...");
  }
  size_t numLetters() const { return before.size() + behind.size(); }

  llvm::StringRef before, behind;
  bool hasEllipsis;
};

/// The sizes of the labels of an Einsum. Inference takes the first one of a
/// label; the others may be larger, if it is 1.
class EinsumSizes {
public:
  using Dimension = TensorShapeProto::Dimension;

  /// False if the input does not fit.
  bool add(const EinsumTerm &term, const TensorShapeProto &shape) {
    int rank = shape.dim_size(), letters = int(term.numLetters()),
        behind = rank - int(term.behind.size());
    if (term.hasEllipsis ? letters > rank : letters != rank)
      return false;
    for (auto [i, letter] : llvm::enumerate(term.before))
      note(letter, shape.dim(int(i)));
    for (auto [i, letter] : llvm::enumerate(term.behind))
      note(letter, shape.dim(behind + int(i)));
    if (!term.hasEllipsis)
      return true;
    std::vector<Dimension> here(shape.dim().begin() + term.before.size(),
                                shape.dim().begin() + behind);
    bool isSame = !ellipsis || (ellipsis->size() == here.size() &&
                                llvm::equal(*ellipsis, here, areSame));
    isEllipsisDisputed |= !isSame;
    ellipsis = std::move(here);
    return true;
  }

  bool isDisputed(char letter) const { return disputed.contains(letter); }
  bool isEllipsisDisputed = false;

private:
  static bool areSame(const Dimension &a, const Dimension &b) {
    return a.has_dim_value()
               ? b.has_dim_value() && a.dim_value() == b.dim_value()
               : !a.dim_param().empty() && a.dim_param() == b.dim_param();
  }
  void note(char letter, const Dimension &size) {
    auto [place, isNew] = first.try_emplace(letter, size);
    const Dimension &known = place->second;
    bool isLarge = known.has_dim_value() && known.dim_value() != 1;
    if (!isNew && !isLarge && !areSame(known, size))
      disputed.insert(letter);
  }

  std::map<char, Dimension> first;
  std::set<char> disputed;
  std::optional<std::vector<Dimension>> ellipsis;
};

} // namespace

static bool forgetBroadcast(Operator op, llvm::ArrayRef<InferenceInput> inputs,
                            InferredTypes &types) {
  std::string text = op.getString("equation").value_or("").str();
  llvm::erase(text, ' ');
  auto [left, right] = llvm::StringRef(text).split("->");
  llvm::SmallVector<llvm::StringRef> terms;
  left.split(terms, ',');
  EinsumSizes sizes;
  for (auto [i, term] : llvm::enumerate(terms)) {
    const TensorShapeProto *shape = shapeOf(inputs, unsigned(i));
    if (!shape || !sizes.add(EinsumTerm(term), *shape))
      return false;
  }
  // Without a result its letters are those that occur once.
  if (!llvm::StringRef(text).contains("->"))
    right = sizes.isEllipsisDisputed ? "..." : "";
  EinsumTerm result(right);
  int64_t rank = types[0].tensor_type().shape().dim_size(),
          behind = rank - int64_t(result.behind.size());
  bool isAny = false;
  auto forgetAt = [&](int64_t axis) {
    forget(types[0], axis);
    isAny = true;
  };
  for (auto [i, letter] : llvm::enumerate(result.before))
    if (sizes.isDisputed(letter))
      forgetAt(int64_t(i));
  for (auto [i, letter] : llvm::enumerate(result.behind))
    if (sizes.isDisputed(letter))
      forgetAt(behind + int64_t(i));
  for (int64_t axis = int64_t(result.before.size()); axis < behind; ++axis)
    if (result.hasEllipsis && sizes.isEllipsisDisputed)
      forgetAt(axis);
  return isAny;
}

/// An attribute until version 13, an input since.
static bool hasEmptyAxes(Operator op, llvm::ArrayRef<InferenceInput> inputs) {
  if (auto given = op.getInts("axes"))
    return given->empty();
  auto axes = listOf(inputs, 1);
  return axes && axes->empty();
}

static bool isScalar(llvm::ArrayRef<InferenceInput> inputs) {
  const TensorShapeProto *x = shapeOf(inputs, 0);
  return x && x->dim_size() == 0;
}

bool onnxfold::mayDisputeSizes(Operator op) {
  return !op.isCustom() &&
         (windowOperator(op) || op.is("ConvTranspose") || op.is("Slice") ||
          op.is("Split") || op.is("Squeeze") || op.is("Einsum") ||
          op.is("NonZero"));
}

llvm::StringRef onnxfold::forgetDisputedSizes(
    Operator op, llvm::ArrayRef<InferenceInput> inputs, InferredTypes &types) {
  if (types.empty() || op.isCustom() || !types[0].has_tensor_type())
    return "";
  if (auto windows = windowOperator(op))
    return forgetWindows(op, inputs, *windows, types);
  if (op.is("ConvTranspose"))
    return forgetTransposed(op, inputs, types)
               ? "it has output_shape with other than the rank of its input, "
                 "or auto_pad asks for the same size"
               : "";
  if (op.is("Slice"))
    return forgetSlices(inputs, types)
               ? "a negative step starts before the first element"
               : "";
  if (op.is("Split"))
    return forgetParts(op, inputs, types)
               ? "num_outputs leaves no elements for the last part"
               : "";
  if (op.is("Einsum"))
    return forgetBroadcast(op, inputs, types)
               ? "a label has several sizes, of which inference takes the first"
               : "";
  if (op.is("NonZero") && isScalar(inputs)) {
    types[0].mutable_tensor_type()->clear_shape();
    return "its input is a scalar, of which ONNX Runtime makes a row";
  }
  if (op.is("Squeeze") && hasEmptyAxes(op, inputs)) {
    // All dimensions of 1, as in ONNX Runtime, or none.
    types[0].mutable_tensor_type()->clear_shape();
    return "its list of axes is empty, which means all dimensions of 1 or none";
  }
  return "";
}
