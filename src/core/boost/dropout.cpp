#include "core/boost/dropout.h"

#include "core/base/random.h"

namespace rankmix::boost {

std::vector<std::size_t> Dropout::next() const {
  std::vector<std::size_t> dropped;
  if (!drops()) {
    return dropped;
  }
  const std::uint64_t stream =
      random_stream(seed_, Purpose::kTreeDropout, weights_.size());
  for (std::size_t t = 0; t < weights_.size(); ++t) {
    if (unit_uniform(mix_bits(stream ^ t)) < rate_) {
      dropped.push_back(t);
    }
  }
  return dropped;
}

double Dropout::weight_of_new(std::size_t dropped) const {
  return dropped == 0 ? learning_rate_
                      : learning_rate_ / (static_cast<double>(dropped) + learning_rate_);
}

void Dropout::add_round() {
  const std::vector<std::size_t> dropped = next();
  const auto count = static_cast<double>(dropped.size());
  for (std::size_t t : dropped) {
    weights_[t] *= count / (count + learning_rate_);
  }
  weights_.push_back(weight_of_new(dropped.size()));
}

}  // namespace rankmix::boost
