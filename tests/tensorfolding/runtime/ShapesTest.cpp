//===- ShapesTest.cpp - Layouts, ranks, element types, conventions --------===//
// SPDX-License-Identifier: Apache-2.0

#include "HandWritten.h"
#include <cstring>
#include <numeric>

using namespace onnxfold::tensorfolding;
using namespace onnxfold::tensorfolding::testing;
using ::testing::ElementsAre;

namespace {
class ShapesTest : public RuntimeTest {};
using Matrix = MemRef<int64_t, 2>;
} // namespace

/// A program f(x) = x + f(w) with one part, whose types a test sets.
static Metadata onePart(TensorType weight, TensorType value,
                        TensorType result) {
  Metadata metadata;
  metadata.entry.symbol = "f";
  metadata.arguments = {{"w", ArgumentRole::Weight, std::move(weight)}};
  metadata.foldedValues = {{std::move(value), {}}};
  metadata.parts = {{{"f.fold_runtime.0", ResultConvention::OutParameters},
                     {0},
                     {0},
                     {1, 1}}};
  metadata.entryArguments = {folded(0)};
  metadata.results = {std::move(result)};
  return metadata;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Takes memref<2x3xi64>: does not look at strides.
static void foldMatrix(Matrix *weight, Matrix *result) {
  for (int64_t i = 0; i < 6; ++i)
    result->aligned[i] = weight->aligned[i];
}
/// Takes memref<2x3xi64, strided<[?, ?], offset: ?>>.
static void foldStrided(Matrix *weight, Matrix *result) {
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t k = 0; k < 3; ++k)
      result->aligned[3 * i + k] =
          weight->aligned[weight->offset + i * weight->strides[0] +
                          k * weight->strides[1]];
}
static void copyMatrix(Matrix *value, Matrix *result) {
  for (int64_t i = 0; i < 6; ++i)
    result->aligned[i] = value->aligned[i];
}

TEST_F(ShapesTest, strided_weights) {
  int64_t data[] = {0, 1, 2, 3, 4, 5, 6, 7};
  int64_t shape[] = {2, 3};
  struct Case {
    int64_t *first;
    int64_t strides[2];
    std::vector<int64_t> expected;
  } cases[] = {{data, {3, 1}, {0, 1, 2, 3, 4, 5}},
               {data, {1, 2}, {0, 2, 4, 1, 3, 5}},       // transposed
               {data + 5, {-3, -1}, {5, 4, 3, 2, 1, 0}}, // backwards
               {data + 1, {0, 1}, {1, 2, 3, 1, 2, 3}},   // repeated
               {data, {4, 1}, {0, 1, 2, 4, 5, 6}}};      // with gaps
  TensorType type = {i64(), {2, 3}};
  for (Layout layout : {Layout::RowMajor, Layout::AnyStrides})
    for (Case &test : cases) {
      Metadata metadata = onePart(type, type, type);
      metadata.arguments[0].type.layout = layout;
      Functions functions;
      functions.add("f.fold_runtime.0",
                    layout == Layout::RowMajor ? foldMatrix : foldStrided);
      functions.add("f", copyMatrix);
      auto program = load(metadata, functions);
      EXPECT_FALSE(
          program->setWeight(0, tensor(test.first, shape, test.strides)));
      std::vector<OwnedTensor> results;
      EXPECT_FALSE(program->call({}, results));
      auto *values = results[0].data<int64_t>();
      EXPECT_EQ(std::vector(values, values + 6), test.expected);
    }
}

TEST_F(ShapesTest, the_entry_itself_takes_a_strided_weight) {
  // There is no part: the weight is passed straight to the entry, which does not
  // look at strides.
  int64_t data[] = {0, 1, 2, 3, 4, 5}, shape[] = {2, 3}, strides[] = {1, 2};
  Metadata metadata;
  metadata.entry.symbol = "f";
  metadata.arguments = {{"w", ArgumentRole::Weight, {i64(), {2, 3}}}};
  metadata.entryArguments = {original(0)};
  metadata.results = {{i64(), {2, 3}}};
  Functions functions;
  functions.add("f", copyMatrix);
  auto program = load(metadata, functions);
  int released = 0;
  EXPECT_FALSE(
      program->setWeight(0, tensor(data, shape, strides), [&] { ++released; }));
  EXPECT_EQ(released, 1) << "it was copied";
  std::vector<OwnedTensor> results;
  EXPECT_FALSE(program->call({}, results));
  auto *values = results[0].data<int64_t>();
  EXPECT_THAT(std::vector(values, values + 6), ElementsAre(0, 2, 4, 1, 3, 5));
}

static void fillStrided(Matrix *weight, Matrix *result) {
  EXPECT_EQ(result->strides[0], 1);
  EXPECT_EQ(result->strides[1], 4);
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t k = 0; k < 3; ++k)
      result->aligned[i + 4 * k] = weight->aligned[3 * i + k];
}

TEST_F(ShapesTest, folded_values_with_strides_of_their_own) {
  TensorType type = {i64(), {2, 3}};
  Metadata metadata = onePart(type, type, type);
  metadata.foldedValues[0].type.layout = Layout::AnyStrides;
  metadata.foldedValues[0].strides = {1, 4};
  Functions functions;
  functions.add("f.fold_runtime.0", fillStrided);
  functions.add("f", foldStrided);
  auto program = load(metadata, functions);
  int64_t data[] = {0, 1, 2, 3, 4, 5}, shape[] = {2, 3};
  EXPECT_FALSE(program->setWeight(0, tensor(data, shape)));
  std::vector<OwnedTensor> results;
  EXPECT_FALSE(program->call({}, results));
  auto *values = results[0].data<int64_t>();
  EXPECT_THAT(std::vector(values, values + 6), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(foldedMemory().bytes, 128u); // 10 elements and a multiple of 64
}

//===----------------------------------------------------------------------===//
// Ranks and element types
//===----------------------------------------------------------------------===//

template <typename T, int rank, int64_t size>
static void copyAll(MemRef<T, rank> *from, MemRef<T, rank> *to) {
  std::memcpy(to->aligned, from->aligned, size * sizeof(T));
}

TEST_F(ShapesTest, rank_10) {
  std::vector<int64_t> shape = {1, 2, 1, 3, 1, 1, 2, 1, 1, 2};
  TensorType type = {elementTypeOf<float>(), shape};
  Functions functions;
  functions.add("f.fold_runtime.0", copyAll<float, 10, 24>);
  functions.add("f", copyAll<float, 10, 24>);
  auto program = load(onePart(type, type, type), functions);
  std::vector<float> data(24);
  std::iota(data.begin(), data.end(), 0);
  EXPECT_FALSE(program->setWeight(0, tensor(data.data(), shape)));
  std::vector<OwnedTensor> results;
  EXPECT_FALSE(program->call({}, results));
  EXPECT_EQ(results[0].shape(), shape);
  EXPECT_EQ(results[0].data<float>()[23], 23);
}

struct MemRef0 { // MLIR's descriptor of rank 0 has no arrays
  double *allocated, *aligned;
  int64_t offset;
};
static void twiceOf0(MemRef0 *from, MemRef0 *to) {
  *to->aligned = 2 * *from->aligned;
}

TEST_F(ShapesTest, rank_0) {
  TensorType type = {elementTypeOf<double>(), {}};
  Functions functions;
  functions.add("f.fold_runtime.0", twiceOf0);
  functions.add("f", twiceOf0);
  auto program = load(onePart(type, type, type), functions);
  double value = 1.25;
  EXPECT_FALSE(program->setWeight(0, tensor(&value, {})));
  std::vector<OwnedTensor> results;
  EXPECT_FALSE(program->call({}, results));
  EXPECT_EQ(*results[0].data<double>(), 5.0);
}

TEST_F(ShapesTest, empty_tensors) {
  TensorType type = {i64(), {0, 5}};
  Functions functions;
  functions.add("f.fold_runtime.0", copyAll<int64_t, 2, 0>);
  functions.add("f", copyAll<int64_t, 2, 0>);
  auto program = load(onePart(type, type, type), functions);
  int64_t shape[] = {0, 5};
  EXPECT_FALSE(program->setWeight(0, {nullptr, i64(), 2, shape}));
  std::vector<OwnedTensor> results;
  EXPECT_FALSE(program->call({}, results));
  EXPECT_THAT(results[0].shape(), ElementsAre(0, 5));
}

TEST_F(ShapesTest, elements_of_less_than_a_byte) {
  // i4 takes a byte in compiled code; packed ones take half of it.
  struct Case {
    ElementType element;
    int64_t size;
    uint64_t bytes;
  } cases[] = {{*elementTypeNamed("i4"), 130, 192},
               {{elementTypeNamed("i4")->code, 4}, 130, 128},
               {{elementTypeNamed("i1")->code, 1}, 130, 64},
               {{elementTypeNamed("f4E2M1FN")->code, 4}, 127, 64}};
  for (Case &test : cases) {
    TensorType type = {test.element, {test.size}};
    uint64_t bytes = *staticBytes(type);
    Functions functions;
    functions.add(
        "f.fold_runtime.0",
        +[](MemRef<uint8_t, 1> *from, MemRef<uint8_t, 1> *to) {
          to->aligned[0] = from->aligned[0];
        });
    functions.add(
        "f", +[](MemRef<uint8_t, 1> *from, MemRef<uint8_t, 1> *to) {
          to->aligned[0] = from->aligned[0];
        });
    auto program = load(onePart(type, type, type), functions);
    std::vector<uint8_t> data(bytes, 0x5a);
    int64_t shape[] = {test.size}, strides[] = {2};
    Tensor weight = {data.data(), test.element, 1, shape};
    if (test.element.storageBits < 8) {
      weight.strides = strides;
      EXPECT_EQ(program->setWeight(0, weight).message(),
                "entry 'f': argument 0 'w' has strides, expected row-major "
                "order as its elements are packed");
      weight.strides = nullptr;
    }
    EXPECT_FALSE(program->setWeight(0, weight));
    std::vector<OwnedTensor> results;
    EXPECT_FALSE(program->call({}, results));
    EXPECT_EQ(results[0].data<uint8_t>()[0], 0x5a);
    EXPECT_EQ(foldedMemory().bytes, test.bytes) << elementName(test.element);
  }
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// w: f32 -> (w + 1, w * 2) as scalars
namespace {
struct TwoScalars {
  float sum;
  double twice;
};
} // namespace
static void foldScalars(TwoScalars *result, float weight) {
  *result = {weight + 1, 2.0 * weight};
}
/// (x: i8, sum: f32, twice: f64, w: f32, n: index) -> i64
static int64_t entryOfScalars(int8_t x, float sum, double twice, float weight,
                              int64_t n) {
  return int64_t(x) * 1000 + int64_t(sum) * 100 + int64_t(twice) * 10 +
         int64_t(weight) + n;
}

TEST_F(ShapesTest, scalars_are_passed_by_value) {
  auto scalar = [](const char *name) {
    return TensorType{*elementTypeNamed(name), {}, Layout::RowMajor, true};
  };
  Metadata metadata;
  metadata.entry.symbol = "f";
  metadata.arguments = {{"x", ArgumentRole::Input, scalar("i8")},
                        {"w", ArgumentRole::Weight, scalar("f32")},
                        {"n", ArgumentRole::Input, scalar("index")}};
  metadata.foldedValues = {{scalar("f32"), {}}, {scalar("f64"), {}}};
  metadata.parts = {
      {{"fold", ResultConvention::OutParameters}, {1}, {0, 1}, {}}};
  metadata.entryArguments = {original(0), folded(0), folded(1), original(1),
                             original(2)};
  metadata.results = {scalar("i64")};
  Functions functions;
  functions.add("fold", foldScalars);
  functions.add("f", entryOfScalars);
  auto program = load(metadata, functions);
  float weight = 3;
  int8_t x = -5;
  int64_t n = 100000;
  EXPECT_FALSE(program->setWeight(1, tensor(&weight, {})));
  std::vector<OwnedTensor> results;
  Tensor inputs[] = {tensor(&x, {}), {&n, *elementTypeNamed("index")}};
  EXPECT_FALSE(program->call(inputs, results));
  EXPECT_EQ(*results[0].data<int64_t>(), -5000 + 400 + 60 + 3 + 100000);

  metadata.arguments[2].type = scalar("bf16");
  Error error;
  EXPECT_EQ(load(metadata, functions, error), nullptr);
  EXPECT_EQ(error.message(), "function 'f' takes a scalar of type bf16, "
                             "expected i1 to i64, index, f32 or f64");
}

//===----------------------------------------------------------------------===//
// Functions that return what they allocated
//===----------------------------------------------------------------------===//

/// The first half of a vector, times 3; an address that is a multiple of 64
/// plus `shift`.
template <int shift> static void returnHalf(Vector *result, Vector *weight) {
  ++foldCount;
  int64_t size = weight->sizes[0] / 2;
  auto *memory =
      static_cast<char *>(std::aligned_alloc(64, (size * 8 / 64 + 2) * 64));
  auto *data = reinterpret_cast<int64_t *>(memory + shift);
  *result = {reinterpret_cast<int64_t *>(memory), data, 0, {size}, {1}};
  for (int64_t i = 0; i < size; ++i)
    data[i] = 3 * weight->at(i);
}
/// x + f, which has its own size
static void returnSum(Vector *result, Vector *x, Vector *f) {
  EXPECT_EQ(uintptr_t(f->aligned) % 64, 0u);
  int64_t size = x->sizes[0];
  EXPECT_EQ(f->sizes[0], size);
  auto *data = static_cast<int64_t *>(std::malloc(size * 8));
  *result = {data, data, 0, {size}, {1}};
  for (int64_t i = 0; i < size; ++i)
    data[i] = x->at(i) + f->at(i);
}

static Metadata dynamicProgram() {
  TensorType type = vectorType(dynamicSize);
  Metadata metadata = onePart(type, type, type);
  metadata.entry.convention = ResultConvention::Returned;
  metadata.parts[0].function.convention = ResultConvention::Returned;
  metadata.arguments.push_back({"x", ArgumentRole::Input, type});
  metadata.entryArguments = {original(1), folded(0)};
  return metadata;
}

TEST_F(ShapesTest, dynamic_shapes) {
  Functions functions;
  functions.add("f", returnSum);
  for (auto *fold : {returnHalf<0>, returnHalf<8>}) {
    functions.add("f.fold_runtime.0", fold);
    foldCount = 0;
    auto program = load(dynamicProgram(), functions);
    Filled weight(20, 7), x(10, 1);
    EXPECT_FALSE(program->setWeight(0, weight.tensor()));
    Tensor inputs[] = {x.tensor()};
    for (int call = 0; call < 2; ++call) {
      std::vector<OwnedTensor> results;
      EXPECT_FALSE(program->call(inputs, results));
      EXPECT_THAT(results[0].shape(), ElementsAre(10));
      EXPECT_EQ(results[0].data<int64_t>()[9], 22);
    }
    EXPECT_EQ(foldCount, 1);
    EXPECT_EQ(foldedMemory().bytes, 128u); // 80 bytes
    EXPECT_EQ(program->call(inputs, inputs).message(),
              "entry 'f': the call has buffers for results, expected none as "
              "the entry returns some that it allocates");
  }
}

/// Every second element.
static void returnView(Vector *result, Vector *x, Vector *) {
  auto *data = static_cast<int64_t *>(std::calloc(x->sizes[0] * 2, 8));
  *result = {data, data, 0, {x->sizes[0]}, {2}};
}

// The caller reads a result as row-major, and had its first elements.
TEST_F(ShapesTest, results_with_strides_are_refused) {
  Functions functions;
  functions.add("f", returnView);
  functions.add("f.fold_runtime.0", returnHalf<0>);
  auto program = load(dynamicProgram(), functions);
  Filled weight(20, 7), x(10, 1), one(1, 1);
  EXPECT_FALSE(program->setWeight(0, weight.tensor()));
  Tensor inputs[] = {x.tensor()};
  std::vector<OwnedTensor> results;
  EXPECT_EQ(program->call(inputs, results).message(),
            "entry 'f': result 0 has strides, expected row-major order");
  Tensor single[] = {one.tensor()}; // the stride of one element does not matter
  EXPECT_FALSE(program->call(single, results));
}

static int64_t returnedSize = 0;
static void returnAnySize(Vector *result, Vector *) {
  auto *data = static_cast<int64_t *>(
      returnedSize ? std::aligned_alloc(64, 1024) : nullptr);
  *result = {data, data, 0, {returnedSize ? returnedSize : 4}, {1}};
}
static void returnInput(Vector *result, Vector *weight) { *result = *weight; }

TEST_F(ShapesTest, folds_that_return_something_else_fail) {
  Metadata metadata = dynamicProgram();
  metadata.foldedValues[0].type = vectorType(4);
  Functions functions;
  functions.add("f", returnSum);
  functions.add("f.fold_runtime.0", returnAnySize);
  auto program = load(metadata, functions);
  Filled weight(4, 7), x(4, 1);
  EXPECT_FALSE(program->setWeight(0, weight.tensor()));
  Tensor inputs[] = {x.tensor()};
  std::vector<OwnedTensor> results;
  returnedSize = 5;
  EXPECT_EQ(program->call(inputs, results).message(),
            "entry 'f': function 'f.fold_runtime.0' returned folded value 0 "
            "with shape 5, expected tensor<4xi64>");
  returnedSize = 0;
  Error error = program->call(inputs, results);
  EXPECT_EQ(error.code(), ErrorCode::FoldFailed);
  EXPECT_EQ(error.message(),
            "entry 'f': function 'f.fold_runtime.0' returned no data for "
            "folded value 0, expected tensor<4xi64>");
  EXPECT_EQ(foldedMemory().blocks, 0u);
  returnedSize = 4;
  EXPECT_FALSE(program->call(inputs, results));
}

TEST_F(ShapesTest, a_fold_that_returns_its_input_is_copied) {
  Functions functions;
  functions.add("f", returnSum);
  functions.add("f.fold_runtime.0", returnInput);
  auto program = load(dynamicProgram(), functions);
  auto weight = std::make_unique<Filled>(4, 7);
  Filled x(4, 1);
  EXPECT_FALSE(program->setWeight(0, weight->tensor()));
  std::vector<OwnedTensor> results;
  Tensor inputs[] = {x.tensor()};
  EXPECT_FALSE(program->call(inputs, results));
  weight->values.assign(4, 0);
  EXPECT_FALSE(program->call(inputs, results));
  EXPECT_EQ(results[0].data<int64_t>()[0], 8);
}
