// EXP3.P, an adversarial bandit over features (Auer, Cesa-Bianchi, Freund & Schapire
// 2002, doi:10.1137/S0097539701398375; for boosting Busa-Fekete & Kegl 2010).
//
// With M arms, exploration g, eta e and horizon T: arm j is drawn with the probability
//   p_j = (1 - g) w_j / sum w + g / M.
// Its reward r in [0, 1] is estimated as r / p_j, and the rewards of the other arms as 0.
// Then
//   w_j *= exp(g / (3 M) (estimate_j + e / (p_j sqrt(M T)))).
// Weights start at 1. The reward of a stump is min(1, -log Z), where Z is the normaliser
// of the weights after the stump: sqrt(1 - edge^2) for votes -1 and +1.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/tree/sample.h"

namespace rankmix::boost {

struct BanditOptions {
  double exploration = 0.15;
  double eta = 0.3;
  double horizon = 10000.0;
  void validate() const;
};

// The history of all draws: the feature and its reward.
struct Pulls {
  std::vector<int> feature;
  std::vector<double> reward;

  Pulls first(std::size_t count) const {
    const auto end = static_cast<std::ptrdiff_t>(count);
    return {{feature.begin(), feature.begin() + end},
            {reward.begin(), reward.begin() + end}};
  }
};

class Exp3P : public tree::FeatureChooser {
 public:
  // `features` are the arms, in increasing order.
  Exp3P(std::vector<std::size_t> features, const BanditOptions& options,
        std::uint64_t seed);
  // Sets the fraction of all weights that the documents of the next searches have.
  void search(double fraction) { fraction_ = fraction; }
  std::size_t choose() override;
  void reward(tree::ScoreKind kind, double score) override;

  const Pulls& pulls() const { return pulls_; }
  // Restores the state after these draws.
  void replay(const Pulls& pulls);

 private:
  void find_chances();
  void learn(std::size_t arm, double reward);

  std::vector<std::size_t> features_;
  BanditOptions options_;
  std::uint64_t seed_;
  double fraction_ = 1.0;
  std::vector<double> log_weights_;
  std::vector<double> chances_;
  std::size_t pulled_ = 0;
  Pulls pulls_;
};

}  // namespace rankmix::boost
