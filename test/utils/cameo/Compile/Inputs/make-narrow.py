"""Prints a convolution whose 16 filters fit one vector of AVX-512, and two of AVX2."""

filters = ", ".join(str(index * 7 % 11 - 5) for index in range(16 * 4 * 9))
print(f"""<ir_version: 8, opset_import: ["" : 17]>
narrow (float[1, 4, 9, 9] x) => (float[1, 16, 4, 4] y) <float[16, 4, 3, 3] w = {{{filters}}}> {{
  y = Conv <strides = [2, 2]> (x, w)
}}""")
