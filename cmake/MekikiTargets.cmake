# One library per folder of src/. mekiki_library(NAME DEPENDS a b LIBS external...) takes every .cpp of the folder except
# *_test.cpp, *_benchmark.cpp, *_fuzz.cpp and *_main.cpp, links the named folders, and makes one test program of the *_test.cpp.

add_library(mekiki_options INTERFACE)
target_compile_features(mekiki_options INTERFACE cxx_std_20)
target_include_directories(mekiki_options INTERFACE "${CMAKE_SOURCE_DIR}/src")
target_compile_options(mekiki_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers
                       $<$<BOOL:${MEKIKI_WERROR}>:-Werror>)

function(mekiki_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBS;EXTRA" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/families/*.cpp"
       "${CMAKE_CURRENT_SOURCE_DIR}/readers/*.cpp")
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h" "${CMAKE_CURRENT_SOURCE_DIR}/families/*.h"
       "${CMAKE_CURRENT_SOURCE_DIR}/readers/*.h")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|benchmark|fuzz|main)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  add_library(mekiki_${name} STATIC ${sources} ${ARG_EXTRA})
  if(NOT sources)
    set_target_properties(mekiki_${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  target_sources(mekiki_${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${CMAKE_SOURCE_DIR}/src" FILES ${headers})
  set_target_properties(mekiki_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  list(TRANSFORM ARG_DEPENDS PREPEND mekiki_)
  target_link_libraries(mekiki_${name} PUBLIC mekiki_options ${ARG_DEPENDS} ${ARG_LIBS})
  if(MEKIKI_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE mekiki_${name} GTest::gtest_main)
    # A release build optimises what users run; the tests themselves should compile fast.
    target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
    target_compile_definitions(${name}_test PRIVATE MEKIKI_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    add_test(NAME unit.${name} COMMAND ${name}_test)
    set_tests_properties(unit.${name} PROPERTIES LABELS unit)
  endif()
endfunction()

# mekiki_fuzz_target(NAME DEPENDS a b): NAME_fuzz.cpp of the current folder. Without MEKIKI_FUZZ it is linked with a driver that
# replays tests/fuzz/corpus/NAME/* so that every find stays found.
function(mekiki_fuzz_target name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  if(NOT MEKIKI_TESTS)
    return()
  endif()
  list(TRANSFORM ARG_DEPENDS PREPEND mekiki_)
  add_executable(${name}_fuzz ${name}_fuzz.cpp)
  target_link_libraries(${name}_fuzz PRIVATE ${ARG_DEPENDS})
  if(MEKIKI_FUZZ)
    target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
    target_compile_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${name}_fuzz PRIVATE "${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cpp")
    add_test(NAME fuzz.${name} COMMAND ${name}_fuzz "${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name}")
    set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz)
  endif()
endfunction()
