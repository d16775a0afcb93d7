//===- Scrub.cpp - Disposable to ordinary attributes ----------------------===//

#include "onnxfold/gc/Scrub.h"
#include "onnxfold/elements/ElementsAttrBuilder.h"
#include "onnxfold/elements/RawData.h"
#include "onnxfold/gc/AttributeWalk.h"
#include "onnxfold/gc/DisposablePool.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/Pass.h"

using namespace onnxfold;

namespace onnxfold {

class Scrubber {
public:
  Scrubber(mlir::Operation *module, ScrubOptions options)
      : module(module), options(options),
        pool(DisposablePool::get(module->getContext())) {}

  ScrubResult run() {
    // A pass that the Collector watches holds the world already, shared: then
    // other roots may be changing and cannot be looked at.
    std::unique_lock<std::shared_mutex> stopped(pool.world, std::defer_lock);
    if (!pool.isInPass())
      stopped.lock();
    mayDispose = stopped || pool.isOnlyRoot(module);
    // Marked now is what somebody else still needs.
    if (mayDispose)
      pool.mark({}, /*except=*/module);
    find();
    convert();
    replace();
    return result;
  }

private:
  /// An attribute and what becomes of it.
  struct Replacement {
    DisposableElementsAttr from;
    mlir::Attribute to;
    mlir::AsmResourceBlob blob; // with ScrubForm::Resource, until it is named
    bool isResource = false;
  };

  void find();
  void convert();
  void convert(Replacement &replacement);
  void replace();
  void replaceIn(mlir::Operation *op, mlir::AttrTypeReplacer &replacer);

  mlir::Operation *module;
  ScrubOptions options;
  DisposablePool &pool;
  bool mayDispose = false;
  std::vector<Replacement> replacements;
  ScrubResult result;
};

} // namespace onnxfold

/// The bytes of a resource: one or more for each element, also of i1 and i4.
static mlir::AsmResourceBlob makeBlob(const Elements &elements) {
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(elements.bytes());
  elements.read(buffer->data());
  if (isSubByte(elements.type()))
    toRawData(elements.type(), buffer->data(), elements.size(), buffer->data());
  return mlir::AsmResourceBlob(
      {buffer->data(), size_t(buffer->size())}, /*dataAlignment=*/64,
      [buffer](void *, size_t, size_t) {}, /*dataIsMutable=*/false);
}

void Scrubber::find() {
  walkDisposables(module, [&](DisposableElementsAttr attr, mlir::Location) {
    if (attr.isElided())
      return;
    replacements.push_back({attr, {}, {}});
    ++result.replaced;
    result.bytes += attr.getElements().bytes();
  });
}

void Scrubber::convert(Replacement &replacement) {
  DisposableElementsAttr from = replacement.from;
  Elements elements = from.getElements();
  bool dense = options.form == ScrubForm::Dense || elements.isSplat() ||
               elements.bytes() <= denseAttributeLimit ||
               elements.type() == DataType::String;
  if (dense) {
    replacement.to = toDenseAttribute(elements, from.getType());
  } else {
    replacement.blob = makeBlob(elements);
    replacement.isResource = true;
  }
  elements = Elements();
  if (mayDispose && !pool.store.isMarked(from) && !pool.store.isHeld(from))
    pool.store.dispose(from);
}

void Scrubber::convert() {
  mlir::MLIRContext *context = module->getContext();
  mlir::parallelForEach(context, replacements,
                        [&](Replacement &each) { convert(each); });
  // One by one, in the order of the module: names depend on it.
  for (Replacement &each : replacements)
    if (each.isResource)
      each.to = mlir::DenseResourceElementsAttr::get(
          each.from.getType(), "elements", std::move(each.blob));
}

void Scrubber::replace() {
  llvm::DenseMap<mlir::Attribute, mlir::Attribute> table;
  for (Replacement &each : replacements)
    table[each.from] = each.to;
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](DisposableElementsAttr attr) -> std::optional<mlir::Attribute> {
        auto it = table.find(attr);
        return it == table.end() ? mlir::Attribute(attr) : it->second;
      });
  if (!table.empty())
    module->walk([&](mlir::Operation *op) { replaceIn(op, replacer); });
}

void Scrubber::replaceIn(mlir::Operation *op,
                         mlir::AttrTypeReplacer &replacer) {
  mlir::DictionaryAttr dictionary = op->getRawDictionaryAttrs();
  mlir::Attribute changed = replacer.replace(mlir::Attribute(dictionary));
  if (changed != dictionary)
    op->setDiscardableAttrs(mlir::cast<mlir::DictionaryAttr>(changed));
  if (op->getPropertiesStorageSize() != 0 && hasPlainProperties(op)) {
    mlir::NamedAttrList inherent;
    op->getName().populateInherentAttrs(op, inherent);
    for (mlir::NamedAttribute attr : inherent) {
      changed = replacer.replace(attr.getValue());
      if (changed != attr.getValue())
        op->setInherentAttr(attr.getName(), changed);
    }
  } else if (op->getPropertiesStorageSize() != 0) {
    mlir::Attribute all = op->getPropertiesAsAttribute();
    changed = all ? replacer.replace(all) : all;
    if (changed != all && failed(op->setPropertiesFromAttribute(changed, [&] {
          return op->emitOpError("scrub: ");
        })))
      return; // said so; the properties are as they were
  }
  replacer.replaceElementsIn(op, /*replaceAttrs=*/false, /*replaceLocs=*/true,
                             /*replaceTypes=*/true);
}

ScrubResult onnxfold::scrub(mlir::Operation *module, ScrubOptions options) {
  return Scrubber(module, options).run();
}

namespace {

struct ScrubPass : mlir::PassWrapper<ScrubPass, mlir::OperationPass<>> {
  ScrubPass() = default;
  explicit ScrubPass(ScrubOptions options) {
    resources = options.form == ScrubForm::Resource;
  }
  ScrubPass(const ScrubPass &other) : PassWrapper(other) {}

  llvm::StringRef getArgument() const override { return "scrub"; }
  llvm::StringRef getDescription() const override {
    return "replace disposable attributes by ordinary ones";
  }
  void runOnOperation() override {
    ScrubResult result =
        scrub(getOperation(),
              {.form = resources ? ScrubForm::Resource : ScrubForm::Dense});
    replaced += result.replaced;
    bytes += result.bytes;
  }

  Option<bool> resources{*this, "resources",
                         llvm::cl::desc("as dense_resource where not small")};
  Statistic replaced{this, "replaced", "attributes that were replaced"};
  Statistic bytes{this, "bytes", "bytes of their values"};
};

} // namespace

std::unique_ptr<mlir::Pass> onnxfold::createScrubPass(ScrubOptions options) {
  return std::make_unique<ScrubPass>(options);
}

void onnxfold::registerScrubPass() {
  mlir::registerPass([] { return createScrubPass(); });
}
