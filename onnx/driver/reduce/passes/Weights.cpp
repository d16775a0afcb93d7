//===- Weights.cpp - Simpler weights --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// All zeros or all ones, in constants and in the values of inputs. Large zeros
// are a hole in a file that all of them refer to.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/reduce/ReduceModel.h"
#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <random>

using namespace onnxfold;
using onnx::TensorProto;

static bool isNumber(DataType type) {
  return type == DataType::Bool || isInteger(type) ||
         type == DataType::Float16 || type == DataType::Float32 ||
         type == DataType::Float64;
}

/// Lists of integers are axes and shapes: the pass for sizes handles them.
static bool isWeight(const TensorProto &tensor) {
  constexpr uint64_t mostOfList = 256;
  bool isList = tensor.data_type() == TensorProto::INT64 &&
                tensor.dims_size() <= 1 && dataBytes(tensor) <= mostOfList;
  return !isList && isNumber(DataType(tensor.data_type())) &&
         dataBytes(tensor) != 0;
}

/// Whether all elements are the number already.
static bool isUniform(const TensorProto &tensor, int number) {
  if (tensor.data_location() == TensorProto::EXTERNAL)
    return llvm::any_of(tensor.external_data(), [](const auto &entry) {
      return entry.key() == "location" &&
             llvm::StringRef(entry.value()).ends_with(".reduce-zeros");
    });
  Elements value = toElements(tensor);
  return value &&
         value.identicalTo(Elements::splat(value.type(), value.shape(),
                                           WideNum::widen(double(number))));
}

/// Larger ones are not written into candidates.
static constexpr uint64_t mostWritten = 64 << 10;

/// A large tensor of zeros.
static TensorProto hole(const TensorProto &tensor, const std::string &file) {
  TensorProto result;
  result.set_name(tensor.name());
  result.set_data_type(tensor.data_type());
  *result.mutable_dims() = tensor.dims();
  result.set_data_location(TensorProto::EXTERNAL);
  for (const auto &[key, value] :
       {std::pair<std::string, std::string>("location", file),
        {"offset", "0"},
        {"length", std::to_string(dataBytes(tensor))}}) {
    auto &entry = *result.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  return result;
}

static TensorProto uniform(const TensorProto &tensor, int number) {
  auto type = DataType(tensor.data_type());
  Shape shape(tensor.dims().begin(), tensor.dims().end());
  return toTensor(Elements::splat(type, shape,
                                  isFloat(type) ? WideNum::widen(double(number))
                                  : type == DataType::Bool
                                      ? WideNum::widen(number != 0)
                                      : WideNum::widen(int64_t(number))),
                  tensor.name());
}

static bool simplify(Draft &draft, const std::string &name, int number) {
  bool isDone = false;
  auto change = [&](TensorProto &tensor) {
    if (isDone || tensor.name() != name || isUniform(tensor, number) ||
        isUniform(tensor, 0))
      return;
    bool isLarge = dataBytes(tensor) > mostWritten;
    if (isLarge && number != 0)
      return;
    tensor = isLarge ? hole(tensor, draft.base.zeros) : uniform(tensor, number);
    isDone = true;
  };
  for (TensorProto &tensor :
       *draft.model.mutable_graph()->mutable_initializer())
    change(tensor);
  return isDone;
}

static bool simplifyInput(Draft &draft, const std::string &name, int number) {
  auto found = draft.inputs.find(name);
  if (found == draft.inputs.end() || !isNumber(found->second.type()))
    return false;
  TensorProto tensor = toTensor(found->second, name);
  if (isUniform(tensor, number) || isUniform(tensor, 0))
    return false;
  found->second = toElements(uniform(tensor, number));
  return true;
}

std::vector<Edit> onnxfold::proposeWeights(const Base &base) {
  std::vector<Edit> edits;
  for (int number : {0, 1}) {
    for (const TensorProto &tensor : base.candidate.model.graph().initializer())
      if (isWeight(tensor) && !isUniform(tensor, 0) && !isUniform(tensor, 1))
        edits.push_back([name = tensor.name(), number](Draft &draft) {
          return simplify(draft, name, number);
        });
    for (const auto &[name, value] : base.candidate.inputs)
      edits.push_back([name = name, number](Draft &draft) {
        return simplifyInput(draft, name, number);
      });
  }
  return edits;
}

//===----------------------------------------------------------------------===//
// For publication
//===----------------------------------------------------------------------===//

/// Numbers of the range of the tensor's own, which do not depend on them
/// otherwise.
static Elements scrambled(const Elements &value, uint64_t seed) {
  double least = 0, most = 0;
  for (int64_t i = 0; i != value.size(); ++i) {
    auto number = value.number(i).to<double>();
    least = i == 0 ? number : std::min(least, number);
    most = i == 0 ? number : std::max(most, number);
  }
  least = std::floor(least);
  most = std::ceil(most);
  std::mt19937_64 random(seed);
  std::vector<double> numbers;
  for (int64_t i = 0; i != value.size(); ++i) {
    double part = double(random() >> 11) * 0x1p-53;
    double number = least + part * (most - least);
    numbers.push_back(isInteger(value.type()) ? std::floor(number) : number);
  }
  auto wide = Elements::fromValues<double>(value.shape(), numbers);
  auto read = [wide, type = value.type()](int64_t first, int64_t count,
                                          void *out) {
    auto *bytes = static_cast<char *>(out);
    for (int64_t i = 0; i != count; ++i)
      wide.number(first + i).store(type, bytes + i * byteWidth(type));
  };
  return Elements::fromReader(value.type(), value.shape(), read).materialize();
}

std::vector<Edit> onnxfold::proposePublicWeights(const Base &base) {
  std::vector<Edit> edits;
  auto isSecret = [](const TensorProto &tensor) {
    return isWeight(tensor) && dataBytes(tensor) <= mostWritten &&
           !isUniform(tensor, 0) && !isUniform(tensor, 1) &&
           DataType(tensor.data_type()) != DataType::Bool;
  };
  uint64_t seed = base.options.seed;
  for (const TensorProto &tensor : base.candidate.model.graph().initializer())
    if (isSecret(tensor))
      edits.push_back([name = tensor.name(), seed](Draft &draft) {
        for (TensorProto &tensor :
             *draft.model.mutable_graph()->mutable_initializer())
          if (Elements value = toElements(tensor);
              tensor.name() == name && value)
            tensor = toTensor(scrambled(value, seed), name);
        return true;
      });
  for (const auto &[name, value] : base.candidate.inputs)
    if (isNumber(value.type()) && isSecret(toTensor(value, name)))
      edits.push_back([name = name, seed](Draft &draft) {
        Elements &value = draft.inputs[name];
        value = scrambled(value, seed);
        return true;
      });
  return edits;
}
