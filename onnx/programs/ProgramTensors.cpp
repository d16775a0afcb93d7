//===- ProgramTensors.cpp - Memrefs as kernels read them ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/programs/ProgramTensors.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/programs/KernelEntry.h"
#include "onnxfold/onnx/programs/ProgramBytes.h"
#include "mlir/Parser/Parser.h"
#include <atomic>
#include <cstdlib>
#include <cstring>

using namespace onnxfold;
using namespace mlir;

static std::atomic<void *(*)(size_t)> allocateResult{&std::malloc};

void onnxfold::setKernelAllocator(void *(*allocate)(size_t bytes)) {
  allocateResult = allocate;
}

bool DescriptorView::isRowMajor() const {
  for (int64_t axis = rank, stride = 1; axis-- > 0; stride *= sizes()[axis])
    if (sizes()[axis] != 1 && strides()[axis] != stride)
      return numElements(sizes()) == 0;
  return true;
}

static void copyStrided(const DescriptorView &view, int64_t axis,
                        const char *from, char *&to, int64_t elementBytes) {
  if (axis == view.rank) {
    std::memcpy(to, from, elementBytes);
    to += elementBytes;
    return;
  }
  for (int64_t i = 0; i < view.sizes()[axis]; ++i)
    copyStrided(view, axis + 1, from + i * view.strides()[axis] * elementBytes,
                to, elementBytes);
}

Elements onnxfold::copyOfTensor(const DescriptorView &view,
                                int64_t elementBytes, DataType type) {
  uint64_t size = numElements(view.sizes()) * elementBytes;
  const char *data = view.data(elementBytes);
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(size);
  char *to = buffer->data();
  if (!view.isRowMajor())
    copyStrided(view, 0, data, to, elementBytes);
  else if (size)
    std::memcpy(to, data, size);
  return fromProgramBytes(type, view.sizes(), buffer);
}

Elements onnxfold::elementsOfTensor(const DescriptorView &view,
                                    int64_t elementBytes, DataType type) {
  if (differsInProgram(type) || !view.isRowMajor())
    return copyOfTensor(view, elementBytes, type);
  llvm::ArrayRef<char> bytes(view.data(elementBytes),
                             numElements(view.sizes()) * elementBytes);
  return Elements::fromBuffer(type, view.sizes(), foreignBuffer(bytes));
}

void *onnxfold::allocateForProgram(size_t bytes) {
  return allocateResult.load()(bytes);
}

std::optional<DescriptorView> onnxfold::allocateTensor(const Elements &elements,
                                                       int64_t elementBytes) {
  constexpr uint64_t alignment = 64;
  ShapeRef shape = elements.shape();
  uint64_t header = (3 + 2 * shape.size()) * sizeof(int64_t), bytes;
  if (__builtin_mul_overflow(uint64_t(elements.size()), elementBytes, &bytes) ||
      __builtin_add_overflow(bytes, header + alignment, &bytes))
    return std::nullopt;
  void *block = allocateForProgram(bytes);
  if (!block)
    return std::nullopt;
  auto address = std::bit_cast<uint64_t>(block);
  DescriptorView view(block, shape.size());
  view.words[0] = int64_t(address);
  view.words[1] = int64_t((address + header + alignment - 1) & -alignment);
  view.words[2] = 0;
  uint64_t stride = 1; // may overflow beside a size of 0
  for (int64_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) {
    view.words[3 + axis] = shape[axis];
    view.words[3 + shape.size() + axis] = stride;
  }
  return view;
}

uint32_t onnxfold::programElementCode(mlir::Type type) {
  if (llvm::isa<OnnxStringType>(type))
    return 1 << 16 | 64;
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(type))
    return (integer.isUnsigned() ? 2 : 1) << 16 | integer.getWidth();
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    return 6 << 16 | (programElementCode(complex.getElementType()) & 0xffff);
  auto real = llvm::dyn_cast<mlir::FloatType>(type);
  if (!real)
    return 0;
  if (real.isF16() || real.isF32() || real.isF64())
    return 4 << 16 | real.getWidth();
  auto semantics = llvm::APFloat::SemanticsToEnum(real.getFloatSemantics());
  return 7 << 16 | uint32_t(semantics) << 8 | real.getWidth();
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

std::mutex &onnxfold::contextMutex() {
  static std::mutex mutex;
  return mutex;
}

static MLIRContext &kernelContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registry.insert<ElementsDialect, func::FuncDialect>();
    registerOnnxDialect(registry, OperatorSet::All);
    auto *made = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    made->loadAllAvailableDialects();
    addOnnxFolding(*made);
    return made;
  }();
  return *context;
}

OwningOpRef<ModuleOp> onnxfold::parseFunction(llvm::StringRef text,
                                              func::FuncOp &function) {
  auto module = parseSourceString<ModuleOp>(
      text, ParserConfig(&kernelContext(), /*verifyAfterParse=*/false));
  function = module && !module->getBody()->empty()
                 ? dyn_cast<func::FuncOp>(module->getBody()->front())
                 : func::FuncOp();
  if (function && function.isExternal())
    function = nullptr;
  if (function)
    function->walk([](Operation *op) {
      if (Operator::from(op))
        op->setAttr(runsName, UnitAttr::get(op->getContext()));
    });
  return module;
}
