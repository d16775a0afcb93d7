//===- Windows.cpp - Attributes of pooling and convolution ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Windows.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static constexpr int64_t largest = int64_t(1) << 31;

namespace {

enum class AutoPad { NotSet, SameUpper, SameLower, Valid };

/// Reads into `windows` until something is wrong.
class WindowsReader {
public:
  WindowsReader(FoldContext &cx, ShapeRef kernel) : cx(cx) {
    windows.kernel = Shape(kernel);
    check("the kernel", kernel, std::max<size_t>(kernel.size(), 1), 1);
  }

  void fail(const llvm::Twine &text) {
    if (!wrong)
      wrong = invalid(text);
  }

  void check(const llvm::Twine &what, ShapeRef list, size_t count,
             int64_t smallest) {
    if (list.size() != count || llvm::any_of(list, [=](int64_t v) {
          return v < smallest || v > largest;
        }))
      fail(what + " is " + toString(list) + ", expected " + llvm::Twine(count) +
           " numbers from " + llvm::Twine(smallest) + " to 2^31");
  }

  /// A list attribute; empty counts as left out, as some exporters write it.
  Shape list(llvm::StringRef name, size_t count, int64_t byDefault) {
    Shape result = cx.ints(name).value_or(Shape());
    if (result.empty())
      result.assign(count, byDefault);
    check("attribute '" + name + "'", result, count, byDefault);
    return result;
  }

  void readSteps() {
    size_t rank = windows.kernel.size();
    windows.strides = list("strides", rank, 1);
    windows.dilations = list("dilations", rank, 1);
    Shape pads = list("pads", 2 * rank, 0);
    padsGiven = llvm::any_of(pads, [](int64_t p) { return p != 0; });
    if (wrong)
      return;
    windows.padsBegin.assign(pads.begin(), pads.begin() + rank);
    windows.padsEnd.assign(pads.begin() + rank, pads.end());
  }

  void readAutoPad() {
    std::string text = cx.string("auto_pad").value_or("NOTSET");
    if (text == "SAME_UPPER")
      autoPad = AutoPad::SameUpper;
    else if (text == "SAME_LOWER")
      autoPad = AutoPad::SameLower;
    else if (text == "VALID")
      autoPad = AutoPad::Valid;
    else if (text != "NOTSET" && !text.empty())
      fail("attribute 'auto_pad' is '" + text + "'");
    if (autoPad != AutoPad::NotSet && padsGiven)
      fail("attributes 'auto_pad' and 'pads' exclude each other");
  }

  bool isSame() const {
    return autoPad == AutoPad::SameUpper || autoPad == AutoPad::SameLower;
  }

  /// Extent of the kernel with its gaps.
  int64_t extent(size_t d) const {
    return (windows.kernel[d] - 1) * windows.dilations[d] + 1;
  }

  /// The odd one of `total` is at the end, or at the beginning.
  void splitPads(size_t d, int64_t total, bool moreAtEnd) {
    int64_t half = llvm::divideFloorSigned(total, 2);
    windows.padsBegin[d] = moreAtEnd ? half : total - half;
    windows.padsEnd[d] = total - windows.padsBegin[d];
  }

  void padSame(size_t d);
  int64_t countPositions(size_t d, bool up, bool isConv);
  void placeOver(ShapeRef image, bool isConv);

  /// Returns what was read. Sizes are numbers of elements in int64, also of
  /// tensors that are empty for their batch.
  ReasonOr<SlidingWindows> result() && {
    if (!wrong && (!checkedNumElements(windows.image) ||
                   !checkedNumElements(windows.kernel) ||
                   !checkedNumElements(windows.positions)))
      fail("the image, the kernel or the output is too large");
    if (wrong)
      return std::move(wrong);
    return std::move(windows);
  }

  FoldContext &cx;
  SlidingWindows windows;
  AutoPad autoPad = AutoPad::NotSet;
  bool padsGiven = false;
  Reason wrong;
};

} // namespace

/// As many positions as strides fit in; the padding is what they need. Where
/// that is negative by more than the one element that is left at the end,
/// runtimes cut off the beginning or do not. Of dilated windows ONNX Runtime's
/// pools give fewer, and its convolutions none.
void WindowsReader::padSame(size_t d) {
  int64_t image = windows.image[d], stride = windows.strides[d];
  int64_t count = llvm::divideCeil(image, stride);
  int64_t total = (count - 1) * stride + extent(d) - image;
  if (total < -1 && !wrong)
    wrong = undefined("with a stride of " + llvm::Twine(stride) +
                      " and a window of " + llvm::Twine(extent(d)) +
                      ", 'auto_pad' asks for negative padding");
  if (windows.dilations[d] != 1 && !wrong && !mustDecide(cx))
    wrong = undefined("'auto_pad' asks for the same size, and windows are "
                      "dilated: ONNX Runtime gives another size");
  splitPads(d, std::max<int64_t>(total, 0), autoPad == AutoPad::SameUpper);
}

/// How many windows fit; less than 1 where that is none. Programs do as the
/// pools of ONNX Runtime, which divide towards zero: where less than a stride is
/// missing there is one window, cut off at the end, and otherwise none.
int64_t WindowsReader::countPositions(size_t d, bool up, bool isConv) {
  int64_t stride = windows.strides[d], image = windows.image[d];
  int64_t padded = image + windows.padsBegin[d] + windows.padsEnd[d];
  int64_t room = padded - extent(d) + (up ? stride - 1 : 0);
  int64_t count = llvm::divideFloorSigned(room, stride) + 1;
  bool isCutOff = !isConv && count < 1 && mustDecide(cx);
  if (isCutOff)
    count = up ? count : room / stride + 1;
  if (count < (isCutOff ? 0 : 1))
    fail("a window of " + llvm::Twine(extent(d)) + " does not fit into " +
         llvm::Twine(padded) + " padded elements");
  if (up && autoPad == AutoPad::Valid && (padded - extent(d)) % stride != 0 &&
      !wrong)
    wrong =
        undefined("'auto_pad' VALID rounds down in the text, and 'ceil_mode' "
                  "up in runtimes");
  if (!up || (count - 1) * stride < image + windows.padsBegin[d])
    return count;
  if (cx.version() < 22 && !wrong)
    wrong = undefined("a window starts in the padding at the end, which "
                      "belongs to the shape only before version 22");
  return count - 1;
}

/// Pads and positions on an image.
void WindowsReader::placeOver(ShapeRef image, bool isConv) {
  check("the size of the image", image, windows.kernel.size(), 1);
  windows.image = Shape(image);
  bool up = !isConv && cx.integer("ceil_mode").value_or(0) != 0;
  for (size_t d = 0; d < image.size() && !wrong; ++d) {
    if (isSame())
      padSame(d);
    windows.positions.push_back(countPositions(d, up, isConv));
  }
}

ReasonOr<SlidingWindows> onnxfold::readWindows(FoldContext &cx,
                                               const Elements &x,
                                               std::optional<ShapeRef> kernel) {
  std::optional<Shape> given = cx.ints("kernel_shape");
  if (!kernel && !given)
    return invalid("attribute 'kernel_shape' is missing");
  if (x.rank() < 3)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected at least three dimensions");
  WindowsReader reader(cx, kernel ? *kernel : ShapeRef(*given));
  if (kernel && given && !given->empty() && ShapeRef(*given) != *kernel)
    reader.fail("attribute 'kernel_shape' is " + toString(*given) +
                ", the weights have " + toString(*kernel));
  reader.readSteps();
  reader.readAutoPad();
  reader.placeOver(x.shape().drop_front(2), kernel.has_value());
  return std::move(reader).result();
}

ReasonOr<SlidingWindows> onnxfold::windowsOver(FoldContext &cx, ShapeRef image,
                                               ShapeRef kernel) {
  WindowsReader reader(cx, kernel);
  reader.readSteps();
  reader.placeOver(image, /*isConv=*/true);
  return std::move(reader).result();
}

ReasonOr<SlidingWindows> onnxfold::readTransposedWindows(FoldContext &cx,
                                                         const Elements &x,
                                                         ShapeRef kernel) {
  WindowsReader reader(cx, kernel);
  std::optional<Shape> given = cx.ints("kernel_shape");
  if (given && !given->empty() && ShapeRef(*given) != kernel)
    reader.fail("attribute 'kernel_shape' is " + toString(*given) +
                ", the weights have " + toString(kernel));
  reader.readSteps();
  Shape outputPadding = reader.list("output_padding", kernel.size(), 0);
  Shape output = cx.ints("output_shape").value_or(Shape());
  if (!output.empty())
    reader.padsGiven = false; // ignored
  reader.readAutoPad();
  ShapeRef positions = x.shape().drop_front(2);
  reader.check("the size of input #0", positions, kernel.size(), 1);
  if (!output.empty())
    reader.check("attribute 'output_shape'", output, kernel.size(), 1);
  if (reader.wrong)
    return std::move(reader).result();
  SlidingWindows &w = reader.windows;
  w.positions = Shape(positions);
  for (size_t d = 0; d < kernel.size(); ++d) {
    int64_t full =
        w.strides[d] * (positions[d] - 1) + outputPadding[d] + reader.extent(d);
    if (output.empty() && !reader.isSame()) {
      w.image.push_back(full - w.padsBegin[d] - w.padsEnd[d]);
      continue;
    }
    w.image.push_back(output.empty() ? positions[d] * w.strides[d] : output[d]);
    int64_t total = full - w.image[d];
    reader.splitPads(d, total, reader.autoPad == AutoPad::SameUpper);
    if (total < 0 && w.padsBegin[d] != 0) {
      reader.wrong =
          undefined("the output has size " + llvm::Twine(w.image[d]) +
                    " where " + llvm::Twine(full) +
                    " elements are computed: how negative padding is "
                    "divided is not specified");
      break;
    }
  }
  if (!reader.wrong)
    reader.check("the size of the output", w.image, kernel.size(), 1);
  return std::move(reader).result();
}

ReasonOr<SlidingWindows> onnxfold::readUnpooledWindows(FoldContext &cx,
                                                       const Elements &x,
                                                       bool ignorePads) {
  Shape kernel = cx.ints("kernel_shape").value_or(Shape());
  WindowsReader reader(cx, kernel);
  if (kernel.empty() || x.rank() != int64_t(kernel.size()) + 2)
    reader.fail("attribute 'kernel_shape' is " + toString(kernel) +
                ", input #0 has shape " + toString(x.shape()));
  reader.readSteps();
  if (reader.wrong)
    return std::move(reader).result();
  SlidingWindows &w = reader.windows;
  w.positions = Shape(x.shape().drop_front(2));
  reader.check("the size of input #0", w.positions, kernel.size(), 1);
  for (size_t d = 0; d < kernel.size() && !reader.wrong; ++d) {
    int64_t pads = ignorePads ? 0 : w.padsBegin[d] + w.padsEnd[d];
    w.image.push_back((w.positions[d] - 1) * w.strides[d] + kernel[d] - pads);
  }
  if (!reader.wrong)
    reader.check("the size of the output", w.image, kernel.size(), 1);
  return std::move(reader).result();
}

Shape onnxfold::spatialAxes(const Elements &x) {
  Shape axes;
  for (int64_t d = 2; d < x.rank(); ++d)
    axes.push_back(d);
  return axes;
}

Reason onnxfold::checkSpatial(const Elements &x) {
  if (x.rank() < 2)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected a batch and channels");
  for (int64_t d : x.shape().drop_front(2))
    if (d == 0)
      return undefined("input #0 has shape " + toString(x.shape()) +
                       ", there is nothing in a channel");
  return {};
}

Shape onnxfold::imageShape(int64_t batch, int64_t channels, ShapeRef spatial) {
  Shape shape = {batch, channels};
  shape.append(spatial.begin(), spatial.end());
  return shape;
}

Reason onnxfold::checkWindows(FoldContext &cx, DataType type, ShapeRef result,
                              const SlidingWindows &windows, double depth) {
  if (Reason limit = cx.checkResult(type, result))
    return limit;
  double work = depth;
  for (int64_t d : result)
    work *= d;
  for (int64_t k : windows.kernel)
    work *= k;
  constexpr double unitsOfTap = 20;
  return cx.checkWork(work, unitsOfTap);
}
