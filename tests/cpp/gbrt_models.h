// Whether two models of boosted trees are the same, bit for bit.
#pragma once
#include "core/boost/gbrt.h"

inline bool same(const rankmix::boost::GbrtModel& a, const rankmix::boost::GbrtModel& b) {
  return a.start == b.start && a.stalled == b.stalled &&
         a.forest.feature == b.forest.feature &&
         a.forest.threshold == b.forest.threshold &&
         a.forest.missing_left == b.forest.missing_left &&
         a.forest.values == b.forest.values && a.forest.gains == b.forest.gains &&
         a.forest.leaf_documents == b.forest.leaf_documents;
}
