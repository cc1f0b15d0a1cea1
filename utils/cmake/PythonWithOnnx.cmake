# Finds a Python3_EXECUTABLE with onnx and numpy, for tests and benchmarks. The first one in PATH may not be the one that Debian's packages are for.
foreach(python python3 /usr/bin/python3)
  if(NOT Python3_EXECUTABLE)
    execute_process(COMMAND ${python} -c "import onnx, numpy, sys; print(sys.executable)"
      OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0)
      set(Python3_EXECUTABLE ${found})
    endif()
  endif()
endforeach()
find_package(Python3 COMPONENTS Interpreter REQUIRED)
