// The interface between the core and the program that runs it: threads, progress and
// interruption.
//
// The core never starts a thread, prints or polls for signals itself. The implementation
// for R is in host_parallel.cpp. The C++ tests have their own hosts.
#pragma once
#include <cstddef>

#include "core/base/function_ref.h"
#include "core/base/reducer.h"

namespace rankmix {

class Host {
 public:
  virtual ~Host() = default;

  // Runs task(i) once for each i in [0, count), in any order and on any thread, and
  // returns when all are done. An exception of a task is rethrown here, on the calling
  // thread. Callers must cut work by its size, never by the number of threads, unless the
  // result is exact in any order. A thread usually gets neighbouring tasks, and the same
  // range of tasks in every call. So tasks on the same rows should have the same index in
  // every call.
  virtual void parallel_for(std::size_t count,
                            const FunctionRef<void(std::size_t)>& task) = 0;

  // Number of threads that run tasks at the same time, at most.
  virtual std::size_t threads() const { return 1; }

  // Throws Interrupted if the user asked to stop. Algorithms call it often, also in long
  // tasks of parallel_for(), on any thread.
  virtual void checkpoint() = 0;

  // Reports that `done` of `total` steps are finished.
  virtual void progress(std::size_t done, std::size_t total) = 0;

  // Adds up numbers over the ranks that train one model together. If several ranks train
  // a model, functions that sum over its documents return sums over the documents of all
  // ranks.
  virtual Reducer& reducer() { return single_rank(); }
};

}  // namespace rankmix
