//===- Elements.h - Shared, strided, lazily evaluated tensors ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `Elements` is a value: a handle to an immutable tensor of any element type.
// Copying a handle is O(1). A tensor is one of these:
//  * a strided view (offset and strides, 0 = broadcast, negative = reversed) of
//    a shared Buffer, whose bytes are in the heap, in a mapped file, or
//    computed on demand;
//  * a short program of elementwise steps over such views. Reading runs all
//    steps block by block in L1, each rounded to its element type, so a chain
//    of ten operators costs one pass over memory and no intermediate tensor.
//
//   Elements x = Elements::fromValues<float>({2, 2}, {1, 2, 3, 4});
//   Elements y = map(x.transpose({1, 0}), [](auto v) { return v * 2; });
//   y.values<float>();                                       // 2 6 4 8
//
// Views (transpose, reshape where strides allow, expand, slice, split, squeeze)
// take O(rank) and touch no bytes, also views of a deferred program. All other
// operations are free functions in namespace onnxfold::ops, because mlir and
// std have functions of the same names (cast, map, all, any):
//
//   ops/Elementwise.h        map, zip, mapWide, zipWide, select, clip, cast;
//                            firstWhere, firstNotConvertible
//   ops/Arithmetic.h         add, multiply, minimum ... of one element
//   ops/Math.h               wide::exp, wide::pow ... for mapWide and zipWide
//   ops/DataMovement.h       concat, tile, pad, gather*, scatter*, trilu,
//                            compress; firstOutOfRange
//   ops/Reduce.h             reduce, all, any, argReduce, topK, cumulativeSum,
//                            nonZero, softmax
//   ops/ReduceWith.h         reduceWith, scanWith: with the user's functions
//   ops/Sort.h               sort, argSort, unique
//   ops/MatMul.h             matmul, gemm
//   ops/Contraction.h        diagonals, contract: Einstein summation
//   ops/Determinant.h        determinants
//   ops/Quantize.h           quantize, dequantize
//   ops/StringText.h         concatStrings, pieces of text
//   ops/StringCast.h         parseStrings, formatStrings
//   ops/Generate.h           range, iota, oneHot, eye
//   ops/ContentHash.h        contentHash
//   ops/EqualValues.h        EqualValues: equal tensors, found by their hash
//   nn/Pooling.h             windowSums, windowMaxima: windows of any number of
//                            dimensions
//   nn/Convolution.h         convolve, convolveTransposed, sumOverlaps
//   nn/DeformableConv.h      deformableColumns
//   nn/RoiPooling.h          roiAlign, maxRoiPool
//   nn/NonMaxSuppression.h   nonMaxSuppression
//   nn/Interpolation.h       axisWeights, interpolateAxis, sampling at points
//   nn/Recurrence.h          cells that run along sequences
//   nn/Fourier.h             discrete Fourier transforms of any length
//   memory/Memory.h          limits and statistics
//   memory/Parallel.h        the threads to use
//   Spill.h                  spill: tensors whose bytes are in a file
//   ir/                      attributes of MLIR, their text and bytecode
//
// Only total functions may be deferred; the caller checks before whether a
// function can fail. A tensor of rank 0 is a scalar; a tensor with a dimension
// of 0 is empty, and ordinary input. Elements of sub-byte types take a byte
// each (see widenum/RATIONALE.md). Strings are llvm::StringRef whose characters
// the buffer owns.
//
// Thread safety: a handle is like a shared_ptr; the tensor that it refers to is
// immutable and may be read from any number of threads.
// The caller checks preconditions (a kernel reports errors of a model before it
// calls); they are asserted.
//
// Null. A null handle refers to no tensor. A view or an operation gives null if
// an operand that it needs is null, so that only the end of a chain must be
// checked:
//
//   Elements y = map(x, f).transpose({1, 0});
//   if (!y) ...                     // x was null, or map has no f for its type
//
// Two mistakes end the program with a message (llvm::report_fatal_error), in
// release builds too: asking a null handle for its type, shape or elements, and
// reading elements as another type than theirs (values, value, ElementsArray,
// requireType). The check costs one comparison for each tensor.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_ELEMENTS_H
#define ONNXFOLD_ELEMENTS_ELEMENTS_H

#include "onnxfold/elements/Shape.h"
#include "onnxfold/elements/memory/Buffer.h"
#include "onnxfold/widenum/DataType.h"
#include "onnxfold/widenum/WideNum.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <cassert>
#include <concepts>
#include <vector>

namespace onnxfold {

/// A strided view of a buffer, as a program reads it.
struct ElementsLeaf {
  BufferRef buffer;
  DataType type;
  int64_t offset; // in elements, of the element whose indices are all 0
  Shape strides;
};

/// One elementwise step: it reads `arity` blocks and writes one. Its function
/// object is trivially copyable and stored in `closure`. `owner` owns the
/// objects that the closure points at, unless they are static.
struct ElementsStep {
  using Function = void (*)(const void *closure, const void *const *in,
                            void *out, size_t count);
  static constexpr size_t closureSize = 32;

  Function function = nullptr; // null: push leaf number `leaf`
  DataType type = DataType::Undefined;
  uint8_t arity = 0;
  uint8_t leaf = 0;
  alignas(8) char closure[closureSize] = {};
  std::shared_ptr<const void> owner;
};

class Elements {
public:
  Elements() = default; // null: no tensor

  explicit operator bool() const { return state != nullptr; }

  //===--- making -------------------------------------------------------===//

  /// All of `buffer` (from element `offset`) in row-major order.
  static Elements fromBuffer(DataType type, ShapeRef shape, BufferRef buffer,
                             int64_t offset = 0);

  /// A copy of `values`. T is the C++ type of the element type: bool, int8_t,
  /// Float16, ...
  template <class T>
  static Elements fromValues(ShapeRef shape, llvm::ArrayRef<T> values);
  template <class T>
  static Elements fromValues(ShapeRef shape, std::initializer_list<T> values) {
    return fromValues<T>(shape, llvm::ArrayRef<T>(values));
  }

  /// A copy of `values` and their characters.
  static Elements fromStrings(ShapeRef shape,
                              llvm::ArrayRef<llvm::StringRef> values);

  /// A tensor whose elements `fill` writes, all of them, into memory that is
  /// not initialised. It is for results that are needed at once.
  template <class T>
  static Elements
  build(ShapeRef shape,
        llvm::function_ref<void(llvm::MutableArrayRef<T>)> fill);

  /// A tensor whose bytes `compute` writes (all of them, row-major) when they
  /// are needed, or at once if it is small. `compute` must be total, and own
  /// the tensors that it reads. `operands` names these tensors, so that long
  /// chains of deferred tensors are cut before they exhaust the stack. The
  /// result is null if an operand is null. An object that `compute` holds must
  /// own the characters of strings.
  static Elements deferred(DataType type, ShapeRef shape,
                           llvm::ArrayRef<Elements> operands,
                           DeferredBuffer::Compute compute,
                           DeferredBuffer::Sample sample = nullptr);

  /// A deferred tensor whose elements the caller computes: `read` writes
  /// elements [first, first + count), row-major, to `out`. `read` must be
  /// total, and is called from several threads at once.
  using BlockReader =
      std::function<void(int64_t first, int64_t count, void *out)>;
  static Elements fromReader(DataType type, ShapeRef shape, BlockReader read);

  /// A tensor whose elements all have one value. It takes the memory of one
  /// element. The value is converted to the type as by cast.
  static Elements splat(DataType type, ShapeRef shape, WideNum value);
  template <class T> static Elements splat(ShapeRef shape, T value);

  //===--- asking -------------------------------------------------------===//

  DataType type() const { return known().type; }
  ShapeRef shape() const { return known().shape; }
  int64_t dim(int64_t axis) const { return shape()[axis]; }
  int64_t rank() const { return shape().size(); }
  int64_t size() const { return numElements(shape()); }
  /// The bytes of all elements, computed or not.
  uint64_t bytes() const { return size() * byteWidth(type()); }
  /// Whether all elements are known to be equal without reading them.
  bool isSplat() const;
  /// Whether the tensor is a contiguous row-major part of one buffer (which may
  /// be a file, or computed on demand).
  bool isContiguous() const;
  /// The sum of the sizes of the buffers that this tensor refers to, also if
  /// other tensors share them.
  uint64_t retainedBytes() const;
  /// The address of all bytes in row-major order, at any alignment, if they are
  /// readable in place as long as this tensor lives. Null if they must be
  /// computed, copied or mapped first (a Reader does that).
  const char *residentBytes() const;

  //===--- reading ------------------------------------------------------===//

  /// Writes elements [first, first + count) in row-major order to `out`, which
  /// is aligned as an array of the element type. Use a Reader for repeated
  /// reads. read(out) reads all elements, on several threads.
  void read(int64_t first, int64_t count, void *out) const;
  void read(void *out) const;
  /// Writes the elements at a few positions (row-major numbers) to `out`. False
  /// if a tensor would have to be computed as a whole for that, or if it would
  /// take long. The call keeps nothing, and does not count as a use.
  bool sample(llvm::ArrayRef<int64_t> positions, void *out) const;
  bool sample(const SampleRequest &request) const;

  /// Ends the program with a message unless the elements have this type.
  void requireType(DataType expected) const {
    if (type() != expected) [[unlikely]]
      failOnType(expected);
  }
  /// All elements. Ends the program unless type() == dataTypeOf<T>.
  template <class T> std::vector<T> values() const;
  /// The element of a row-major number. Ends the program as values<T>() does.
  template <class T> T value(int64_t index = 0) const;
  /// The same as a number of any type.
  WideNum number(int64_t index = 0) const;
  /// All elements of an integer tensor as int64. Ends the program for another
  /// type.
  llvm::SmallVector<int64_t> ints() const;

  /// The same tensor over one contiguous buffer of its size, which is computed
  /// now, in parallel; *this if the tensor is that already.
  Elements materialize() const &;
  /// The same; this handle is null afterwards. The result overwrites a leaf of
  /// its size in memory if this handle is the only one to a program, and the
  /// program has the only reference to the leaf, also if the leaf is computed
  /// first. So one tensor is in memory, not two.
  ///   x = std::move(x).materialize();
  Elements materialize() &&;

  /// The same tensor in little memory, for tensors that are kept by the
  /// million. A program of at most 256 bytes whose leaves are readable in place
  /// is run now. For any other tensor the result is *this.
  Elements compacted() const;

  /// All elements in row-major order as writable memory, if this handle is the
  /// only reference to them and they are computed and in memory; else null
  /// (also for strings and wide tensors). It is for operations that change a
  /// few elements of an operand that has no other use:
  ///   Elements f(Elements x) { if (char *bytes = x.writableBytes()) ...
  char *writableBytes();

  /// Whether type, shape, and bytes are equal (a NaN equals the same NaN, and 0
  /// differs from -0).
  bool identicalTo(const Elements &other) const;

  //===--- views --------------------------------------------------------===//

  /// numpy.transpose: dimension k of the result is dimension perm[k] of this.
  Elements transpose(ShapeRef perm) const;
  /// The same elements in row-major order. The result is a view where strides
  /// allow it, else deferred. REQUIRES: the same number of elements.
  Elements reshape(ShapeRef shape) const;
  /// numpy.broadcast_to. REQUIRES: broadcastShapes(shape(), shape) == shape.
  Elements expand(ShapeRef shape) const;
  /// result[i] = this[starts + i * steps], for all axes. Steps may be negative
  /// or 0. REQUIRES: every index that is read is inside the shape.
  Elements slice(ShapeRef starts, ShapeRef sizes, ShapeRef steps) const;
  /// The indices [start, start + size) of one axis. (This is a template, so
  /// that the braces of slice({a}, {b}, {c}) on rank 1 are lists and not
  /// numbers.)
  template <std::integral Axis>
  Elements slice(Axis axis, int64_t start, int64_t size) const {
    return sliceAxis(axis, start, size);
  }
  /// Slices of the given sizes, one after the other along an axis. REQUIRES:
  /// the sizes add up to the dimension.
  std::vector<Elements> split(int64_t axis, ShapeRef sizes) const;
  /// The tensor without the given axes, in any order. REQUIRES: each has size
  /// 1; they are unique.
  Elements squeeze(ShapeRef axes) const;
  /// The tensor with dimensions of size 1 at `axes` of the result.
  Elements unsqueeze(ShapeRef axes) const;

  //===--- precision ----------------------------------------------------===//
  //
  // Each function rounds its results to their element type, so that a chain of
  // functions gives the results of a runtime that computes operator by operator
  // (the "exact" mode). If an operand is a *wide* tensor of f16, bf16 or f32,
  // functions keep double precision instead, and give wide tensors, deferred or
  // not. Comparisons and searches use the unrounded values. Readers of elements
  // and casts get rounded values. Integers are the same in both modes.
  //
  //   Elements y = map(map(x.widened(), f), g);   // rounds once, after g

  /// The same tensor, made wide if its type has a wide form.
  Elements widened() const;
  bool isWide() const { return wide != nullptr; }
  /// The f64 values of a wide tensor before rounding; a cast to f64 of another
  /// tensor.
  Elements unrounded() const;
  /// The rounded values of a wide tensor, as a tensor that is not wide.
  Elements narrowed() const;
  /// A wide tensor of `type` with these f64 values.
  static Elements rounded(const Elements &values, DataType type);

  //===--- programs (Elementwise.h is the way to use them) ---------------===//

  /// A program that applies `step` to `operands`, all of `shape`.
  static Elements apply(const ElementsStep &step, ShapeRef shape,
                        llvm::ArrayRef<Elements> operands);

  class Reader;

private:
  struct State : llvm::ThreadSafeRefCountedBase<State> {
    DataType type;
    Shape shape;
    llvm::SmallVector<ElementsLeaf, 1> leaves;
    llvm::SmallVector<ElementsStep, 0> steps; // postfix; empty: the only leaf
    // How many elements of a program other programs fused, and how many readers
    // computed. Both use the leaf once the program has been computed often
    // enough.
    struct Sharing {
      std::atomic<int64_t> elementsFused = 0, elementsRead = 0;
      std::mutex mutex; // guards leaf
      llvm::IntrusiveRefCntPtr<State> leaf;
    };
    std::atomic<Sharing *> shared = nullptr; // most tensors never need it
    Sharing &sharing();
    llvm::IntrusiveRefCntPtr<State> existingLeaf();
    bool hasComputedLeaf();
    void addBuffers(llvm::SmallVectorImpl<Buffer *> &buffers);
    ~State() { delete shared.load(std::memory_order_relaxed); }
  };
  llvm::IntrusiveRefCntPtr<State> state;
  // Null: not wide. The state itself: wide, but no value was rounded yet (a
  // constant, or moved elements of one). Else the f64 tensor that state rounds.
  llvm::IntrusiveRefCntPtr<State> wide;

  const State &known() const {
    if (!state) [[unlikely]]
      failOnNull();
    return *state;
  }
  [[noreturn]] static void failOnNull();
  [[noreturn]] void failOnType(DataType expected) const;

  Elements view(ShapeRef shape,
                llvm::function_ref<void(ElementsLeaf &)> change) const;
  Elements sliceAxis(int64_t axis, int64_t start, int64_t size) const;
  Elements copyState() const;
  Elements asOperand(int64_t count) const;
  Elements asLeaf() const;
  Buffer *wholeBuffer() const;
  llvm::IntrusiveRefCntPtr<HeapBuffer> takeDyingLeaf();
  static Elements compose(const ElementsStep &step, ShapeRef shape,
                          llvm::ArrayRef<Elements> operands);
  static int64_t numComputed(const Elements &e);
  static llvm::SmallVector<Elements, 3>
  shortened(ShapeRef shape, llvm::ArrayRef<Elements> operands);

  using Function = llvm::function_ref<Elements(llvm::ArrayRef<Elements>)>;
  static Elements lifted(llvm::ArrayRef<Elements> operands, Function f,
                         bool moves);
  friend Elements inWide(llvm::ArrayRef<Elements> operands, Function f);
  friend Elements movedInWide(llvm::ArrayRef<Elements> operands, Function f);
  friend Elements spill(const Elements &x);
};

/// Applies a function of tensors to wide tensors (see Elements::widened). If an
/// operand is wide, the result is f of the unrounded operands, as a wide tensor
/// of their type; if none is, it is null. Operands of other types (indices,
/// conditions), and results of other types, are not widened.
///
///   if (Elements r = inWide({x, y}, [&](auto e) { return sum(e[0], e[1]); }))
///     return r;
Elements inWide(llvm::ArrayRef<Elements> operands,
                llvm::function_ref<Elements(llvm::ArrayRef<Elements>)> f);

/// The same for a function that only moves or compares elements. It works in
/// the elements' own type as long as no value was rounded yet, so that moved
/// constants keep their bytes, and take no more memory than in exact mode.
Elements movedInWide(llvm::ArrayRef<Elements> operands,
                     llvm::function_ref<Elements(llvm::ArrayRef<Elements>)> f);

/// Reads ranges of one tensor, and pins its buffers while it is alive. read()
/// and view() may be called from several threads at once.
class Elements::Reader {
public:
  /// Once: the caller reads no element twice. Bytes of a file are then read
  /// without a mapping and its page faults, if they fit in the caches: in pieces,
  /// or as a whole where the elements are in another order than the bytes.
  enum class Access : uint8_t { Repeated, Once };

  explicit Reader(const Elements &elements, Access access = Access::Repeated);
  Reader(Reader &&) noexcept;
  ~Reader();

  /// Writes elements [first, first + count), row-major, to `out`, which is
  /// aligned as an array of the element type.
  void read(int64_t first, int64_t count, void *out) const;

  /// The address of the same elements in place, if that is possible; else they
  /// are written to `scratch`.
  const void *view(int64_t first, int64_t count, void *scratch) const;

  /// Writes all elements to `out`, on several threads.
  void readAll(void *out) const;

  /// The address of all bytes in place, if they are contiguous and aligned;
  /// else null.
  const void *contiguous() const;
  /// As contiguous(), at any alignment.
  const char *contiguousBytes() const;

  /// Ranges whose length is a multiple of this are read fastest.
  int64_t preferredGrain() const;
  /// Whether short ranges cost much more than their share of the whole.
  bool isTransposing() const;

private:
  struct Plan;
  std::unique_ptr<Plan> plan;
};

/// The bytes of all elements: in place if possible, else in a copy. They are
/// aligned only if `aligned` says so. Readable while this object is alive.
class ElementsBytes {
public:
  explicit ElementsBytes(const Elements &elements, bool aligned = false);
  const char *data() const { return bytes; }

private:
  Elements resident; ///< the owner of bytes in place
  std::optional<Elements::Reader> reader;
  llvm::IntrusiveRefCntPtr<HeapBuffer> copy;
  const char *bytes;
};

/// All elements as an array: in place if possible, else a copy. It is readable
/// while this object is alive. The program ends unless T is the element type.
///   ElementsArray<float> x(elements);  x[i];
template <class T> class ElementsArray {
public:
  explicit ElementsArray(const Elements &elements)
      : bytes(checked(elements), /*aligned=*/true), count(elements.size()) {}
  const T *data() const { return reinterpret_cast<const T *>(bytes.data()); }
  const T &operator[](int64_t i) const { return data()[i]; }
  int64_t size() const { return count; }
  const T *begin() const { return data(); }
  const T *end() const { return data() + count; }
  operator llvm::ArrayRef<T>() const { return {data(), size_t(count)}; }

private:
  static const Elements &checked(const Elements &elements) {
    elements.requireType(dataTypeOf<T>);
    return elements;
  }

  ElementsBytes bytes;
  int64_t count;
};

//===----------------------------------------------------------------------===//

template <class T>
Elements
Elements::build(ShapeRef shape,
                llvm::function_ref<void(llvm::MutableArrayRef<T>)> fill) {
  size_t count = numElements(shape);
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(count * sizeof(T));
  fill({reinterpret_cast<T *>(buffer->data()), count});
  return fromBuffer(dataTypeOf<T>, shape, buffer);
}

template <class T>
Elements Elements::fromValues(ShapeRef shape, llvm::ArrayRef<T> values) {
  assert(numElements(shape) == int64_t(values.size()));
  return build<T>(shape, [&](llvm::MutableArrayRef<T> out) {
    std::copy(values.begin(), values.end(), out.begin());
  });
}

template <class T> Elements Elements::splat(ShapeRef shape, T value) {
  return fromValues<T>({}, llvm::ArrayRef<T>(value)).expand(shape);
}

template <class T> std::vector<T> Elements::values() const {
  requireType(dataTypeOf<T>);
  if constexpr (std::is_same_v<T, bool>) {
    ElementsArray<bool> array(*this);
    return std::vector<bool>(array.begin(), array.end());
  } else {
    std::vector<T> result(size());
    read(result.data());
    return result;
  }
}

template <class T> T Elements::value(int64_t index) const {
  requireType(dataTypeOf<T>);
  assert(index < size());
  T result;
  read(index, 1, &result);
  return result;
}

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_ELEMENTS_H
