"""A model as a cc_library: its object and header, and the runtime of an installation of Cameo. `cameo` is found in PATH."""

def cameo_model(name, model, data = [], options = [], **attributes):
    """`data` has the model's external data and records, since Bazel reads no depfile; other attributes are those of cc_library."""
    native.genrule(
        name = name + "_compile",
        srcs = [model] + data,
        outs = [name + ".o", name + ".h"],
        cmd = "cameo compile $(location %s) -o $(location %s.o) --header=$(location %s.h) --prefix=%s %s" %
              (model, name, name, name, " ".join(options)),
    )
    native.cc_library(
        name = name,
        srcs = [name + ".o"],
        hdrs = [name + ".h"],
        # The folder of a package is one for includes, that of the whole workspace may be none and is searched anyway.
        includes = ["."] if native.package_name() else [],
        linkopts = ["-lcameo_rt", "-lm", "-lpthread"],
        **attributes
    )
