# onnxfold_gtest, onnxfold_lit_tests, onnxfold_python_tests.
enable_testing()
find_package(GTest REQUIRED)

# onnxfold_gtest(<folder> [DEPS <targets>] [PRECOMPILE]): all *Test.cpp of tests/<folder> in one
# program build/bin/tests/<folder>-test, registered as one ctest entry of that name.
function(onnxfold_gtest folder)
  cmake_parse_arguments(ARG "PRECOMPILE" "" "DEPS" ${ARGN})
  string(REPLACE "/" "-" id ${folder})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  set(precompile)
  if(ARG_PRECOMPILE)
    set(precompile PRECOMPILE)
  endif()
  onnxfold_executable(${id}-test SOURCES ${sources} ${precompile}
    DEPS ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  set_target_properties(${id}-test PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/tests)
  add_test(NAME ${id}-test COMMAND ${id}-test --gtest_brief=1)
  set_tests_properties(${id}-test PROPERTIES LABELS gtest TIMEOUT 600)
endfunction()

function(onnxfold_lit_tests)
endfunction()
function(onnxfold_python_tests)
endfunction()
