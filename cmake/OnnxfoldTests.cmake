# SPDX-License-Identifier: Apache-2.0
# onnxfold_gtest, onnxfold_lit_tests, onnxfold_python_tests.
enable_testing()
find_package(GTest REQUIRED)

# onnxfold_test_options(<target> <short>): a test runs for seconds and is compiled for minutes: -O1 takes a fifth off a
# batch, -O0 a third (docs/notebook/build-time.md). A program holds templates of the libraries as its tests compile them, so
# -O0 is for tests that are short.
function(onnxfold_test_options target short)
  if(short)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# onnxfold_gtest(<folder> [DEPS <targets>] [CPU_LEVELS] [SHORT] [FOLDERS <folders>]): all *.cpp of tests/<folder>, and of
# the FOLDERS below it, in one program build/bin/tests/<folder>-test, registered as one ctest entry of that name.
#   CPU_LEVELS   a second entry, <folder>-test-baseline, runs it without AVX2 and AVX-512.
#   SHORT        compiled with -O0: for tests that run for a few seconds at most and do not instantiate loops of ours.
# Who edits one of many tests names it in ONNXFOLD_ALONE: a batch of elements-test takes half a minute.
function(onnxfold_gtest folder)
  cmake_parse_arguments(ARG "CPU_LEVELS;SHORT" "" "DEPS;FOLDERS" ${ARGN})
  string(REPLACE "/" "-" id ${folder})
  list(TRANSFORM ARG_FOLDERS APPEND /*.cpp)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp ${ARG_FOLDERS})
  onnxfold_executable(${id}-test SOURCES ${sources}
    DEPS ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  onnxfold_compile_alone(${sources})
  onnxfold_link_fast(${id}-test)
  set_target_properties(${id}-test PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tests)
  onnxfold_test_options(${id}-test "${ARG_SHORT}")
  add_test(NAME ${id}-test COMMAND ${id}-test --gtest_brief=1)
  set_tests_properties(${id}-test PROPERTIES LABELS gtest)
  if(ARG_CPU_LEVELS)
    add_test(NAME ${id}-test-baseline COMMAND ${id}-test --gtest_brief=1)
    set_tests_properties(${id}-test-baseline PROPERTIES LABELS gtest
      ENVIRONMENT ONNXFOLD_CPU_LEVEL=baseline)
  endif()
endfunction()

# The Python of the tests: ./run-tests makes it with the packages of tests/requirements.txt, in build/,
# whose copy other build folders use.
set(ONNXFOLD_TEST_PYTHON ${PROJECT_SOURCE_DIR}/build/venv/bin/python3 CACHE FILEPATH
    "Python with the packages of tests/requirements.txt")
set(ONNXFOLD_TEST_DATA ${PROJECT_SOURCE_DIR}/build/test-data/onnx/backend/test/data CACHE PATH
    "onnx/backend/test/data of the onnx 1.22.0 wheel")

# All **/*.mlir as one ctest entry `lit`; lit itself looks for the files.
function(onnxfold_lit_tests)
  find_program(ONNXFOLD_LIT NAMES lit lit-22 HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
  configure_file(${PROJECT_SOURCE_DIR}/tests/lit.site.cfg.py.in
                 ${PROJECT_BINARY_DIR}/tests/lit.site.cfg.py @ONLY)
  add_test(NAME lit COMMAND ${ONNXFOLD_LIT} -v ${PROJECT_BINARY_DIR}/tests)
  set_tests_properties(lit PROPERTIES LABELS lit)
endfunction()

# onnxfold_python_parts(<result> <modules>): the modules, which are paths below tests/, in parts of about the same time, as
# lists of the names <result>_<part>; <result> is the list of parts.
function(onnxfold_python_parts result)
  set(parts dml onnx tools-1 tools-2 rest)
  set(place 2)
  foreach(module IN LISTS ARGN)
    string(REGEX MATCH "^[^/]*" part ${module})
    if(part STREQUAL "tools")
      math(EXPR place "3 - ${place}") # 1 and 2 in turn
      set(part tools-${place})
    endif()
    if(NOT part IN_LIST parts)
      set(part rest)
    endif()
    list(APPEND ${result}_${part} ${PROJECT_SOURCE_DIR}/tests/${module})
  endforeach()
  foreach(part IN LISTS parts)
    set(${result}_${part} ${${result}_${part}} PARENT_SCOPE)
  endforeach()
  set(${result} ${parts} PARENT_SCOPE)
endfunction()

# The Python tests, which are pytest modules, in two forms. python-<part> (label python-all) are all of them in five runs, of
# which ctest has as many at once as there are processors: imports are paid five times and not 230 times, and there is no
# pytest-xdist, which takes 2 ms for a test and collects all of them in each process. ./run-tests takes these.
# python/<folder>/<name> (label python-module) is one module, for who chooses: ./run-tests -R unroll. Whoever calls ctest
# leaves out one of the labels. ONNXFOLD_LONG in the environment asks for the full counts.
function(onnxfold_python_tests)
  set(pytest ${ONNXFOLD_TEST_PYTHON} -m pytest -o cache_dir=${PROJECT_BINARY_DIR}/pytest-cache)
  set(environment ONNXFOLD_TOOL=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/onnx-fold ONNXFOLD_TEST_DATA=${ONNXFOLD_TEST_DATA}
      PYTHONPYCACHEPREFIX=${PROJECT_BINARY_DIR}/pycache)
  if(TARGET fold-server)
    list(APPEND environment ONNXFOLD_SERVER=$<TARGET_FILE:fold-server>)
  endif()
  file(GLOB_RECURSE modules CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/tests
       ${PROJECT_SOURCE_DIR}/tests/test_*.py)
  onnxfold_python_parts(parts ${modules})
  foreach(part IN LISTS parts)
    add_test(NAME python-${part} COMMAND ${pytest} -q ${parts_${part}})
    # Of a whole part, which no limit of one entry (ctest --timeout) fits; the longest entries begin first.
    set_tests_properties(python-${part} PROPERTIES LABELS python-all TIMEOUT 36000 COST 1000 ENVIRONMENT "${environment}")
  endforeach()
  foreach(module IN LISTS modules)
    string(REGEX REPLACE "/?test_([^/]*)\\.py$" "/\\1" name ${module})
    add_test(NAME python/${name} COMMAND ${pytest} ${PROJECT_SOURCE_DIR}/tests/${module})
    set_tests_properties(python/${name} PROPERTIES LABELS python-module ENVIRONMENT "${environment}")
  endforeach()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_test(NAME layers COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_layers.py)
  # That headers compile alone: those that the change can have broken, all of them with --long. A build of
  # all_verify_interface_header_sets takes 190 CPU seconds for 173 headers, each of which is compiled in a batch of
  # sources as well, and a batch of headers would hide what all but its first one forget.
  add_test(NAME headers COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_headers.py ${PROJECT_BINARY_DIR})
  set_tests_properties(headers PROPERTIES PROCESSORS 2)
endfunction()
