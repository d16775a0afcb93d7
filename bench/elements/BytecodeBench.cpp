//===- BytecodeBench.cpp - Writing and reading MLIR bytecode --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One attribute of 50 million f32 (200 MB) on one thread, written into memory
// that is resident, and read from a file in the page cache. The baseline is a
// memcpy of its bytes between buffers that are resident. overhead_bytes is what
// the file has beyond the values.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/elements/Rows.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsBytecode.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace onnxfold::bench;

namespace bytecodeBench {

constexpr int64_t bytes = count * sizeof(float);

/// Writes into memory that is there.
class MemoryStream : public llvm::raw_ostream {
public:
  explicit MemoryStream(char *out) : llvm::raw_ostream(true), out(out) {}
  uint64_t size() const { return position; }

private:
  void write_impl(const char *from, size_t n) override {
    std::memcpy(out + position, from, n);
    position += n;
  }
  uint64_t current_pos() const override { return position; }

  char *out;
  uint64_t position = 0;
};

/// A module that holds one value.
struct Module {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> op;

  explicit Module(const Elements &x) {
    context.loadDialect<ElementsDialect>();
    op = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    op->getOperation()->setAttr(
        "test.x", DisposableElementsAttr::get(toTensorType(x, &context), x));
  }

  uint64_t write(char *out, bool inScope) {
    MemoryStream os(out);
    std::optional<ElementsBytecodeScope> scope;
    if (inScope)
      scope.emplace();
    if (failed(mlir::writeBytecodeToFile(*op, os)))
      std::abort();
    return os.size();
  }
};

Values measured(Body subject, double limit) {
  HeapBuffer from(bytes), to(bytes);
  std::memset(from.data(), 1, bytes);
  std::memset(to.data(), 2, bytes);
  Medians times = measureInTurn(
      [&] { std::memcpy(to.data(), from.data(), bytes); }, subject, 3);
  Values values = {{"seconds", times.subject}, {"baseline", times.baseline}};
  if (limit > 0)
    values["limit"] = limit;
  return values;
}

void add(const char *name, std::function<Values()> measure) {
  benchmark::RegisterBenchmark(name,
                               [measure](benchmark::State &state) {
                                 Inputs::get(); // shared by all children
                                 report(state, measure);
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void addWrite(const char *name, std::function<Elements()> make, bool inScope,
              double limit = 0) {
  add(name, [=] {
    Module module(make());
    HeapBuffer out(bytes + (1 << 20));
    std::memset(out.data(), 1, out.size());
    uint64_t size = 0;
    Values values =
        measured([&] { size = module.write(out.data(), inScope); }, limit);
    values["overhead_bytes"] = double(size) - bytes;
    return values;
  });
}

/// Reads a file; with `values` all that is in it is read once.
void addRead(const char *name, bool inScope, bool values, double limit = 0) {
  add(name, [=] {
    llvm::SmallString<64> path;
    if (llvm::sys::fs::createTemporaryFile("bench", "mlirbc", path))
      std::abort();
    {
      Module module(Inputs::get().x);
      HeapBuffer out(bytes + (1 << 20));
      uint64_t size = module.write(out.data(), inScope);
      std::error_code error;
      llvm::raw_fd_ostream(path, error).write(out.data(), size);
    }
    HeapBuffer out(values ? bytes : 0);
    std::memset(out.data(), 1, out.size());
    Values result = measured(
        [&] {
          mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
          context.loadDialect<ElementsDialect>();
          auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
          auto attr = module->getOperation()->getAttrOfType<mlir::ElementsAttr>(
              "test.x");
          if (values)
            fromAttribute(attr).read(out.data());
        },
        limit);
    llvm::sys::fs::remove(path);
    return result;
  });
}

const bool registered = [] {
  auto memory = [] { return Inputs::get().x; };
  auto transposed = [] { return Inputs::get().x.transpose({1, 0}); };
  addWrite("write_memory", memory, true, 2);
  addWrite("write_memory/no_scope", memory, false, 2);
  addWrite("write_transposed", transposed, true);
  addWrite("write_transposed/no_scope", transposed, false);
  addRead("read_file", true, false, 0.2);
  addRead("read_file_and_values", true, true);
  addRead("read_file/no_scope", false, false);
  return true;
}();

} // namespace bytecodeBench
