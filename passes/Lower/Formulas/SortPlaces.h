// Sorts the places of a vector by integers, for operators that need all elements in order (Unique).
#ifndef CAMEO_PASSES_LOWER_FORMULAS_SORTPLACES_H
#define CAMEO_PASSES_LOWER_FORMULAS_SORTPLACES_H

#include "passes/Lower/Formulas/CollectPlaces.h"

namespace cameo::lower {

/// Places in order, in one row of a matrix of i64: a run decides which.
struct SortedPlaces {
  mlir::Value places, row;

  mlir::Value read(ScalarBuilder &s, mlir::Value number) const { return s.toIndex(s.extract(places, {row, number})); }
};

/// Sorts the places below `length` by the signed integers that `orderOf` returns; of equal ones the first place comes
/// first. The time is linear: a pass for each byte in which the integers differ.
SortedPlaces sortPlaces(GenericBuilder &b, const Dim &length, OfPlace orderOf);

} // namespace cameo::lower

#endif
