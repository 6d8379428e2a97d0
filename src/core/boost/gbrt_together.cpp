// Trains several boosters on the same bins, round by round.
#include <algorithm>
#include <utility>

#include "core/boost/gbrt.h"
#include "core/tree/roots.h"

namespace rankmix::boost {

tree::GrownTree Gbrt::grow_from(tree::Sums root, const tree::Sample& sample, Host& host) {
  return grower_.grow_from_sums(residuals_->channels(), *finder(), options_.limits,
                                sample, host, std::move(root));
}

// Whether trees start from the sums of all documents, in slots that learners can share.
bool Gbrt::shares_root() const {
  return !options_.oblivious && !is_arranged_ && !dropout_.drops() &&
         options_.bagging_fraction == 1.0 && options_.query_fraction == 1.0 &&
         tree::RootSums::takes(residuals_->channels());
}

bool Gbrt::add_tree_on(tree::Sums* root, Host& host) {
  const bool grown = grow_prepared(rounds(), dropout_.weight_of_new(0), root, host);
  if (grown) {
    dropout_.add_round();
  }
  return grown;
}

// Adds one round to each fit. Returns the fits that have grown a tree, in the same order.
std::vector<Gbrt*> Gbrt::add_trees(const std::vector<Gbrt*>& fits, tree::RootSums& roots,
                                   Host& host) {
  std::vector<Gbrt*> sharing;
  std::vector<tree::ChannelSource> sources;
  for (Gbrt* fit : fits) {
    if (fit->shares_root() && fit->residuals_->prepare(host)) {
      sharing.push_back(fit);
      sources.push_back(fit->residuals_->channels());
    }
  }
  std::vector<tree::Sums> sums;
  if (sharing.size() > 1) {
    sums = roots.add_up(sources, host);
  }
  std::vector<Gbrt*> grown;
  for (Gbrt* fit : fits) {
    const auto k = static_cast<std::size_t>(
        std::find(sharing.begin(), sharing.end(), fit) - sharing.begin());
    const bool added = k < sharing.size()
                           ? fit->add_tree_on(sums.empty() ? nullptr : &sums[k], host)
                           : !fit->shares_root() && fit->add_tree(host);
    fit->model_.stalled = !added;
    if (added) {
      grown.push_back(fit);
    }
  }
  return grown;
}

void Gbrt::run_together(const std::vector<Gbrt*>& fits, std::size_t trees,
                        std::size_t total, Host& host) {
  if (fits.empty()) {
    return;
  }
  if (fits.size() > 1) {
    for (Gbrt* fit : fits) {
      fit->own_bins_ = nullptr;
      fit->order_.reset();
      // Whether a rank reorders its rows depends on the size of its own data.
      fit->is_arranged_ = host.reducer().any_of(fit->is_arranged_);
    }
  }
  tree::RootSums roots(fits.front()->bins_);
  std::vector<Gbrt*> running = fits;
  for (std::size_t i = 0; i < trees && !running.empty(); ++i) {
    host.checkpoint();
    running = add_trees(running, roots, host);
    if (!running.empty()) {
      host.progress(running.front()->rounds(), total);
    }
  }
}

void Gbrt::run(std::size_t trees, std::size_t total, Host& host) {
  // Moving the rows costs as much as growing a fraction of a tree. Fewer trees do not
  // recover this cost.
  constexpr std::size_t break_even = 4 * RowOrder::kTrees;
  if (own_bins_ != nullptr && order_ == nullptr && total >= rounds() + break_even) {
    order_ = std::make_unique<RowOrder>(bins_.rows());
  }
  run_together({this}, trees, total, host);
}

}  // namespace rankmix::boost
