//===- PartHash.cpp - What a part computes, as a number -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/internal/Parts.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

namespace onnxfold {

using namespace mlir;

namespace {

class FunctionHasher {
public:
  std::string hash(func::FuncOp function) {
    addRegion(function.getFunctionBody());
    return llvm::toHex(hasher.final(), /*LowerCase=*/true);
  }

private:
  // Each item has its length before it, so that no two sequences of items are
  // the same bytes.
  void add(ArrayRef<uint8_t> bytes) {
    add(uint64_t(bytes.size()));
    hasher.update(bytes);
  }
  void add(StringRef text) {
    add(ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  }
  void add(uint64_t number) {
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; ++i)
      bytes[i] = number >> (8 * i);
    hasher.update(ArrayRef<uint8_t>(bytes));
  }

  /// The contexts of two processes agree in text alone, which is made once.
  template <typename T>
  void addText(llvm::DenseMap<T, std::string> &texts, T item) {
    auto [found, isNew] = texts.try_emplace(item);
    if (isNew) {
      llvm::raw_string_ostream os(found->second);
      item.print(os);
    }
    add(StringRef(found->second));
  }

  void addAttribute(Attribute attr) {
    // MLIR 23 renames the subclass of what is no string.
    if (auto dense = dyn_cast<DenseElementsAttr>(attr);
        dense && !isa<DenseStringElementsAttr>(attr)) {
      addText(types, Type(dense.getType()));
      add(uint64_t(dense.isSplat()));
      return add(asBytes(dense.getRawData()));
    }
    auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
    if (AsmResourceBlob *blob =
            resource ? resource.getRawHandle().getBlob() : nullptr) {
      addText(types, Type(resource.getType()));
      return add(asBytes(blob->getData()));
    }
    addText(attributes, attr);
  }

  static ArrayRef<uint8_t> asBytes(ArrayRef<char> data) {
    return {reinterpret_cast<const uint8_t *>(data.data()), data.size()};
  }

  void addRegion(Region &region) {
    add(uint64_t(region.getBlocks().size()));
    for (Block &block : region) {
      blocks.try_emplace(&block, blocks.size());
      addValues(block.getArguments());
    }
    for (Block &block : region) {
      add(uint64_t(block.getOperations().size()));
      for (Operation &op : block)
        addOperation(op);
    }
  }

  void addValues(ValueRange defined) {
    add(uint64_t(defined.size()));
    for (Value value : defined) {
      values.try_emplace(value, values.size());
      addText(types, value.getType());
    }
  }

  void addOperation(Operation &op) {
    add(op.getName().getStringRef());
    DictionaryAttr attrs = op.getAttrDictionary();
    add(uint64_t(attrs.size()));
    for (NamedAttribute attr : attrs) {
      add(attr.getName().getValue());
      addAttribute(attr.getValue());
      addSymbols(op, attr.getValue());
    }
    add(uint64_t(op.getNumOperands()));
    for (Value operand : op.getOperands())
      add(uint64_t(values.lookup(operand)));
    addValues(op.getResults());
    for (Block *successor : op.getSuccessors())
      add(uint64_t(blocks.lookup(successor)));
    add(uint64_t(op.getNumRegions()));
    for (Region &region : op.getRegions())
      addRegion(region);
  }

  /// The name of a function or global says nothing; its text does.
  void addSymbols(Operation &op, Attribute attr) {
    attr.walk([&](SymbolRefAttr reference) {
      Operation *symbol = SymbolTable::lookupNearestSymbolFrom(&op, reference);
      std::string text;
      llvm::raw_string_ostream os(text);
      if (auto global = dyn_cast_or_null<memref::GlobalOp>(symbol);
          global && global.getInitialValue()) {
        addText(types, Type(global.getType()));
        return addAttribute(*global.getInitialValue());
      }
      if (symbol)
        symbol->print(os,
                      OpPrintingFlags().printGenericOpForm().useLocalScope());
      add(StringRef(text));
    });
  }

  llvm::TruncatedBLAKE3<16> hasher;
  llvm::DenseMap<Value, uint64_t> values;
  llvm::DenseMap<Block *, uint64_t> blocks;
  llvm::DenseMap<Type, std::string> types;
  llvm::DenseMap<Attribute, std::string> attributes;
};

} // namespace

std::string contentHash(func::FuncOp function) {
  return FunctionHasher().hash(function);
}

} // namespace onnxfold
