// Tables of the records of a RecordHost, as lines of words separated by tabs.
//
//   phase  PHASE SECONDS SERIAL CALLS           SERIAL: outside of calls, or in calls of one task
//   place  PHASE PLACE CALLS FEWEST MOST SECONDS  the numbers of tasks, the seconds of all tasks
//   gap    PHASE PLACE PLACE SECONDS            serial work between calls of two places
//   curve  PHASE THREADS COST SECONDS           simulated; COST is low or high, see policy.h
//   calls  PHASE PLACE THREADS SECONDS          part of the curve with low costs
//   same   PHASE PLACE THREADS SHARE            of the seconds, in tasks that the same thread did
//                                               in the previous call of as many tasks
#pragma once
#include "policy.h"
#include "record_host.h"

namespace replay {

// The lines `phase` and `gap`.
void print_serial(const RecordHost& host);
// The lines `place`.
void print_places(const RecordHost& host);
// The other lines, for a record of work that is split for this number of threads.
void print_curves(const RecordHost& host, std::size_t threads, const PoolCost& cost);

}  // namespace replay
