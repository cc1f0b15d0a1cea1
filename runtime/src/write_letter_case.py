#!/usr/bin/python3
"""Writes letter_case_table.h: the code points that Unicode maps to one other code point in lower or upper case, as ranges.

Usage: write_letter_case.py > letter_case_table.h
"""
import sys
import unicodedata


def mappings(change):
    """Pairs of a code point and its image, where that is one other code point."""
    for code in range(0x80, sys.maxunicode + 1):
        image = change(chr(code))
        if len(image) == 1 and image != chr(code):
            yield code, ord(image)


def ranges(pairs):
    """Lists [first, last, step, distance]: code points that lie `step` apart and move by one distance."""
    found = []
    for code, image in pairs:
        distance = image - code
        if found and found[-1][3] == distance:
            first, last, step, _ = found[-1]
            gap = code - last
            if gap <= 2 and step in (0, gap):
                found[-1][1:3] = [code, gap]
                continue
        found.append([code, code, 0, distance])
    return [(first, last, step or 1, distance) for first, last, step, distance in found]


def main():
    print(f"/* Written by write_letter_case.py from Unicode {unicodedata.unidata_version}: first, last, step, distance. */")
    for name, change in (("to_lower", str.lower), ("to_upper", str.upper)):
        print(f"static const case_range {name}[] = {{")
        line = "   "
        for entry in ranges(mappings(change)):
            text = " {0x%x, 0x%x, %d, %d}," % entry
            if len(line + text) > 120:
                print(line)
                line = "   "
            line += text
        print(line + "\n};")


main()
