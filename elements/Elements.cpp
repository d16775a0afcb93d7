//===- Elements.cpp - Shared, strided, lazily evaluated tensors -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/internal/StridedCopy.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/memory/internal/MemoryCounters.h"
#include "onnxfold/widenum/Convert.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <cstring>

using namespace onnxfold;

/// Results up to this size are computed at once: they cost less than the
/// closures that would compute them later.
static constexpr uint64_t eagerBytes = 32 << 10;

/// Deferred results nested deeper than this are computed at once: reading them
/// later would take that many frames of the stack, a few kilobytes each.
static constexpr unsigned maxDepth = 50;

namespace {

/// Few bytes and their buffer in one piece of memory.
class SmallBuffer final : public Buffer {
public:
  static llvm::IntrusiveRefCntPtr<SmallBuffer> make(uint64_t size) {
    return new (::operator new(sizeof(SmallBuffer) + size)) SmallBuffer(size);
  }
  ~SmallBuffer() override {
    detail::memoryCounters().addSmall(-int64_t(size()));
  }
  void operator delete(void *memory) { ::operator delete(memory); }

  char *data() { return reinterpret_cast<char *>(this + 1); }
  const char *acquire() override { return data(); }
  void release() override {}
  const char *residentBytes() const override {
    return reinterpret_cast<const char *>(this + 1);
  }

private:
  explicit SmallBuffer(uint64_t size) : Buffer(size) {
    detail::memoryCounters().addSmall(size);
  }
};
static_assert(sizeof(SmallBuffer) % 8 == 0, "elements follow it");

} // namespace

/// Shapes, axes, scalars, of which models have millions. Strings have
/// characters elsewhere; what needs more alignment than memory has is rare.
static bool isSmall(DataType type, uint64_t bytes) {
  return bytes <= 256 && type != DataType::String && byteWidth(type) <= 8;
}

void Elements::failOnNull() {
  llvm::report_fatal_error(
      "a null Elements has no type, shape or elements: it must be checked "
      "before it is asked for them");
}

void Elements::failOnType(DataType expected) const {
  llvm::report_fatal_error(llvm::Twine("the elements of a tensor of type ") +
                           name(type()) + " were read as " + name(expected));
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

Elements Elements::fromBuffer(DataType type, ShapeRef shape, BufferRef buffer,
                              int64_t offset) {
  assert(uint64_t(offset + numElements(shape)) * byteWidth(type) <=
         buffer->size());
  Elements result;
  result.state = llvm::makeIntrusiveRefCnt<State>();
  result.state->type = type;
  result.state->shape = Shape(shape);
  result.state->leaves.push_back(
      {std::move(buffer), type, offset, rowMajorStrides(shape)});
  return result;
}

Elements Elements::fromStrings(ShapeRef shape,
                               llvm::ArrayRef<llvm::StringRef> values) {
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(values.size() *
                                                      sizeof(llvm::StringRef));
  size_t total = 0;
  for (llvm::StringRef value : values)
    total += value.size();
  auto characters = std::make_shared<std::vector<char>>(total);
  char *next = characters->data();
  auto *out = reinterpret_cast<llvm::StringRef *>(buffer->data());
  for (llvm::StringRef value : values) {
    std::copy(value.begin(), value.end(), next);
    *out++ = llvm::StringRef(next, value.size());
    next += value.size();
  }
  buffer->keepAlive = characters;
  return fromBuffer(DataType::String, shape, buffer);
}

Elements Elements::deferred(DataType type, ShapeRef shape,
                            llvm::ArrayRef<Elements> operands,
                            DeferredBuffer::Compute compute,
                            DeferredBuffer::Sample sample) {
  if (!llvm::all_of(operands, [](const Elements &e) { return bool(e); }))
    return {};
  uint64_t bytes = numElements(shape) * byteWidth(type);
  if (bytes > eagerBytes && type != DataType::String) {
    unsigned depth = 0;
    llvm::SmallVector<State *, 2> states;
    for (const Elements &operand : operands) {
      states.push_back(operand.state.get());
      if (operand.wide && operand.wide != operand.state)
        states.push_back(operand.wide.get());
      for (const ElementsLeaf &leaf : operand.state->leaves)
        depth = std::max(depth, leaf.buffer->depth());
    }
    DeferredBuffer::Operands buffers;
    if (depth != 0)
      buffers = [states](llvm::SmallVectorImpl<Buffer *> &buffers) {
        for (State *state : states)
          state->addBuffers(buffers);
      };
    auto buffer = llvm::makeIntrusiveRefCnt<DeferredBuffer>(
        bytes, std::move(compute), depth + 1, std::move(buffers));
    buffer->setSample(std::move(sample));
    if (depth >= maxDepth)
      buffer->settle();
    return fromBuffer(type, shape, std::move(buffer));
  }
  if (isSmall(type, bytes)) {
    auto buffer = SmallBuffer::make(bytes);
    compute(buffer->data());
    return fromBuffer(type, shape, std::move(buffer));
  }
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes);
  compute(buffer->data());
  if (type == DataType::String)
    buffer->keepAlive =
        std::make_shared<DeferredBuffer::Compute>(std::move(compute));
  return fromBuffer(type, shape, std::move(buffer));
}

Elements Elements::fromReader(DataType type, ShapeRef shape, BlockReader read) {
  constexpr int64_t grain = 64 << 10;
  int64_t count = numElements(shape);
  unsigned width = byteWidth(type);
  return deferred(type, shape, {},
                  [read = std::move(read), count, width](char *out) {
                    parallelFor(count, grain, [&](int64_t begin, int64_t end) {
                      read(begin, end - begin, out + begin * width);
                    });
                  });
}

Elements Elements::splat(DataType type, ShapeRef shape, WideNum value) {
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(byteWidth(type));
  // An infinity is an element of f8E5M2: nothing to saturate.
  CastOptions options;
  options.saturate =
      type != DataType::Float8E5M2 || !std::isinf(value.to<double>());
  value.store(type, buffer->data(), options);
  return fromBuffer(type, {}, buffer).expand(shape);
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

bool Elements::isSplat() const {
  return llvm::all_of(known().leaves, [&](const ElementsLeaf &leaf) {
    return llvm::all_of(
        llvm::zip_equal(state->shape, leaf.strides),
        [](auto p) { return std::get<0>(p) <= 1 || std::get<1>(p) == 0; });
  });
}

static bool isRowMajor(ShapeRef shape, ShapeRef strides) {
  int64_t expected = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] != 1 && strides[d] != expected)
      return false;
    expected *= shape[d];
  }
  return true;
}

bool Elements::isContiguous() const {
  return known().steps.empty() &&
         (size() == 0 || isRowMajor(shape(), state->leaves[0].strides));
}

uint64_t Elements::retainedBytes() const {
  llvm::SmallVector<const Buffer *, 4> counted;
  uint64_t total = 0;
  for (const ElementsLeaf &leaf : known().leaves) {
    if (llvm::is_contained(counted, leaf.buffer.get()))
      continue;
    counted.push_back(leaf.buffer.get());
    total += leaf.buffer->size();
  }
  return total;
}

const char *Elements::residentBytes() const {
  const ElementsLeaf &leaf = known().leaves[0];
  const char *bytes = isContiguous() ? leaf.buffer->residentBytes() : nullptr;
  return bytes ? bytes + leaf.offset * byteWidth(leaf.type) : nullptr;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Elements follow each other. (StridedCopy finds more such cases, and takes
/// longer.)
void Elements::read(int64_t first, int64_t count, void *out) const {
  if (count <= 0) // `out` may be null then
    return;
  const ElementsLeaf &leaf = known().leaves[0];
  const char *bytes = state->steps.empty() && isRowMajor(shape(), leaf.strides)
                          ? leaf.buffer->residentBytes()
                          : nullptr;
  if (!bytes)
    return Reader(*this).read(first, count, out);
  // Shapes and scalars, which are read often.
  assert(first >= 0 && first + count <= size());
  unsigned width = byteWidth(leaf.type);
  std::memcpy(out, bytes + (leaf.offset + first) * width, count * width);
}

void Elements::read(void *out) const {
  // A deferred buffer computes right where the elements are wanted.
  if (Buffer *whole = wholeBuffer())
    if (whole->computeInto(static_cast<char *>(out)))
      return;
  // Beside a few bytes a reader is dear.
  constexpr uint64_t fewBytes = 4096;
  if (bytes() <= fewBytes)
    return read(0, size(), out);
  Reader(*this).readAll(out);
}

WideNum Elements::number(int64_t index) const {
  alignas(16) char bytes[16];
  read(index, 1, bytes);
  return WideNum::from(type(), bytes);
}

llvm::SmallVector<int64_t> Elements::ints() const {
  if (!isInteger(type()))
    failOnType(DataType::Int64);
  llvm::SmallVector<int64_t> result(size());
  ElementsBytes bytes(*this);
  convertBlock(DataType::Int64, result.data(), type(), bytes.data(), size());
  return result;
}

/// The buffer that holds exactly these elements, in order, or null.
Buffer *Elements::wholeBuffer() const {
  Buffer *buffer = known().leaves[0].buffer.get();
  return isContiguous() && buffer->size() == bytes() ? buffer : nullptr;
}

/// Waits for what others did with memory before they let go of it: a count of
/// one is read without order. A read-modify-write of the count is what
/// ThreadSanitizer understands too.
template <class T> static bool isOnlyReference(const T &object) {
  if (object.UseCount() != 1)
    return false;
  object.Retain();
  object.Release();
  return true;
}

/// The memory of a leaf that nobody else refers to and that is read in the
/// order in which a result of its size is written, or null. REQUIRES: a
/// program.
llvm::IntrusiveRefCntPtr<HeapBuffer> Elements::takeDyingLeaf() {
  if (!isOnlyReference(*state))
    return nullptr;
  for (ElementsLeaf &leaf : state->leaves) {
    if (leaf.offset != 0 || leaf.buffer->size() != bytes() ||
        byteWidth(leaf.type) != byteWidth(type()) ||
        !StridedCopy(shape(), leaf.strides, 1).isContiguous() ||
        !isOnlyReference(*leaf.buffer))
      continue;
    if (llvm::IntrusiveRefCntPtr<HeapBuffer> heap = leaf.buffer->takeHeap()) {
      leaf.buffer = heap;
      return heap;
    }
  }
  return nullptr;
}

Elements Elements::materialize() && {
  if (!state)
    return {};
  if (isWide()) {
    DataType type = this->type();
    bool inType = wide == state;
    Elements values = inType ? narrowed() : unrounded();
    *this = Elements(); // so that values is the only handle, if this was
    values = std::move(values).materialize();
    return inType ? values.widened() : rounded(values, type);
  }
  Elements dying = std::move(*this); // which must not be read any more
  if (!dying.state->steps.empty() && dying.type() != DataType::String)
    if (auto heap = dying.takeDyingLeaf()) {
      Reader(dying).readAll(heap->data());
      return fromBuffer(dying.type(), dying.shape(), std::move(heap));
    }
  return std::as_const(dying).materialize();
}

char *Elements::writableBytes() {
  if (wide || type() == DataType::String || !isOnlyReference(*state))
    return nullptr;
  Buffer *whole = wholeBuffer();
  if (!whole || whole->depth() != 0 || !isOnlyReference(*whole))
    return nullptr;
  llvm::IntrusiveRefCntPtr<HeapBuffer> heap = whole->takeHeap();
  if (!heap)
    return nullptr;
  state->leaves[0].buffer = heap;
  return heap->data();
}

Elements Elements::materialize() const & {
  if (!state)
    return {};
  if (Elements r =
          movedInWide(*this, [&](auto e) { return e[0].materialize(); }))
    return r;
  if (Buffer *whole = wholeBuffer()) {
    whole->settle();
    return *this;
  }
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes());
  read(buffer->data());
  if (type() == DataType::String)
    buffer->keepAlive = std::make_shared<Elements>(*this);
  return fromBuffer(type(), shape(), std::move(buffer));
}

Elements Elements::compacted() const {
  if (!state || isWide() || state->steps.empty() || !isSmall(type(), bytes()) ||
      llvm::any_of(state->leaves, [](const ElementsLeaf &leaf) {
        return !leaf.buffer->residentBytes();
      }))
    return *this;
  auto buffer = SmallBuffer::make(bytes());
  read(buffer->data());
  return fromBuffer(type(), shape(), std::move(buffer));
}

ElementsBytes::ElementsBytes(const Elements &elements, bool aligned) {
  // Shapes and scalars, which are read often: a reader is dear beside them.
  bytes = elements.residentBytes();
  unsigned alignment = aligned ? std::min(byteWidth(elements.type()), 8u) : 1;
  if (bytes && reinterpret_cast<uintptr_t>(bytes) % alignment == 0) {
    resident = elements;
    return;
  }
  reader.emplace(elements);
  bytes = aligned ? static_cast<const char *>(reader->contiguous())
                  : reader->contiguousBytes();
  if (bytes)
    return;
  copy = llvm::makeIntrusiveRefCnt<HeapBuffer>(elements.bytes());
  reader->readAll(copy->data());
  bytes = copy->data();
  // Strings live in what the reader pins; nothing else is needed any more.
  if (elements.type() != DataType::String)
    reader.reset();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Elements Elements::copyState() const {
  Elements result;
  result.state = llvm::makeIntrusiveRefCnt<State>();
  result.state->type = state->type;
  result.state->shape = state->shape;
  result.state->leaves = state->leaves;
  result.state->steps = state->steps;
  return result;
}

Elements Elements::view(ShapeRef shape,
                        llvm::function_ref<void(ElementsLeaf &)> change) const {
  Elements result = copyState();
  result.state->shape = Shape(shape);
  for (ElementsLeaf &leaf : result.state->leaves)
    change(leaf);
  return result;
}

Elements Elements::transpose(ShapeRef perm) const {
  if (!state)
    return {};
  assert(isPermutation(perm, rank()));
  if (Elements r =
          movedInWide(*this, [&](auto e) { return e[0].transpose(perm); }))
    return r;
  auto permuted = [&](ShapeRef list) {
    return Shape(llvm::map_range(perm, [&](int64_t p) { return list[p]; }));
  };
  return asOperand(size()).view(permuted(shape()), [&](ElementsLeaf &leaf) {
    leaf.strides = permuted(leaf.strides);
  });
}

Elements Elements::reshape(ShapeRef newShape) const {
  if (!state)
    return {};
  assert(numElements(newShape) == size());
  if (newShape == shape())
    return *this;
  if (Elements r =
          movedInWide(*this, [&](auto e) { return e[0].reshape(newShape); }))
    return r;
  Elements source = asOperand(size());
  llvm::SmallVector<Shape, 2> strides;
  for (const ElementsLeaf &leaf : source.state->leaves) {
    std::optional<Shape> s = reshapeStrides(shape(), leaf.strides, newShape);
    if (!s)
      return source.asLeaf().reshape(newShape);
    strides.push_back(*s);
  }
  size_t next = 0;
  return source.view(
      newShape, [&](ElementsLeaf &leaf) { leaf.strides = strides[next++]; });
}

Elements Elements::expand(ShapeRef newShape) const {
  if (!state)
    return {};
  assert(broadcastShapes(shape(), newShape) == Shape(newShape));
  if (newShape == shape())
    return *this;
  if (Elements r =
          movedInWide(*this, [&](auto e) { return e[0].expand(newShape); }))
    return r;
  // Steps run once per element of what they are written for, not of what that
  // is repeated to.
  if (!state->steps.empty() && numElements(newShape) > size())
    return asLeaf().expand(newShape);
  size_t lead = newShape.size() - rank();
  return asOperand(numElements(newShape))
      .view(newShape, [&](ElementsLeaf &leaf) {
        Shape strides(newShape.size(), 0);
        for (size_t i = 0; i < shape().size(); ++i)
          if (shape()[i] == newShape[lead + i])
            strides[lead + i] = leaf.strides[i];
        leaf.strides = strides;
      });
}

Elements Elements::slice(ShapeRef starts, ShapeRef sizes,
                         ShapeRef steps) const {
  if (!state)
    return {};
  if (Elements r = movedInWide(
          *this, [&](auto e) { return e[0].slice(starts, sizes, steps); }))
    return r;
  bool empty = llvm::is_contained(sizes, 0);
  return asOperand(numElements(sizes)).view(sizes, [&](ElementsLeaf &leaf) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      // An empty result reads nothing, so its start may lie anywhere.
      if (!empty)
        leaf.offset += starts[i] * leaf.strides[i];
      leaf.strides[i] *= steps[i];
    }
  });
}

Elements Elements::sliceAxis(int64_t axis, int64_t start, int64_t size) const {
  if (!state)
    return {};
  Shape starts(rank(), 0), sizes(shape()), steps(rank(), 1);
  starts[axis] = start;
  sizes[axis] = size;
  return slice(starts, sizes, steps);
}

std::vector<Elements> Elements::split(int64_t axis, ShapeRef sizes) const {
  if (!state)
    return std::vector<Elements>(sizes.size());
  std::vector<Elements> result;
  int64_t start = 0;
  for (int64_t size : sizes) {
    result.push_back(slice(axis, start, size));
    start += size;
  }
  assert(start == dim(axis));
  return result;
}

Elements Elements::squeeze(ShapeRef axes) const {
  if (!state)
    return {};
  Shape result;
  for (int64_t i = 0; i < rank(); ++i)
    if (!llvm::is_contained(axes, i))
      result.push_back(dim(i));
  return reshape(result);
}

Elements Elements::unsqueeze(ShapeRef axes) const {
  if (!state)
    return {};
  Shape result(rank() + axes.size(), 1);
  int64_t next = 0;
  for (size_t i = 0; i < result.size(); ++i)
    if (!llvm::is_contained(axes, int64_t(i)))
      result[i] = dim(next++);
  return reshape(result);
}
