# SPDX-License-Identifier: Apache-2.0
# The ONNX C++ library as onnxfold::onnx_library: schemas, shape inference, checker, parser and
# function bodies, conversion of versions, without the Python parts. Built from the pinned source distribution by a list of
# our own (ONNX's build files ask for a newer CMake and for Python packages), without warnings.
# Schemas are not registered at start: SchemaTable.inc lists them for lookup by name.

set(ONNXFOLD_ONNX_VERSION 1.23.2)
# Build folders beside build/ use the copy that is there.
set(onnx_default ${PROJECT_SOURCE_DIR}/build/third-party/onnx-${ONNXFOLD_ONNX_VERSION})
if(NOT EXISTS ${onnx_default})
  set(onnx_default ${PROJECT_BINARY_DIR}/third-party/onnx-${ONNXFOLD_ONNX_VERSION})
endif()
set(ONNXFOLD_ONNX_SOURCE ${onnx_default}
    CACHE PATH "Unpacked source distribution of onnx ${ONNXFOLD_ONNX_VERSION}; fetched when absent")
if(NOT EXISTS ${ONNXFOLD_ONNX_SOURCE}/onnx/onnx-ml.proto)
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/fetch-onnx.sh ${ONNXFOLD_ONNX_SOURCE}
                  COMMAND_ERROR_IS_FATAL ANY)
endif()

set(onnx_dir ${ONNXFOLD_ONNX_SOURCE}/onnx)
set(onnx_generated ${PROJECT_BINARY_DIR}/onnx-library)
foreach(proto onnx-ml onnx-operators-ml onnx-data)
  list(APPEND onnx_protos ${onnx_dir}/${proto}.proto)
  list(APPEND onnx_pb_files ${onnx_generated}/onnx/${proto}.pb.cc ${onnx_generated}/onnx/${proto}.pb.h)
endforeach()
file(MAKE_DIRECTORY ${onnx_generated})
add_custom_command(OUTPUT ${onnx_pb_files} DEPENDS ${onnx_protos} VERBATIM
  COMMAND protobuf::protoc -I ${ONNXFOLD_ONNX_SOURCE} --cpp_out ${onnx_generated} ${onnx_protos})

# The sources are pinned, so the list is made once per configuration.
file(GLOB onnx_sources ${onnx_dir}/checker.cc ${onnx_dir}/common/*.cc ${onnx_dir}/defs/*.cc
  ${onnx_dir}/defs/*/*.cc ${onnx_dir}/inliner/*.cc ${onnx_dir}/shape_inference/*.cc)
list(REMOVE_ITEM onnx_sources ${onnx_dir}/common/interned_strings.cc ${onnx_dir}/common/ir_pb_converter.cc
  ${onnx_dir}/defs/tensor_util.cc)
# Its conversion of versions, in a batch of its own.
set(onnx_converter ${onnx_generated}/converter.cc)
set(onnx_converter_text)
foreach(source common/interned_strings common/ir_pb_converter defs/tensor_util version_converter/convert
        version_converter/helper)
  string(APPEND onnx_converter_text "#include \"onnx/${source}.cc\"\n")
endforeach()
file(CONFIGURE OUTPUT ${onnx_converter} CONTENT "${onnx_converter_text}" @ONLY)
set_source_files_properties(${onnx_converter} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  COMPILE_DEFINITIONS ONNXFOLD_ONNX_CONVERTER)
list(APPEND onnx_sources ${onnx_converter})
# In one batch these would instantiate what other files specialise.
set_source_files_properties(${onnx_dir}/defs/schema.cc ${onnx_dir}/defs/printer.cc ${onnx_dir}/defs/tensor_proto_util.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
add_library(onnxfold_onnx_library ${onnx_sources} ${onnx_pb_files})
add_library(onnxfold::onnx_library ALIAS onnxfold_onnx_library)
set_target_properties(onnxfold_onnx_library PROPERTIES EXPORT_NAME onnx_library CXX_STANDARD 17
  VERIFY_INTERFACE_HEADER_SETS OFF UNITY_BUILD_BATCH_SIZE 28)
target_include_directories(onnxfold_onnx_library BEFORE PRIVATE ${CMAKE_CURRENT_LIST_DIR}/onnx-stub)
target_include_directories(onnxfold_onnx_library SYSTEM PUBLIC
  $<BUILD_INTERFACE:${ONNXFOLD_ONNX_SOURCE}> $<BUILD_INTERFACE:${onnx_generated}>)
target_compile_definitions(onnxfold_onnx_library PUBLIC ONNX_ML=1 ONNX_NAMESPACE=onnx
  __ONNX_NO_DOC_STRINGS __ONNX_DISABLE_STATIC_REGISTRATION)
# Schemas record their source file: a path that is the same on every machine.
# -O1: schemas are made once a run and inference functions look at a few numbers each, so -O2 took twice as long to
# compile for nothing; protobuf's code reads and writes every message. Not less in debug builds: two documentation
# strings that only dead code names are defined nowhere.
target_compile_options(onnxfold_onnx_library PRIVATE -w -O1 -ffile-prefix-map=${ONNXFOLD_ONNX_SOURCE}/=)
set_source_files_properties(${onnx_generated}/onnx/onnx-ml.pb.cc PROPERTIES
  COMPILE_OPTIONS $<$<CONFIG:Release>:-O2>)
if(ONNXFOLD_SANITIZE AND NOT ONNXFOLD_SANITIZE STREQUAL "thread")
  # Its inference functions add what a model says, and overflow; that is theirs to mend.
  target_compile_options(onnxfold_onnx_library PRIVATE -fno-sanitize=undefined)
endif()
# The archive, or for libonnxfold.so (ONNXFOLD_SHARED_DEPENDENCIES) the shared library.
if(BUILD_SHARED_LIBS)
  target_link_libraries(onnxfold_onnx_library PUBLIC protobuf::libprotobuf)
else()
  find_library(ONNXFOLD_PROTOBUF_SHARED NAMES libprotobuf.so REQUIRED)
  target_link_libraries(onnxfold_onnx_library PUBLIC $<INSTALL_INTERFACE:protobuf::libprotobuf>
    "$<BUILD_INTERFACE:$<IF:$<BOOL:$<TARGET_PROPERTY:ONNXFOLD_SHARED_DEPENDENCIES>>,${ONNXFOLD_PROTOBUF_SHARED},protobuf::libprotobuf>>")
endif()
if(NOT BUILD_SHARED_LIBS)
  # Debian's libprotobuf.a is not position independent: the link check uses the shared one.
  onnxfold_shared_twin(onnxfold_onnx_library ${ONNXFOLD_PROTOBUF_SHARED})
  target_link_libraries(onnxfold_onnx_library_shared PUBLIC Threads::Threads)
endif()

# SchemaTable.inc: ONNXFOLD_SCHEMA("<domain>", "<operator>", <version>, <class name>), a line each.
# The class is the argument of onnx::GetOpSchema<onnx::...>(); it must be declared before use, which
# the headers onnx/defs/operator_sets*.h do.
function(onnxfold_schema_table output)
  file(READ ${onnx_dir}/defs/training/defs.cc training)
  set(table "// Generated from onnx/defs/operator_sets*.h by cmake/Onnx.cmake.\n")
  foreach(set "" _ml _training _preview)
    set(header ${onnx_dir}/defs/operator_sets${set}.h)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    file(STRINGS ${header} lines REGEX "fn\\(GetOpSchema<")
    foreach(line IN LISTS lines)
      if(line MATCHES "<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME\\((Onnx[A-Za-z]*), ([0-9]+), ([A-Za-z0-9]+)\\)>")
        set(family ${CMAKE_MATCH_1})
        set(version ${CMAKE_MATCH_2})
        set(op ${CMAKE_MATCH_3})
      elseif(line MATCHES "<ONNX_PREVIEW_OPERATOR_SET_SCHEMA_CLASS_NAME\\(([0-9]+), ([A-Za-z0-9]+)\\)>")
        set(family OnnxPreview)
        set(version ${CMAKE_MATCH_1})
        set(op ${CMAKE_MATCH_2})
      else()
        message(FATAL_ERROR "${header}: cannot read '${line}'")
      endif()
      set(domain_Onnx "")
      set(domain_OnnxML ai.onnx.ml)
      set(domain_OnnxTraining ai.onnx.training)
      set(domain_OnnxPreview ai.onnx.preview)
      if(training MATCHES "ONNX_PREVIEW_TRAINING_OPERATOR_SET_SCHEMA\\([ \n]*${op},")
        set(domain_OnnxPreview ai.onnx.preview.training)
      endif()
      string(APPEND table
        "ONNXFOLD_SCHEMA(\"${domain_${family}}\", \"${op}\", ${version}, ${op}_${family}_ver${version})\n")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${table}" @ONLY)
endfunction()
onnxfold_schema_table(${ONNXFOLD_GENERATED_DIR}/onnxfold/onnx/ir/SchemaTable.inc)

# OnnxDescriptor.inc: onnx-ml.proto as a FileDescriptorSet, as numbers. The library above is built
# for protobuf's lite run-time; only models that are text need descriptors (onnx/io/read/ForeignFormat.cpp).
function(onnxfold_onnx_descriptor output)
  execute_process(COMMAND ${Protobuf_PROTOC_EXECUTABLE} -I ${ONNXFOLD_ONNX_SOURCE}
    --descriptor_set_out=${onnx_generated}/onnx-ml.pb ${onnx_dir}/onnx-ml.proto
    COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${onnx_generated}/onnx-ml.pb bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(CONFIGURE OUTPUT ${output} CONTENT "${bytes}\n" @ONLY)
endfunction()
onnxfold_onnx_descriptor(${ONNXFOLD_GENERATED_DIR}/onnxfold/onnx/io/OnnxDescriptor.inc)

onnxfold_component(onnx_library onnxfold_onnx_library protobuf::libprotobuf)
