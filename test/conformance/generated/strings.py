"""String tensors: moved, compared, converted, joined, split and matched, as Python and NumPy do it."""

import re

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(23)
WORDS = ["", "a", "b", "Monday", "monday", "STRASSE", "stra\u00dfe", "\u00c9t\u00e9", "\u0416\u0443\u043a", "a b", "zz\U0001F600"]
NUMBERS = {
    "float64": [0.1, -1.5, 1e16, 1e-5, 123456.789, 0.0, numpy.inf, numpy.nan],
    "float32": [0.1, -1.5, 3e20, 1e-5, 16777216.0, -0.0, -numpy.inf, numpy.nan],
    "float16": [0.1, -1.5, 65504.0, 6e-8, 2049.0, 0.0, numpy.inf, 1.0],
    "int8": [-128, 127, 0], "int16": [-32768, 5, 0], "int32": [-2**31, 5, 0], "int64": [-2**63, 2**63 - 1, 0],
    "uint8": [255, 0], "uint16": [65535, 7], "uint32": [2**32 - 1, 7], "uint64": [2**64 - 1, 7], "bool": [True, False],
}
# A pattern, and strings of which it fully matches some.
PATTERNS = [
    (r"www.[\w.-]+\.\bcom\b", ["www.google.com", "www.facebook.com", "www.bbc.co.uk", "www.-.com"]),
    (r"(\W|^)[\w.\-]{0,25}@(yahoo|gmail)\.com(\W|$)", ["account@gmail.com", "account@hotmail.com", "not email", "account2@yahoo.com", "@gmail.com!"]),
    (r"", ["", "a"]),
    (r"a*?b+|c{2,3}d?", ["b", "aab", "cc", "cccd", "c", "ccccd", "ab "]),
    ("(?i)stra\u00dfe|(?i:\u00e9T\u00e9)", ["STRASSE", "stra\u00dfe", "STRA\u00dfE", "\u00c9T\u00c9", "\u00e9t\u00e8"]),
    (r"[^a-c\d]+", ["xyz", "xay", "\u00e9\u0416\U0001F600", "", "x1"]),
    (r"(?s).", ["\n", "\u00e9", "\U0001F600", "ab"]),
    (r".", ["\n", "\u00e9", "\uffff", "\U00010000", ""]),
    (r"\bfoo\b.*\Bar", ["foo bar", "foobar", "foo ar", "foo.xar"]),
    (r"(?m)^a$\n^b$", ["a\nb", "ab", "a\nb\n"]),
    ("[\u00e0-\u017f\u4e00-\u9fff]+", ["\u00e9\u4e2d", "\u00df", "\u0180", "\u9fff\u00e0"]),
    (r"(?:x(?:y|z)*){2,4}", ["xx", "xyzxy", "x", "xxxxx", "xyyyxzzx"]),
    (r"\x41B?", ["A", "AB", "B"]),
    (r"[\[.\]-]+", ["[.]-", "]", "a"]),
]


def strings(values, shape=None):
    array = numpy.empty(len(values), object)
    array[:] = values
    return array if shape is None else array.reshape(shape)


def random_strings(shape):
    return strings([WORDS[i] for i in RANDOM.integers(0, len(WORDS), int(numpy.prod(shape)))], shape)


def each(function, *arrays):
    """Applies a function of strings to each element; the dtype is object, so that no string is truncated."""
    return numpy.frompyfunc(function, len(arrays), 1)(*arrays)


def write_casts(folder):
    for kind, numbers in NUMBERS.items():
        x = numpy.array(numbers, kind)
        written = strings([str(number) for number in x])
        write_case(folder, f"test_strings_cast_from_{kind}", "Cast", [x], [written], opset=21, to=8)
        stored = {"bool": 9, "float64": 11, "float32": 1, "float16": 10, "int8": 3, "int16": 5, "int32": 6, "int64": 7, "uint8": 2, "uint16": 4,
                  "uint32": 12, "uint64": 13}[kind]
        write_case(folder, f"test_strings_cast_to_{kind}", "Cast", [written], [x], opset=21, to=stored)
    forms = strings([" 1.5 ", "+2", "-.5e1", "1E3", "inf", "-Infinity", "NaN", "00012", "3."])
    write_case(folder, "test_strings_cast_forms", "Cast", [forms], [numpy.array([float(x) for x in forms], "float32")], opset=21, to=1)


def write_movements(folder):
    x, y = random_strings((3, 4)), random_strings((3, 4))
    index = numpy.array([2, -1, 0])
    write_case(folder, "test_strings_identity", "Identity", [x], [x], opset=16)
    write_case(folder, "test_strings_reshape", "Reshape", [x, numpy.array([2, 6])], [x.reshape(2, 6)], opset=14, constants=(1,))
    write_case(folder, "test_strings_transpose", "Transpose", [x], [x.T], opset=13, perm=[1, 0])
    write_case(folder, "test_strings_concat", "Concat", [x, y], [numpy.concatenate([x, y], 1)], opset=13, axis=1)
    write_case(folder, "test_strings_concat_constant", "Concat", [x, y], [numpy.concatenate([x, y], 0)], opset=13, constants=(1,), axis=0)
    write_case(folder, "test_strings_gather", "Gather", [x, index], [x.take(index, 0)], opset=13, axis=0)
    write_case(folder, "test_strings_gather_constant", "Gather", [x, index], [x.take(index, 1)], opset=13, constants=(0,), axis=1)
    write_case(folder, "test_strings_slice", "Slice", [x, numpy.array([1]), numpy.array([3]), numpy.array([1])], [x[:, 1:3]], opset=13, constants=(1, 2, 3))
    write_case(folder, "test_strings_where", "Where", [x == y, x, strings(["?"])], [numpy.where(x == y, x, "?")], opset=16)
    z = random_strings((4,))
    write_case(folder, "test_strings_equal", "Equal", [x, z], [(x == z).astype(bool)], opset=19)
    write_case(folder, "test_strings_expand", "Expand", [z, numpy.array([2, 4])], [numpy.tile(z, (2, 1))], opset=13, constants=(1,))
    write_case(folder, "test_strings_tile", "Tile", [x, numpy.array([2, 1])], [numpy.tile(x, (2, 1))], opset=13, constants=(1,))
    padded = numpy.full((5, 4), "", object)
    padded[1:4] = x
    write_case(folder, "test_strings_pad", "Pad", [x, numpy.array([1, 0, 1, 0])], [padded], opset=19, constants=(1,))
    filled = padded.copy()
    filled[[0, 4]] = "#"
    write_case(folder, "test_strings_pad_value", "Pad", [x, numpy.array([1, 0, 1, 0]), strings(["#"], ())], [filled], opset=19, constants=(1, 2))
    condition = numpy.array([True, False, True])
    write_case(folder, "test_strings_compress", "Compress", [x, condition], [x[condition]], opset=11, axis=0)
    scattered = x.copy()
    scattered[[0, 2]] = y[:2]
    write_case(folder, "test_strings_scatter", "ScatterND", [x, numpy.array([[0], [2]]), y[:2]], [scattered], opset=18)
    write_case(folder, "test_strings_unique", "Unique", [x], [numpy.unique(x.astype(str)).astype(object)], opset=11)
    write_case(folder, "test_strings_split", "Split", [x], [x[:, :2], x[:, 2:]], opset=18, axis=1, num_outputs=2)


def write_normalizers(folder):
    words = strings(["Monday", "tuesday", "\u00c9t\u00e9", "MONDAY", "monday", "\u0416\u0443\u043a"])
    change = {"NONE": str, "LOWER": str.lower, "UPPER": str.upper}
    for action, function in change.items():
        for is_sensitive in (0, 1):
            stop = ["Monday", "\u00e9T\u00c9"]
            same = (lambda a, b: a == b) if is_sensitive else (lambda a, b: a.lower() == b.lower())
            kept = [function(word) for word in words if not any(same(word, other) for other in stop)]
            name = f"test_strings_normalizer_{action.lower()}_{'sensitive' if is_sensitive else 'insensitive'}"
            write_case(folder, name, "StringNormalizer", [words], [strings(kept)], opset=10, case_change_action=action, is_case_sensitive=is_sensitive,
                       stopwords=stop, locale="en_US")
    write_case(folder, "test_strings_normalizer_nothing_left", "StringNormalizer", [words[None, :1]], [strings([""], (1, 1))], opset=10, stopwords=["monday"])


def pad_parts(parts, shape):
    most = max((len(each_) for each_ in parts), default=0)
    return strings([part for each_ in parts for part in each_ + [""] * (most - len(each_))], shape + (most,))


def write_splits(folder):
    x = strings(["a,b,,c", "", ",", "no delimiter", " two  words ", "1,2"], (2, 3))
    for name, delimiter, most in (("comma", ",", None), ("limited", ",", 1), ("none", ",", 0), ("blanks", None, None), ("blanks_limited", "", 1), ("long", "b,,", None)):
        parts = [string.split(delimiter or None, -1 if most is None else most) for string in x.ravel()]
        attributes = {key: value for key, value in (("delimiter", delimiter), ("maxsplit", most)) if value is not None}
        counts = numpy.array([len(each_) for each_ in parts], "int64").reshape(x.shape)
        write_case(folder, f"test_strings_string_split_{name}", "StringSplit", [x], [pad_parts(parts, x.shape), counts], opset=20, **attributes)


def write_cases(folder):
    write_casts(folder)
    write_movements(folder)
    write_normalizers(folder)
    write_splits(folder)
    x, y = random_strings((3, 1)), random_strings((4,))
    write_case(folder, "test_strings_string_concat_broadcast", "StringConcat", [x, y], [each(lambda a, b: a + b, x, y)], opset=20)
    write_case(folder, "test_strings_string_concat_constant", "StringConcat", [x, strings(["!"], ())], [each(lambda a: a + "!", x)], opset=20, constants=(1,))
    for number, (pattern, candidates) in enumerate(PATTERNS):
        flags = re.ASCII if not pattern.startswith("(?i") else 0
        matches = [re.fullmatch(pattern.replace("|(?i:", "|(?:"), string, flags) is not None for string in candidates]
        write_case(folder, f"test_strings_regex_{number}", "RegexFullMatch", [strings(candidates)], [numpy.array(matches)], opset=20, pattern=pattern)
