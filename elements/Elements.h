//===- Elements.h - Shared, strided, lazily evaluated tensors ---*- C++ -*-===//
//
// `Elements` is a value: a handle to an immutable tensor of any element type.
// Copying a handle is O(1), whatever it stands for:
//  * a strided view (offset and strides, 0 = broadcast, negative = reversed) of
//    a shared Buffer: heap, mapped file, or computed on demand;
//  * a short program of elementwise steps over such views. Reading runs all
//    steps block by block in L1, each rounded to its element type, so a chain
//    of ten operators costs one pass over memory and no intermediate.
//
//   Elements x = Elements::fromValues<float>({2, 2}, {1, 2, 3, 4});
//   Elements y = map(x.transpose({1, 0}), [](auto v) { return v * 2; });
//   y.values<float>();                                       // 2 6 4 8
//
// Views (transpose, reshape where strides allow, expand, slice, split, squeeze)
// are O(rank) and touch no bytes, also of a deferred program. The rest are free
// functions in namespace onnxfold::ops, because mlir and std have functions of
// the same names (cast, map, all, any):
//
//   ops/Elementwise.h        map, zip, mapWide, zipWide, select, clip, cast;
//                            firstWhere, firstNotConvertible
//   ops/Arithmetic.h         add, multiply, minimum ...: what they mean for one
//                            element
//   ops/Math.h               wide::exp, wide::pow ... for mapWide and zipWide
//   ops/DataMovement.h       concat, tile, pad, gather*, scatter*, trilu,
//                            compress; firstOutOfRange
//   ops/Reduce.h             reduce, all, any, argReduce, topK, cumulativeSum,
//                            nonZero, softmax
//   ops/ReduceWith.h         reduceWith, scanWith: by functions of one's own
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
//   Spill.h                  spill: values that wait in a file
//   ir/                      attributes of MLIR, their text and bytecode
//
// Only total functions may be deferred: what can fail is checked before.
// Rank 0 is a scalar; a dimension of 0 makes an ordinary empty tensor.
// Sub-byte types hold one element a byte (see widenum/RATIONALE.md). Strings
// are llvm::StringRef whose characters the buffer owns.
//
// Thread safety: a handle is like a shared_ptr; what it refers to is immutable
// and may be read from any number of threads.
// Preconditions are the caller's to check (a kernel reports what a model does
// wrong before it calls); they are asserted.
//
// Null. A null handle is no tensor. A view or an operation of a null operand
// that it needs gives null, so that a chain need be checked only at its end:
//
//   Elements y = map(x, f).transpose({1, 0});
//   if (!y) ...                     // x was null, or map has no f for its type
//
// Two mistakes end the program with a message (llvm::report_fatal_error), in
// release builds too, at the cost of one comparison for each tensor: asking a
// null handle for its type, shape or elements, and reading elements as another
// type than theirs (values, value, ElementsArray, requireType).
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

/// One elementwise step: reads `arity` blocks, writes one. Its function object
/// is trivially copyable and lies in `closure`; what that points at, if it is
/// not static, is `owner`'s.
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
  Elements() = default; // null: no value

  explicit operator bool() const { return state != nullptr; }

  //===--- making -------------------------------------------------------===//

  /// All of `buffer` (from element `offset`) in row-major order.
  static Elements fromBuffer(DataType type, ShapeRef shape, BufferRef buffer,
                             int64_t offset = 0);

  /// A copy of `values`. T is the storage type: bool, int8_t, Float16, ...
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
  /// not initialised: how results that are needed at once are made.
  template <class T>
  static Elements
  build(ShapeRef shape,
        llvm::function_ref<void(llvm::MutableArrayRef<T>)> fill);

  /// A tensor whose bytes `compute` writes (all of them, row-major) when they
  /// are needed; at once if it is small. `compute` must be total, and own what
  /// it reads: `operands` names that, so that long chains of deferred tensors
  /// are cut before they exhaust the stack. Null if an operand is. The
  /// characters of strings must be owned by something `compute` holds.
  static Elements deferred(DataType type, ShapeRef shape,
                           llvm::ArrayRef<Elements> operands,
                           DeferredBuffer::Compute compute,
                           DeferredBuffer::Sample sample = nullptr);

  /// A tensor whose elements the caller computes: `read` writes elements
  /// [first, first + count), row-major, to `out`. Deferred; `read` is total,
  /// and is called from several threads at once.
  using BlockReader =
      std::function<void(int64_t first, int64_t count, void *out)>;
  static Elements fromReader(DataType type, ShapeRef shape, BlockReader read);

  /// One value everywhere; takes the memory of one element. What is not an
  /// element of the type is rounded to one, as cast does it.
  static Elements splat(DataType type, ShapeRef shape, WideNum value);
  template <class T> static Elements splat(ShapeRef shape, T value);

  //===--- asking -------------------------------------------------------===//

  DataType type() const { return known().type; }
  ShapeRef shape() const { return known().shape; }
  int64_t dim(int64_t axis) const { return shape()[axis]; }
  int64_t rank() const { return shape().size(); }
  int64_t size() const { return numElements(shape()); }
  /// Bytes in memory, if all were computed.
  uint64_t bytes() const { return size() * byteWidth(type()); }
  /// All elements are one and the same, known without looking at them.
  bool isSplat() const;
  /// Nothing has to be computed or moved to read it.
  bool isContiguous() const;
  /// Bytes of heap or file that keep this tensor alive (shared ones too).
  uint64_t retainedBytes() const;
  /// All bytes in row-major order where they lie, at any alignment, if they are
  /// there as long as this tensor lives; null if something must be computed,
  /// moved or mapped to read them (a Reader does that).
  const char *residentBytes() const;

  //===--- reading ------------------------------------------------------===//

  /// Elements [first, first + count) in row-major order into `out`, which is
  /// aligned as an array of the element type. Use a Reader for repeated reads,
  /// and read() of everything for parallel reading.
  void read(int64_t first, int64_t count, void *out) const;
  void read(void *out) const;
  /// Elements at a few positions, where that takes no tensor to be computed as a
  /// whole; false where it does, or would take long. Nothing is kept, and it
  /// counts as no use.
  bool sample(llvm::ArrayRef<int64_t> positions, void *out) const;
  bool sample(const SampleRequest &request) const;

  /// Ends the program, with a message, unless the elements have this type.
  void requireType(DataType expected) const {
    if (type() != expected) [[unlikely]]
      failOnType(expected);
  }
  /// All elements. Ends the program unless type() == dataTypeOf<T>.
  template <class T> std::vector<T> values() const;
  /// One element, by its row-major number. As values<T>().
  template <class T> T value(int64_t index = 0) const;
  WideNum number(int64_t index = 0) const;
  /// All elements of an integer tensor as int64. Ends the program unless it is
  /// one.
  llvm::SmallVector<int64_t> ints() const;

  /// The same tensor over one contiguous buffer of its size, computed now, in
  /// parallel; *this if it is that already.
  Elements materialize() const &;
  /// The same; this handle is null afterwards. Where it was the only one to a
  /// program, and the program the only one that refers to a leaf of the
  /// result's size in memory, the result is written over that, also if the leaf
  /// had to be computed first: one tensor in memory, not two.
  ///   x = std::move(x).materialize();
  Elements materialize() &&;

  /// The same tensor in little memory, for those that are kept by the million:
  /// a program of at most 256 bytes for which nothing has to be computed or
  /// mapped is run now. Others are *this.
  Elements compacted() const;

  /// All elements in row-major order, to be written over, if this is the only
  /// handle that refers to them and they are computed and in memory; else null.
  /// For operations that change a few elements of a tensor that dies:
  ///   Elements f(Elements x) { if (char *bytes = x.writableBytes()) ...
  char *writableBytes();

  /// Same type, shape, and bytes (NaN equals itself, 0 differs from -0).
  bool identicalTo(const Elements &other) const;

  //===--- views --------------------------------------------------------===//

  /// result[i...] dimension k is dimension perm[k] of this.
  Elements transpose(ShapeRef perm) const;
  /// Same elements in row-major order. A view where strides allow, else
  /// deferred. REQUIRES: the same number of elements.
  Elements reshape(ShapeRef shape) const;
  /// numpy.broadcast_to. REQUIRES: broadcastShapes(shape(), shape) == shape.
  Elements expand(ShapeRef shape) const;
  /// result[i] = this[starts + i * steps], for all axes; steps may be negative
  /// or 0. REQUIRES: every index read is inside.
  Elements slice(ShapeRef starts, ShapeRef sizes, ShapeRef steps) const;
  /// [start, start + size) of one axis. (A template, so that the braces of
  /// slice({a}, {b}, {c}) on rank 1 are lists and not numbers.)
  template <std::integral Axis>
  Elements slice(Axis axis, int64_t start, int64_t size) const {
    return sliceAxis(axis, start, size);
  }
  /// Slices of the given sizes, one after the other along an axis. REQUIRES:
  /// the sizes add up to the dimension.
  std::vector<Elements> split(int64_t axis, ShapeRef sizes) const;
  /// Without the given axes (each of size 1); REQUIRES: sorted or not, unique.
  Elements squeeze(ShapeRef axes) const;
  /// With dimensions of size 1 at `axes` of the result.
  Elements unsqueeze(ShapeRef axes) const;

  //===--- precision ----------------------------------------------------===//
  //
  // Each function rounds its results to their element type, so that a chain of
  // functions gives what a runtime computes operator by operator ("exact").
  // Functions of a *wide* tensor of f16, bf16, f32 keep double precision
  // instead, deferred or not, and give wide tensors: one wide operand is
  // enough. Comparisons and searches decide on the unrounded values. Whoever
  // reads elements, and every cast, finds them rounded. Integers are the same
  // in both modes.
  //
  //   Elements y = map(map(x.widened(), f), g);   // rounds once, after g

  /// The same tensor, wide if its type has a wide form; else itself.
  Elements widened() const;
  bool isWide() const { return wide != nullptr; }
  /// As f64: what is behind a wide tensor, not rounded; of others a cast.
  Elements unrounded() const;
  /// The rounded values of a wide tensor, which is wide no more.
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
    // Of a program: elements that others took into programs of their own, and
    // that readers computed; what both find once the program has been computed
    // often enough.
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
  // Null: not wide. The state itself: wide, and nothing was rounded yet (a
  // constant, also one that was moved). Else the f64 tensor that state rounds.
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

/// Applies a function of tensors to wide tensors (see Elements::widened): f of
/// the unrounded operands, rounded to their type, if any operand is wide; null
/// if none is. Operands of other types (indices, conditions), and results of
/// other types, are not widened.
///
///   if (Elements r = inWide({x, y}, [&](auto e) { return sum(e[0], e[1]); }))
///     return r;
Elements inWide(llvm::ArrayRef<Elements> operands,
                llvm::function_ref<Elements(llvm::ArrayRef<Elements>)> f);

/// The same for a function that only moves or compares elements: it works in
/// their own type as long as nothing was rounded yet, so that constants that
/// are moved keep their bytes, and take no more memory than in exact mode.
Elements movedInWide(llvm::ArrayRef<Elements> operands,
                     llvm::function_ref<Elements(llvm::ArrayRef<Elements>)> f);

/// Reads ranges of one tensor; pins its buffers while it lives. read() and
/// view() may be called from several threads at once.
class Elements::Reader {
public:
  /// Once: no element is read twice. Then bytes of a file are read in pieces
  /// that fit in the caches, which takes half the time of mapping them.
  enum class Access : uint8_t { Repeated, Once };

  explicit Reader(const Elements &elements, Access access = Access::Repeated);
  Reader(Reader &&) noexcept;
  ~Reader();

  /// Elements [first, first + count), row-major, to `out` (aligned as an array
  /// of the element type).
  void read(int64_t first, int64_t count, void *out) const;

  /// The same elements where they lie, if that is possible, else in `scratch`.
  const void *view(int64_t first, int64_t count, void *scratch) const;

  /// All elements, on several threads.
  void readAll(void *out) const;

  /// All bytes where they lie, if they are contiguous and aligned, else null.
  const void *contiguous() const;
  /// As contiguous(), at any alignment.
  const char *contiguousBytes() const;

  /// Ranges of a multiple of this many elements are read fastest.
  int64_t preferredGrain() const;
  /// Short ranges cost much more than their share of the whole.
  bool isTransposing() const;

private:
  struct Plan;
  std::unique_ptr<Plan> plan;
};

/// The bytes of all elements: where they lie if possible (at any alignment),
/// else in a copy. Pins what it needs.
class ElementsBytes {
public:
  explicit ElementsBytes(const Elements &elements, bool aligned = false);
  const char *data() const { return bytes; }

private:
  Elements resident; ///< they lie there
  std::optional<Elements::Reader> reader;
  llvm::IntrusiveRefCntPtr<HeapBuffer> copy;
  const char *bytes;
};

/// All elements as an array: where they lie if possible, else a copy. Ends the
/// program unless they have type T.
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
