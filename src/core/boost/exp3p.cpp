#include "core/boost/exp3p.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/base/units.h"

namespace rankmix::boost {

void BanditOptions::validate() const {
  if (!(exploration > 0.0 && exploration <= 1.0 && eta >= 0.0 && horizon >= 1.0)) {
    throw InvalidArgument("impossible options of the bandit");
  }
}

Exp3P::Exp3P(std::vector<std::size_t> features, const BanditOptions& options,
             std::uint64_t seed)
    : features_(std::move(features)),
      options_(options),
      seed_(seed),
      log_weights_(features_.size(), 0.0),
      chances_(features_.size()) {
  options.validate();
}

void Exp3P::find_chances() {
  const double most = *std::max_element(log_weights_.begin(), log_weights_.end());
  double sum = 0.0;
  for (std::size_t j = 0; j < chances_.size(); ++j) {
    chances_[j] = std::exp(log_weights_[j] - most);
    sum += chances_[j];
  }
  const double floor = options_.exploration / static_cast<double>(chances_.size());
  for (double& chance : chances_) {
    chance = (1.0 - options_.exploration) * chance / sum + floor;
  }
}

std::size_t Exp3P::choose() {
  find_chances();
  const double u =
      unit_uniform(random_bits(seed_, Purpose::kBandit, pulls_.feature.size(), 0));
  double below = 0.0;
  pulled_ = 0;
  while (pulled_ + 1 < chances_.size() && u >= (below += chances_[pulled_])) {
    ++pulled_;
  }
  return features_[pulled_];
}

void Exp3P::reward(tree::ScoreKind kind, double score) {
  // Documents without weight give no information.
  const double part =
      fraction_ > 0.0 ? std::clamp(score / (kUnits * fraction_), 0.0, 1.0) : 0.0;
  const double z =
      kind == tree::ScoreKind::kEdge ? std::sqrt(1.0 - part * part) : 1.0 - part;
  const double reward = z > 0.0 ? std::min(1.0, -std::log(z)) : 1.0;
  learn(pulled_, reward);
}

// chances_ must still be the probabilities with which the arm was drawn.
void Exp3P::learn(std::size_t arm, double reward) {
  const auto arms = static_cast<double>(features_.size());
  const double rate = options_.exploration / (3.0 * arms);
  const double bonus = options_.eta / std::sqrt(arms * options_.horizon);
  for (std::size_t j = 0; j < features_.size(); ++j) {
    const double estimate = j == arm ? reward : 0.0;
    log_weights_[j] += rate * (estimate + bonus) / chances_[j];
  }
  pulls_.feature.push_back(static_cast<int>(features_[arm]));
  pulls_.reward.push_back(reward);
}

void Exp3P::replay(const Pulls& pulls) {
  for (std::size_t i = 0; i < pulls.feature.size(); ++i) {
    const auto feature = static_cast<std::size_t>(pulls.feature[i]);
    const auto at = std::lower_bound(features_.begin(), features_.end(), feature);
    if (at == features_.end() || *at != feature) {
      throw InvalidArgument(
          "the bandit of the model has used a feature that the data lack");
    }
    find_chances();
    learn(static_cast<std::size_t>(at - features_.begin()), pulls.reward[i]);
  }
}

}  // namespace rankmix::boost
