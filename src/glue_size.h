// Must be included first in the glue. A glue function runs only once in a call of R, but
// the glue would be half of the library. So it is optimised for size. The objects of the
// glue are linked last (Makevars). So shared templates come from the core, which is
// optimised for speed.
#pragma once
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
