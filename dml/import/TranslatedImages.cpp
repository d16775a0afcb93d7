//===- TranslatedImages.cpp - Convolutions and pooling of DML -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An image is a row of channels * height * width, and a tensor of four
// dimensions in between.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// The arguments that these functions share. Sizes that are open are -1.
struct ImageWindows {
  llvm::SmallVector<int64_t, 4> image, filter;
  llvm::SmallVector<int64_t, 2> window, stride, padding;
  std::string problem;

  llvm::SmallVector<int64_t> pads() const {
    return {padding[0], padding[1], padding[0], padding[1]};
  }
  /// Of the result, rows and columns.
  int64_t places(int axis) const {
    return (image[2 + axis] + 2 * padding[axis] - window[axis]) / stride[axis] +
           1;
  }
};

} // namespace

static void readSizeList(const BuiltinCall &call, StringRef key, size_t count,
                         llvm::SmallVectorImpl<int64_t> &sizes,
                         std::string &problem) {
  const DmlValue *list = call.get(key);
  if (!list) {
    if (sizes.size() != count)
      problem = (key + " is not given").str();
    return;
  }
  sizes.clear();
  if (list->type == DmlValue::List)
    for (const DmlValue &one : list->elements)
      sizes.push_back(one.size());
  if (!llvm::all_of(list->elements,
                    [](const DmlValue &one) { return one.mayCount(); }))
    problem = (key + " has a number that is not a size").str();
  if (sizes.size() != count)
    problem =
        (key + " is not a list of " + llvm::Twine(count) + " numbers").str();
}

static ImageWindows imageWindowsOf(const BuiltinCall &call, bool isPool) {
  ImageWindows made;
  made.stride = {1, 1};
  made.padding = {0, 0};
  readSizeList(call, "input_shape", 4, made.image, made.problem);
  readSizeList(call, "stride", 2, made.stride, made.problem);
  readSizeList(call, "padding", 2, made.padding, made.problem);
  if (isPool) {
    readSizeList(call, "pool_size", 2, made.window, made.problem);
  } else {
    readSizeList(call, "filter_shape", 4, made.filter, made.problem);
    if (made.problem.empty())
      made.window = {made.filter[2], made.filter[3]};
  }
  if (!made.problem.empty())
    return made;
  auto areKnown = [](llvm::ArrayRef<int64_t> sizes, int64_t least) {
    return llvm::all_of(sizes, [&](int64_t one) { return one >= least; });
  };
  llvm::ArrayRef<int64_t> image = made.image;
  if (!areKnown(image.drop_front(2), 1) || !areKnown(made.window, 1) ||
      !areKnown(made.stride, 1) || !areKnown(made.padding, 0))
    made.problem = "heights and widths that are not known, or not positive "
                   "(" +
                   onnxfold::setting("bind") + " and " +
                   onnxfold::setting("input-shape") + " fix sizes)";
  else if (made.places(0) < 1 || made.places(1) < 1)
    made.problem = "a window that is larger than the image";
  return made;
}

static std::string reshapedTo(const BuiltinCall &call, const std::string &x,
                              llvm::ArrayRef<int64_t> sizes) {
  std::string shape = call.graph().integers(sizes);
  return call.node("Reshape", {x, shape});
}
/// The number of images is kept, and that of channels may be open (-1).
static std::string imagesOf(const BuiltinCall &call, const DmlValue &x,
                            int64_t channels, int64_t height, int64_t width) {
  return reshapedTo(call, x.name,
                    {0, channels < 0 ? -1 : channels, height, width});
}
/// Each image as a row.
static DmlValue imageRowsOf(const BuiltinCall &call, const std::string &images,
                            int64_t rows, int64_t columns) {
  return DmlValue::matrix(
      reshapedTo(call, images, {0, columns < 0 ? -1 : columns}), rows, columns);
}
static int64_t sizeProduct(int64_t a, int64_t b) {
  return a < 0 || b < 0 ? -1 : a * b;
}

static bool startsWithMatrices(const BuiltinCall &call) {
  return call.given.positional.size() >= 2 &&
         call.given.positional[0].isMatrix() &&
         call.given.positional[1].isMatrix();
}

DmlValue onnxfold::dml::convolution(const BuiltinCall &call) {
  ImageWindows to = imageWindowsOf(call, /*isPool=*/false);
  if (!to.problem.empty() || !startsWithMatrices(call))
    return call.refuse(to.problem.empty() ? "no two matrices" : to.problem);
  const DmlValue &x = call.given.positional[0], &w = call.given.positional[1];
  std::string images = imagesOf(call, x, to.image[1], to.image[2], to.image[3]);
  std::string filters =
      imagesOf(call, w, to.image[1], to.window[0], to.window[1]);
  std::vector<int64_t> strides(to.stride.begin(), to.stride.end());
  llvm::SmallVector<int64_t> pads = to.pads();
  std::string made = call.node(
      "Conv", {images, filters},
      {{"strides", strides, true}, {"pads", {pads.begin(), pads.end()}, true}});
  return imageRowsOf(call, made, x.rows,
                     sizeProduct(to.filter[0], to.places(0) * to.places(1)));
}

/// Adds each image of filters where it was read: the image that input_shape says.
static std::string spreadImages(const BuiltinCall &call, const ImageWindows &to,
                                const std::string &images,
                                const std::string &filters, int64_t groups) {
  std::vector<int64_t> strides(to.stride.begin(), to.stride.end());
  std::vector<int64_t> rest;
  for (int axis : {0, 1})
    rest.push_back(to.image[2 + axis] -
                   ((to.places(axis) - 1) * to.stride[axis] + to.window[axis] -
                    2 * to.padding[axis]));
  llvm::SmallVector<int64_t> pads = to.pads();
  return call.node("ConvTranspose", {images, filters},
                   {{"strides", strides, true},
                    {"pads", {pads.begin(), pads.end()}, true},
                    {"output_padding", rest, true},
                    {"group", {groups}}});
}

/// conv2d_backward_data(W, dout, ...)
DmlValue onnxfold::dml::convolutionOfData(const BuiltinCall &call) {
  ImageWindows to = imageWindowsOf(call, /*isPool=*/false);
  if (!to.problem.empty() || !startsWithMatrices(call))
    return call.refuse(to.problem.empty() ? "no two matrices" : to.problem);
  const DmlValue &w = call.given.positional[0], &x = call.given.positional[1];
  std::string images =
      imagesOf(call, x, to.filter[0], to.places(0), to.places(1));
  std::string filters =
      imagesOf(call, w, to.image[1], to.window[0], to.window[1]);
  return imageRowsOf(call, spreadImages(call, to, images, filters, 1), x.rows,
                     sizeProduct(to.image[1], to.image[2] * to.image[3]));
}

/// conv2d_backward_filter(X, dout, ...): the images are channels, and strides
/// are distances in the filter.
DmlValue onnxfold::dml::convolutionOfFilter(const BuiltinCall &call) {
  ImageWindows to = imageWindowsOf(call, /*isPool=*/false);
  if (!to.problem.empty() || !startsWithMatrices(call))
    return call.refuse(to.problem.empty() ? "no two matrices" : to.problem);
  const DmlValue &x = call.given.positional[0], &d = call.given.positional[1];
  NodeAttribute turn{"perm", {1, 0, 2, 3}, true};
  std::string images = call.node(
      "Transpose", {imagesOf(call, x, to.image[1], to.image[2], to.image[3])},
      turn);
  std::string filters = call.node(
      "Transpose",
      {imagesOf(call, d, to.filter[0], to.places(0), to.places(1))}, turn);
  std::vector<int64_t> strides(to.stride.begin(), to.stride.end());
  llvm::SmallVector<int64_t> pads = to.pads();
  std::string made = call.node("Conv", {images, filters},
                               {{"dilations", strides, true},
                                {"pads", {pads.begin(), pads.end()}, true}});
  OnnxGraph &graph = call.graph();
  std::string start = graph.integers({0, 0}),
              end = graph.integers({to.window[0], to.window[1]}),
              axes = graph.integers({2, 3});
  std::string cut = call.node("Slice", {made, start, end, axes});
  return imageRowsOf(call, call.node("Transpose", {cut}, turn), to.filter[0],
                     sizeProduct(to.image[1], to.window[0] * to.window[1]));
}

static DmlValue pooledImages(const BuiltinCall &call, bool isMax) {
  ImageWindows to = imageWindowsOf(call, /*isPool=*/true);
  bool isMatrix = !call.given.positional.empty() && call.first().isMatrix();
  if (!to.problem.empty() || !isMatrix)
    return call.refuse(isMatrix ? to.problem : "no matrix");
  const DmlValue &x = call.first();
  std::string images = imagesOf(call, x, to.image[1], to.image[2], to.image[3]);
  llvm::SmallVector<int64_t> pads = to.pads();
  std::vector<NodeAttribute> attributes = {
      {"kernel_shape", {to.window.begin(), to.window.end()}, true},
      {"strides", {to.stride.begin(), to.stride.end()}, true},
      {"pads", {pads.begin(), pads.end()}, true}};
  if (!isMax)
    attributes.push_back({"count_include_pad", {1}});
  std::string made =
      call.node(isMax ? "MaxPool" : "AveragePool", {images}, attributes);
  return imageRowsOf(call, made, x.rows,
                     sizeProduct(to.image[1], to.places(0) * to.places(1)));
}
DmlValue onnxfold::dml::maxPool(const BuiltinCall &call) {
  return pooledImages(call, true);
}
DmlValue onnxfold::dml::averagePool(const BuiltinCall &call) {
  return pooledImages(call, false);
}

/// avg_pool_backward(X, dout, ...): of X the sizes only.
DmlValue onnxfold::dml::averagePoolBackward(const BuiltinCall &call) {
  ImageWindows to = imageWindowsOf(call, /*isPool=*/true);
  if (!to.problem.empty() || !startsWithMatrices(call))
    return call.refuse(to.problem.empty() ? "no two matrices" : to.problem);
  const DmlValue &d = call.given.positional[1];
  int64_t channels = to.image[1], high = to.window[0], wide = to.window[1];
  int64_t size = sizeProduct(channels, to.image[2] * to.image[3]);
  std::string count = call.graph().number(double(high * wide));
  std::string share = call.node("Div", {d.name, count});
  DmlValue shared = like(d, share);
  bool isTiled = to.stride == to.window && to.padding[0] == 0 &&
                 to.padding[1] == 0 && to.image[2] % high == 0 &&
                 to.image[3] % wide == 0;
  if (isTiled) {
    std::string places = reshapedTo(
        call, share,
        {0, channels < 0 ? -1 : channels, to.places(0), 1, to.places(1), 1});
    std::string shape = call.graph().integers({1, 1, 1, high, 1, wide});
    return imageRowsOf(call, call.node("Expand", {places, shape}), d.rows,
                       size);
  }
  if (channels < 0)
    return call.refuse("a number of channels that is not known");
  std::string images =
      imagesOf(call, shared, channels, to.places(0), to.places(1));
  std::string one = call.graph().number(1),
              shape = call.graph().integers({channels, 1, high, wide});
  std::string filters = call.node("Expand", {one, shape});
  return imageRowsOf(call, spreadImages(call, to, images, filters, channels),
                     d.rows, size);
}

/// max_pool_backward(X, dout, ...): to the first of the largest.
DmlValue onnxfold::dml::maxPoolBackward(const BuiltinCall &call) {
  ImageWindows to = imageWindowsOf(call, /*isPool=*/true);
  if (!to.problem.empty() || !startsWithMatrices(call))
    return call.refuse(to.problem.empty() ? "no two matrices" : to.problem);
  const DmlValue &x = call.given.positional[0], &d = call.given.positional[1];
  OnnxGraph &graph = call.graph();
  std::string images = imagesOf(call, x, to.image[1], to.image[2], to.image[3]);
  llvm::SmallVector<int64_t> pads = to.pads();
  std::vector<std::string> pooled =
      graph.nodes("MaxPool", {images}, 2,
                  {{"kernel_shape", {to.window.begin(), to.window.end()}, true},
                   {"strides", {to.stride.begin(), to.stride.end()}, true},
                   {"pads", {pads.begin(), pads.end()}, true}});
  std::string places = reshapedTo(call, pooled[1], {0, -1, 1}), // of rows of d
      flat = reshapedTo(call, x.name, {-1});
  std::string shape = graph.node("Shape", {flat}), zero = graph.number(0);
  std::string zeros = graph.node("Expand", {zero, shape});
  std::string made = graph.node("ScatterND", {zeros, places, d.name},
                                {{"reduction", {}, false, "add"}});
  int64_t columns = sizeProduct(to.image[1], to.image[2] * to.image[3]);
  std::string rows = columns > 0 ? graph.integers({-1, columns})
                                 : graph.node("Shape", {x.name});
  return like(x, graph.node("Reshape", {made, rows}));
}

/// bias_add and bias_multiply: a number for each channel.
static DmlValue channelwise(const BuiltinCall &call, StringRef op) {
  if (!startsWithMatrices(call))
    return call.refuse("no two matrices");
  const DmlValue &x = call.given.positional[0], &b = call.given.positional[1];
  // Calls that follow each other pass the images on.
  std::string images = call.to.channels.lookup(x.name);
  if (images.empty()) {
    std::string shape =
        call.to.list({DmlValue::known(0, DmlValue::Int), call.to.size(b, 0),
                      DmlValue::known(-1, DmlValue::Int)});
    images = call.node("Reshape", {x.name, shape});
  }
  std::string made = call.node(op, {images, b.name});
  DmlValue rows = imageRowsOf(call, made, x.rows, x.columns);
  call.to.channels[rows.name] = made;
  return rows;
}
DmlValue onnxfold::dml::biasAdd(const BuiltinCall &call) {
  return channelwise(call, "Add");
}
DmlValue onnxfold::dml::biasMultiply(const BuiltinCall &call) {
  return channelwise(call, "Mul");
}
