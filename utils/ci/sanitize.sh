# What the sanitizers of a build are told; sourced by what runs such a build.
#
# The distribution's LLVM is not instrumented: where it shares an allocator with our code, only ours would mark what is free. Its own leaks and those of a
# peer are not ours. A report ends the program with a status that no error has.
export ASAN_OPTIONS=${ASAN_OPTIONS:-allow_user_poisoning=0:exitcode=99}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:exitcode=99}
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$CAMEO_ROOT/utils/ci/foreign-leaks.txt:print_suppressions=0:exitcode=99}
