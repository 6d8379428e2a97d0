#include "core/network/training.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/objective/evaluate.h"

namespace rankmix::network {
namespace {

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](double number) { return std::isfinite(number); });
}

// Least weight of a new batch in the running means and variances, which predictions use.
// The first ten batches are averaged with equal weights.
constexpr double kMomentFraction = 0.1;

}  // namespace

void Options::validate() const {
  shape.validate();
  if (epochs == 0 || batch == 0 || !(learning_rate > 0.0) || !(decay >= 0.0) ||
      !(dropout >= 0.0 && dropout < 1.0)) {
    throw InvalidArgument("impossible options of a network");
  }
}

Training::Training(MatrixView<const double> x,
                   std::unique_ptr<objective::Objective> objective,
                   const objective::Documents& documents, const Options& options,
                   Host& host)
    : options_(options),
      objective_(std::move(objective)),
      weights_(options.shape),
      adam_(options.shape.trained()) {
  prepare(x, documents, host);
}

Training::Training(const SparseView& x, std::unique_ptr<objective::Objective> objective,
                   const objective::Documents& documents, const Options& options,
                   Host& host)
    : options_(options),
      objective_(std::move(objective)),
      weights_(options.shape),
      adam_(options.shape.trained()) {
  prepare(x, documents, host);
}

template <class Matrix>
void Training::prepare(const Matrix& x, const objective::Documents& documents,
                       Host& host) {
  options_.validate();
  if (x.cols() != options_.shape.inputs || x.rows() != documents.rows()) {
    throw InvalidArgument("features of another size than the network or the documents");
  }
  objective::check_documents(*objective_, documents);
  layouts_ = options_.shape.layouts();
  documents_ =
      std::make_unique<PackedDocuments>(documents, hash_documents(x, documents, host));
  PackedRows packed = pack_rows(x, *documents_, options_.logarithms, host);
  tiles_ = std::move(packed.tiles);
  model_.scale = std::move(packed.scale);
  host.checkpoint();
  batch_ = std::make_unique<Batch>(options_.shape, *objective_, *documents_, tiles_);
  objective_->begin_stage(0);
  total_weight_ = objective::total_weight(*objective_, documents_->view(), host);
  draw_start(host);
  keep_numbers();
}

void Training::draw_start(Host& host) {
  const Shape& shape = options_.shape;
  numbers_.assign(shape.numbers(), 0.0);
  decays_.assign(shape.trained(), 0.0);
  const std::vector<double>& factor = model_.scale.factor;
  const auto varying = std::count_if(factor.begin(), factor.end(),
                                     [](double times) { return times != 0.0; });
  for (std::size_t l = 0; l < layouts_.size(); ++l) {
    const LayerLayout& layout = layouts_[l];
    const bool is_score = l + 1 == layouts_.size();
    const auto inputs =
        static_cast<double>(l == 0 ? std::max<std::ptrdiff_t>(1, varying)
                                   : static_cast<std::ptrdiff_t>(layout.inputs));
    const double sides = is_score || shape.activation != Activation::kRelu
                             ? inputs + static_cast<double>(layout.units)
                             : inputs;
    const double limit = std::sqrt(6.0 / sides);
    for (std::size_t i = 0; i < layout.inputs * layout.units; ++i) {
      const std::uint64_t bits =
          random_bits(options_.seed, Purpose::kInitialWeights, l, i);
      numbers_[layout.weights + i] = limit * (2.0 * unit_uniform(bits) - 1.0);
      decays_[layout.weights + i] = options_.decay;
    }
    if (!is_score && shape.normalizes()) {
      std::fill_n(numbers_.data() + layout.scale, layout.units, 1.0);
    }
    if (!is_score && shape.normalization == Normalization::kBatch) {
      std::fill_n(numbers_.data() + layout.variance, layout.units, 1.0);
    }
  }
  numbers_[layouts_.back().bias] = objective_->best_constant(documents_->view(), host);
}

void Training::keep_numbers() {
  std::vector<double> kept(numbers_.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    kept[i] = static_cast<double>(static_cast<float>(numbers_[i]));
  }
  model_.numbers.push_back(std::move(kept));
}

// Fisher-Yates shuffle.
std::vector<int> Training::draw_query_order(std::size_t epoch) const {
  std::vector<int> queries(documents_->queries());
  std::iota(queries.begin(), queries.end(), 0);
  const std::uint64_t stream = random_stream(options_.seed, Purpose::kBatches, epoch);
  for (std::size_t i = queries.size(); i > 1; --i) {
    const double fraction = unit_uniform(mix_bits(stream ^ i));
    std::swap(queries[i - 1],
              queries[static_cast<std::size_t>(fraction * static_cast<double>(i))]);
  }
  return queries;
}

void Training::begin_epoch(std::size_t epoch, Host& host) {
  const std::size_t stages = objective_->stages();
  const std::size_t stage = std::min(stages - 1, epoch * stages / options_.epochs);
  if (stage != stage_) {
    stage_ = stage;
    objective_->begin_stage(stage);
  }
  const std::uint64_t stream = random_stream(options_.seed, Purpose::kObjective, epoch);
  objective_->begin_round({epoch, stream}, documents_->view(), batch_->scores(), host);
}

void Training::note_moments() {
  if (options_.shape.normalization != Normalization::kBatch) {
    return;
  }
  const double fraction = std::max(kMomentFraction, 1.0 / static_cast<double>(steps_));
  for (std::size_t l = 0; l + 1 < layouts_.size(); ++l) {
    const LayerLayout& layout = layouts_[l];
    const View<const double> sums = batch_->moments(l);
    for (std::size_t u = 0; u < layout.units; ++u) {
      const double mean = sums[u] / batch_->documents();
      const double variance =
          std::max(0.0, sums[layout.units + u] / batch_->documents() - mean * mean);
      double& old_mean = numbers_[layout.mean + u];
      double& old_variance = numbers_[layout.variance + u];
      old_mean += fraction * (mean - old_mean);
      old_variance += fraction * (variance - old_variance);
    }
  }
}

bool Training::step(View<const int> queries, double times, Host& host) {
  host.checkpoint();
  weights_.set(numbers_);
  const Dropout dropout{options_.dropout,
                        random_stream(options_.seed, Purpose::kDropout, steps_)};
  ++steps_;
  if (!batch_->evaluate(weights_, queries, times, dropout, host)) {
    return false;
  }
  std::vector<double> gradient(batch_->gradient().begin(), batch_->gradient().end());
  // Adam would turn the rounding errors of a zero gradient into full steps.
  if (objective_->traits().shift_invariant) {
    gradient[layouts_.back().bias] = 0.0;
  }
  adam_.move(gradient, options_.learning_rate, decays_,
             {numbers_.data(), gradient.size()});
  note_moments();
  return true;
}

bool Training::run_epoch(std::size_t epoch, Host& host) {
  begin_epoch(epoch, host);
  const std::vector<int> queries = draw_query_order(epoch);
  const std::size_t batches = (queries.size() + options_.batch - 1) / options_.batch;
  const double times = static_cast<double>(batches) / total_weight_;
  double value = 0.0;
  bool any_gradient = false;
  for (std::size_t b = 0; b < batches; ++b) {
    const std::size_t begin = queries.size() * b / batches;
    const std::size_t end = queries.size() * (b + 1) / batches;
    if (!step({queries.data() + begin, end - begin}, times, host)) {
      model_.status = Status::kDiverged;
      return false;
    }
    value += batch_->value();
    any_gradient = any_gradient || batch_->any_gradient();
  }
  if (!all_finite(numbers_)) {
    model_.status = Status::kDiverged;
    return false;
  }
  model_.values.push_back(value / total_weight_);
  keep_numbers();
  if (!any_gradient) {
    model_.status = Status::kStalled;
    return false;
  }
  return true;
}

void Training::run(std::size_t epochs, std::size_t total, Host& host) {
  if (!(total_weight_ > 0.0)) {
    model_.status = Status::kStalled;
  }
  for (std::size_t e = 0; e < epochs && model_.status == Status::kLimit; ++e) {
    const std::size_t epoch = model_.values.size();
    if (run_epoch(epoch, host)) {
      host.progress(epoch + 1, total);
    }
  }
}

Gradient Training::gradient(Host& host) {
  std::vector<int> queries(documents_->queries());
  std::iota(queries.begin(), queries.end(), 0);
  weights_.set(numbers_);
  if (!batch_->evaluate(weights_, queries, 1.0 / total_weight_, Dropout(), host)) {
    throw InvalidArgument("a network with scores that are not finite");
  }
  return {batch_->value() / total_weight_,
          {batch_->gradient().begin(), batch_->gradient().end()}};
}

}  // namespace rankmix::network
