//===- OperatorSchemas.cpp - Reading schema files -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/OperatorSchemas.h"
#include "onnxfold/onnx/folding/internal/JsonLines.h"
#include "onnxfold/onnx/folding/internal/ShapeRule.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"

using namespace onnxfold;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr StringRef builtInSchemas =
#include "onnxfold/onnx/folding/MicrosoftSchemas.inc"
    ;

namespace {

/// Reads one file. The way to the value that is looked at is kept for errors.
class SchemaReader {
public:
  SchemaReader(StringRef text, StringRef file) : text(text), file(file) {}

  llvm::Expected<llvm::StringMap<std::unique_ptr<OperatorSchema>>> read();

private:
  llvm::Error error(const llvm::Twine &problem) const {
    return llvm::createStringError(
        file + ":" + llvm::Twine(lineInJson(text, path)) + ": " + problem);
  }
  llvm::Error readRoot(const json::Value &root);
  llvm::Error readDomain(StringRef domain, const json::Value &value);
  llvm::Error readOperator(StringRef domain, StringRef opType,
                           const json::Value &value);
  llvm::Error readAttributes(const json::Value &value, OperatorSchema &schema,
                             StringRef what);
  llvm::Error readForms(const json::Value &value, OperatorSchema &schema,
                        StringRef what);
  /// "" has the name that LLVM's path would not have.
  template <typename Function>
  llvm::Error in(JsonStep step, Function &&function) {
    path.push_back(step);
    llvm::Error result = function();
    path.pop_back();
    return result;
  }

  StringRef text, file;
  llvm::SmallVector<JsonStep> path;
  bool effectsByDefault = true;
  llvm::StringMap<std::unique_ptr<OperatorSchema>> schemas;
};

} // namespace

/// "domain:type": a domain has no colon in practice, a type never.
static std::string schemaKey(StringRef domain, StringRef opType) {
  return (canonicalDomain(domain) + ":" + opType).str();
}

/// One number, a list of them, or null.
static bool readDefault(const json::Value &value, AttributeDefault &result) {
  if (value.kind() == json::Value::Null)
    return true;
  if (std::optional<int64_t> number = value.getAsInteger()) {
    result = {*number};
    return true;
  }
  const json::Array *list = value.getAsArray();
  if (!list)
    return false;
  result.emplace();
  for (const json::Value &element : *list) {
    std::optional<int64_t> number = element.getAsInteger();
    if (!number)
      return false;
    result->push_back(*number);
  }
  return true;
}

llvm::Error SchemaReader::readAttributes(const json::Value &value,
                                         OperatorSchema &schema,
                                         StringRef what) {
  const json::Object *attributes = value.getAsObject();
  if (!attributes)
    return error(what +
                 " 'attributes' is not an object, expected a default for "
                 "each integer attribute that forms name");
  for (const auto &[key, given] : *attributes) {
    StringRef name = key;
    const json::Value &byDefault = given;
    if (llvm::Error failed = in({name}, [&]() -> llvm::Error {
          if (readDefault(byDefault, schema.attributes[name]))
            return llvm::Error::success();
          return error(what + " attribute '" + name +
                       "' has another default, expected an integer, a list "
                       "of integers or null");
        }))
      return failed;
  }
  return llvm::Error::success();
}

llvm::Error SchemaReader::readForms(const json::Value &value,
                                    OperatorSchema &schema, StringRef what) {
  const json::Array *forms = value.getAsArray();
  if (!forms)
    return error(what + " 'forms' is not an array, expected texts");
  for (size_t i = 0; i < forms->size(); ++i)
    if (llvm::Error failed = in({"", i}, [&]() -> llvm::Error {
          std::optional<StringRef> form = (*forms)[i].getAsString();
          if (!form)
            return error(what + " form is not a string");
          llvm::Expected<ShapeRule> rule =
              ShapeRule::parse(*form, schema.attributes);
          if (!rule)
            return error(what + " " + llvm::toString(rule.takeError()));
          schema.forms.push_back(std::move(*rule));
          return llvm::Error::success();
        }))
      return failed;
  return llvm::Error::success();
}

llvm::Error SchemaReader::readOperator(StringRef domain, StringRef opType,
                                       const json::Value &value) {
  std::string what = ("operator '" + opType + "':").str();
  const json::Object *fields = value.getAsObject();
  if (!fields)
    return error(what + " is not an object, expected 'forms', 'attributes', "
                        "'effects'");
  // Others came later, and were operators of runtimes before.
  if (resolveSince(domain, opType, 1))
    return error(what + " is an operator of every opset of the standard, "
                        "expected another one");
  auto schema = std::make_unique<OperatorSchema>();
  schema->effects = effectsByDefault;
  if (const json::Value *attributes = fields->get("attributes"))
    if (llvm::Error failed = in({"attributes"}, [&] {
          return readAttributes(*attributes, *schema, what);
        }))
      return failed;
  for (const auto &[key, given] : *fields) {
    StringRef field = key;
    const json::Value &content = given;
    if (llvm::Error failed = in({field}, [&]() -> llvm::Error {
          if (field == "forms")
            return readForms(content, *schema, what);
          if (field == "attributes")
            return llvm::Error::success();
          std::optional<bool> truth = content.getAsBoolean();
          if (field != "effects" || !truth)
            return error(what + " has '" + field +
                         "', expected 'forms', 'attributes', or 'effects' "
                         "that is true or false");
          schema->effects = *truth;
          return llvm::Error::success();
        }))
      return failed;
  }
  schemas[schemaKey(domain, opType)] = std::move(schema);
  return llvm::Error::success();
}

llvm::Error SchemaReader::readDomain(StringRef domain,
                                     const json::Value &value) {
  const json::Object *operators = value.getAsObject();
  if (!operators)
    return error("domain '" + domain +
                 "' is not an object, expected operators");
  for (const auto &[key, given] : *operators) {
    StringRef opType = key;
    const json::Value &content = given;
    if (llvm::Error failed =
            in({opType}, [&] { return readOperator(domain, opType, content); }))
      return failed;
  }
  return llvm::Error::success();
}

llvm::Error SchemaReader::readRoot(const json::Value &root) {
  const json::Object *fields = root.getAsObject();
  const json::Object *domains = fields ? fields->getObject("domains") : nullptr;
  if (!domains)
    return error("the file has no object 'domains', expected one with domains "
                 "and their operators");
  for (const auto &[key, given] : *fields) {
    StringRef field = key;
    if (field == "effects" && given.getAsBoolean())
      effectsByDefault = *given.getAsBoolean();
    else if (field != "domains")
      return in({field}, [&] {
        return error("the file has '" + field +
                     "', expected 'domains', or 'effects' that is true or "
                     "false");
      });
  }
  for (const auto &[key, given] : *domains) {
    StringRef domain = key;
    const json::Value &content = given;
    path = {{"domains"}, {domain}};
    if (llvm::Error failed = readDomain(domain, content))
      return failed;
    path.clear();
  }
  return llvm::Error::success();
}

llvm::Expected<llvm::StringMap<std::unique_ptr<OperatorSchema>>>
SchemaReader::read() {
  if (depthOfJson(text) > 16)
    return error("values stand deeper in each other than schemas do");
  llvm::Expected<json::Value> root = json::parse(text);
  if (!root) {
    // [line:column, byte=n]: what
    std::string problem = llvm::toString(root.takeError());
    StringRef rest = problem;
    rest.consume_front("[");
    auto [line, after] = rest.split(':');
    return llvm::createStringError(file + ":" + line + ": " +
                                   after.split("]: ").second +
                                   ", expected JSON");
  }
  if (llvm::Error failed = readRoot(*root))
    return failed;
  return std::move(schemas);
}

//===----------------------------------------------------------------------===//

OperatorSchemas::OperatorSchemas() = default;
OperatorSchemas::OperatorSchemas(OperatorSchemas &&) noexcept = default;
OperatorSchemas::~OperatorSchemas() = default;

llvm::Error OperatorSchemas::add(StringRef text, StringRef file) {
  auto read = SchemaReader(text, file).read();
  if (!read)
    return read.takeError();
  for (auto &schema : *read)
    schemas[schema.getKey()] = std::move(schema.getValue());
  return llvm::Error::success();
}

/// To read the built-in schemas takes milliseconds, and they have no others.
static bool isBuiltInDomain(StringRef domain) {
  domain = canonicalDomain(domain);
  return domain.empty() || domain == "com.microsoft";
}

const OperatorSchema *OperatorSchemas::find(StringRef domain,
                                            StringRef opType) const {
  auto found = schemas.find(schemaKey(domain, opType));
  if (found != schemas.end())
    return found->second.get();
  if (!isBuiltInDomain(domain) || this == &builtIn())
    return nullptr;
  return builtIn().find(domain, opType);
}

const OperatorSchemas &OperatorSchemas::builtIn() {
  static const OperatorSchemas table = [] {
    OperatorSchemas made;
    if (llvm::Error error = made.add(builtInSchemas, "microsoft.json"))
      llvm::report_fatal_error(std::move(error)); // a test reads it, too
    return made;
  }();
  return table;
}

bool onnxfold::hasEffects(const OperatorSchema &schema) {
  return schema.effects;
}
