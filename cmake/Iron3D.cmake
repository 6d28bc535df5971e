# One call per room: sources, what it may link, and nothing else.
include_guard(GLOBAL)

set(IRON_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wshadow -Wundef)
# The simulation flags go to everything, so that no library differs (runtime.md 14, DD-RT-18).
set(IRON_FLAGS -ffp-contract=off -fno-math-errno -fno-strict-aliasing)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND IRON_FLAGS -msse2 -mfpmath=sse)
endif()

# iron_library(NAME SOURCES ... LINK ... [DIR folder])
function(iron_library name)
  cmake_parse_arguments(A "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(${name} STATIC ${A_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PUBLIC ${IRON_FLAGS} PRIVATE ${IRON_WARNINGS})
  target_link_libraries(${name} PUBLIC ${A_LINK} PRIVATE ${A_PRIVATE_LINK})
endfunction()

# iron_program(NAME SOURCES ... LINK ...): goes to build/bin.
function(iron_program name)
  cmake_parse_arguments(A "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  target_compile_options(${name} PRIVATE ${IRON_FLAGS} ${IRON_WARNINGS})
  target_link_libraries(${name} PRIVATE ${A_LINK})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# iron_test(NAME SOURCES ... LINK ...): one Catch2 binary per room; each TEST_CASE becomes a
# ctest entry "room: sentence". LABELS default to "unit" (./test --quick runs those).
function(iron_test name)
  cmake_parse_arguments(A "" "" "SOURCES;LINK;LABELS" ${ARGN})
  if(NOT IRON_TESTS)
    return()
  endif()
  if(NOT A_LABELS)
    set(A_LABELS unit)
  endif()
  add_executable(${name} ${A_SOURCES})
  target_compile_options(${name} PRIVATE ${IRON_FLAGS} ${IRON_WARNINGS})
  target_compile_definitions(${name} PRIVATE IRON_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             IRON_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_link_libraries(${name} PRIVATE ${A_LINK} iron_catch_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  string(REGEX REPLACE "^test_" "" room ${name})
  add_test(NAME ${room} COMMAND ${name} --use-colour no)
  set_tests_properties(${room} PROPERTIES LABELS "${A_LABELS}" TIMEOUT 300)
endfunction()

# iron_fuzz(NAME SOURCES ... LINK ...): a libFuzzer target with Clang, a corpus replayer elsewhere
# (tests/fuzz/driver.cpp runs every seed once). Seeds live in tests/fuzz/corpus/NAME/.
function(iron_fuzz name)
  cmake_parse_arguments(A "" "" "SOURCES;LINK" ${ARGN})
  if(NOT IRON_TESTS)
    return()
  endif()
  if(NOT TARGET fuzzers)
    add_custom_target(fuzzers)
  endif()
  add_executable(fuzz_${name} ${A_SOURCES})
  add_dependencies(fuzzers fuzz_${name})
  target_compile_options(fuzz_${name} PRIVATE ${IRON_FLAGS} ${IRON_WARNINGS})
  if(IRON_LIBFUZZER)
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz/driver.cpp)
  endif()
  target_link_libraries(fuzz_${name} PRIVATE ${A_LINK})
  set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME fuzz_${name}
           COMMAND fuzz_${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
  set_tests_properties(fuzz_${name} PROPERTIES LABELS "fuzz" TIMEOUT 300)
endfunction()
