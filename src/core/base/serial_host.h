// A host without threads: all tasks run on the calling thread, one after the other.
#pragma once
#include <cstddef>

#include "core/base/function_ref.h"
#include "core/base/host.h"

namespace rankmix {

class SerialHost : public Host {
 public:
  void parallel_for(std::size_t count,
                    const FunctionRef<void(std::size_t)>& task) override {
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
  }
  void checkpoint() override {}
  void progress(std::size_t, std::size_t) override {}
};

}  // namespace rankmix
