// Headers that most files of the core and its tests include, for a precompiled header.
//
// A file still includes what it uses: some builds have no precompiled header, see
// Makefile. A precompiled header is the main file of its compilation, so it has a guard
// instead of a pragma, of which compilers warn there.
#ifndef RANKMIX_TESTS_PRELUDE_H
#define RANKMIX_TESTS_PRELUDE_H
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#endif
