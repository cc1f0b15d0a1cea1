# The required version of LLVM and MLIR, the output folders, and the compiler flags of our own code.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# The version file accepts only an equal major.minor; plain 22 is refused.
find_package(MLIR 22.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM) # add_public_tablegen_target needs it

find_program(CCACHE ccache)
if(CCACHE)
  # ccache finds a precompiled header again only if time stamps and macros are excluded from the hash.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# There is one include root: every header is named by its path in the repository. LLVM's headers are SYSTEM, so that warnings are errors in our code
# only.
include_directories(${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

add_library(CameoWarnings INTERFACE)
target_compile_options(CameoWarnings INTERFACE -Wall -Wextra -Werror -Wno-unused-parameter
  -Wno-missing-field-initializers)

# Assertions and names of lambdas contain the path of the source: that of this machine, or the path in the repository.
option(CAMEO_MAP_PATHS "Programs name their sources by the path in the repository: for packages" OFF)
if(CAMEO_MAP_PATHS)
  add_compile_options(-ffile-prefix-map=${PROJECT_BINARY_DIR}/= -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

set(CAMEO_SANITIZE "" CACHE STRING "Sanitizers of a whole build: address,undefined or thread")
if(CAMEO_SANITIZE)
  add_compile_options(-fsanitize=${CAMEO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CAMEO_SANITIZE MATCHES address AND CAMEO_SANITIZE MATCHES undefined)
    # These checks before each access take half of the time to compile C++, and AddressSanitizer finds most of what they do (RATIONALE.md).
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,alignment,object-size>)
  endif()
  add_link_options(-fsanitize=${CAMEO_SANITIZE})
endif()

# cameo_calls_models(SOURCE...): marks sources that call functions of compiled models. UBSan reads a function's type in front of its first
# instruction. Compiled models have none there, and there may be no mapped page in front of the first function.
function(cameo_calls_models)
  if(CAMEO_SANITIZE MATCHES undefined)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fno-sanitize=function SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
