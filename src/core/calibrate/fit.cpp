#include "core/calibrate/fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/errors.h"
#include "core/base/serial_host.h"
#include "core/calibrate/gaussian_process.h"
#include "core/calibrate/kinds.h"
#include "core/calibrate/sigmoid_fit.h"
#include "core/calibrate/soft_ndcg.h"

namespace rankmix::calibrate {

std::vector<double> naive_gains(std::size_t grades, bool by_grade) {
  std::vector<double> gains = exponential_gains(grades);
  for (std::size_t l = 0; l < grades && by_grade; ++l) {
    gains[l] = static_cast<double>(l);
  }
  return gains;
}

namespace {

// The regression targets: gains 2^grade - 1, divided by the ideal DCG of the query if
// `normalize`.
std::vector<double> targets_of(const HeldOut& held, bool normalize) {
  std::vector<double> targets(held.rows());
  for (std::size_t q = 0; q < held.queries(); ++q) {
    const double ideal = normalize ? held.ideal[q] : 1.0;
    for (int i = held.offsets[q]; i < held.offsets[q + 1]; ++i) {
      const auto row = static_cast<std::size_t>(i);
      const double gain = std::ldexp(1.0, held.grades[row]) - 1.0;
      targets[row] = ideal > 0.0 ? gain / ideal : 0.0;
    }
  }
  return targets;
}

SigmoidLoss loss_of(Target target) {
  switch (target) {
    case Target::kLogSigmoid:
      return SigmoidLoss::kLogSigmoid;
    case Target::kEntropyWeighted:
      return SigmoidLoss::kEntropyWeighted;
    case Target::kExpectedLoss:
      return SigmoidLoss::kExpectedLoss;
    default:
      return SigmoidLoss::kExpectedLabelLoss;
  }
}

std::unique_ptr<Calibration> fit_polynomial(const HeldOut& held,
                                            const std::vector<double>& targets,
                                            std::size_t degree, Host& host) {
  std::vector<double> lower;
  std::vector<double> upper;
  for (std::size_t l = 0; l < held.f.cols(); ++l) {
    const auto range = std::minmax_element(held.f.col(l), held.f.col(l) + held.f.rows());
    lower.push_back(*range.first);
    upper.push_back(*range.second);
  }
  const PolynomialBasis basis(lower, upper, degree);
  return std::make_unique<PolynomialCalibration>(
      lower, upper, degree,
      solve_equations(normal_equations(basis, held.f, targets, held.weights, host)));
}

std::unique_ptr<Calibration> fit_single(const Method& method, const HeldOut& held,
                                        double range, Host& host) {
  if (method.kind == Kind::kNaive) {
    return std::make_unique<NaiveCalibration>(range,
                                              naive_gains(held.f.cols(), method.grades));
  }
  if (method.kind == Kind::kSigmoid) {
    return std::make_unique<SigmoidCalibration>(fit_soft_ndcg(method.sigma, held, host),
                                                held.f.cols());
  }
  const std::vector<double> targets = targets_of(held, method.normalize);
  switch (method.kind) {
    case Kind::kLinear:
      return std::make_unique<LinearCalibration>(
          linear_coefficients(held.f, targets, held.weights));
    case Kind::kLogistic:
      return std::make_unique<LogisticCalibration>(
          fit_logistic(held.f, targets, held.weights));
    case Kind::kPolynomial:
      return fit_polynomial(held, targets, method.degree, host);
    case Kind::kNetwork:
      return std::make_unique<NetworkCalibration>(
          fit_network(held, targets, method.decay, method.start, host));
    default: {
      const std::vector<double> scores =
          IsotonicCalibration::scores(held.f, range, 0, held.rows());
      return std::make_unique<IsotonicCalibration>(
          fit_isotonic(scores, targets, held.weights), range);
    }
  }
}

std::unique_ptr<Calibration> as_calibration(GaussianProcess process) {
  KernelCalibration::Fit fit;
  fit.mean = process.mean;
  fit.centers = std::move(process.centers);
  fit.scale = std::move(process.scale);
  fit.coefficients = std::move(process.coefficients);
  fit.about = {{"length", {process.length}, 0},
               {"noise", {process.noise}, 0},
               {"left", {process.left}, 0}};
  return std::make_unique<KernelCalibration>(std::move(fit));
}

// Indices of methods that one call fits together, because they share work.
using Group = std::vector<std::size_t>;

bool by_document(const Method& method) {
  return method.kind == Kind::kSigmoid && method.target != Target::kSoftNdcg;
}

bool together(const Method& a, const Method& b) {
  if (by_document(a) && by_document(b)) {
    return a.exponent == b.exponent || a.target != Target::kEntropyWeighted ||
           b.target != Target::kEntropyWeighted;
  }
  return a.kind == b.kind && a.kind == Kind::kGaussianProcess;
}

std::vector<Group> groups_of(const std::vector<Method>& methods) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const auto home = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return std::all_of(group.begin(), group.end(),
                         [&](std::size_t j) { return together(methods[i], methods[j]); });
    });
    if (home != groups.end()) {
      home->push_back(i);
    } else {
      groups.push_back({i});
    }
  }
  return groups;
}

void fit_group(const std::vector<Method>& methods, const Group& group,
               const HeldOut& held, double range, Host& host, Fitted& out) {
  const Method& first = methods[group[0]];
  if (by_document(first)) {
    std::vector<SigmoidLoss> losses;
    double exponent = 0.0;
    for (const std::size_t i : group) {
      losses.push_back(loss_of(methods[i].target));
      if (methods[i].target == Target::kEntropyWeighted) {
        exponent = methods[i].exponent;
      }
    }
    const std::vector<SigmoidFit> fits = fit_sigmoids(losses, exponent, held, host);
    for (std::size_t k = 0; k < group.size(); ++k) {
      out[group[k]] = std::make_unique<SigmoidCalibration>(fits[k], held.f.cols());
    }
  } else if (first.kind == Kind::kGaussianProcess) {
    std::vector<std::vector<double>> targets;
    for (const std::size_t i : group) {
      targets.push_back(targets_of(held, methods[i].normalize));
    }
    std::vector<GaussianProcess> processes = fit_gaussian_processes(held, targets, host);
    for (std::size_t k = 0; k < group.size(); ++k) {
      out[group[k]] = as_calibration(std::move(processes[k]));
    }
  } else {
    out[group[0]] = fit_single(first, held, range, host);
  }
}

// Relative cost of a fit. Expensive fits start first, so that no thread is still working
// on an expensive fit when all others are done.
int cost_of(const Method& method) {
  if (method.kind == Kind::kSigmoid && method.target == Target::kSoftNdcg) {
    return 4;
  }
  switch (method.kind) {
    case Kind::kGaussianProcess:
      return 3;
    case Kind::kNetwork:
      return 2;
    case Kind::kSigmoid:
      return 1;
    default:
      return 0;
  }
}

// One unit of work: fit the methods of `group` to the queries of `seen`, and store them
// in `out`.
struct Task {
  const Input* input;
  Group group;
  const SomeQueries* seen;
  Fitted* out;
};

// Few tasks run one after the other, each on all threads. Many tasks run in parallel,
// each on one thread.
void perform(std::vector<Task> tasks, Host& host) {
  constexpr std::size_t several = 4;
  constexpr std::size_t at_once = 16;
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) {
    return cost_of(a.input->methods[a.group[0]]) > cost_of(b.input->methods[b.group[0]]);
  });
  auto run = [](const Task& task, Host& on) {
    fit_group(task.input->methods, task.group, task.seen->view(), task.input->range, on,
              *task.out);
  };
  if (tasks.size() < several) {
    for (const Task& task : tasks) {
      host.checkpoint();
      run(task, host);
    }
    return;
  }
  // Progress counts methods, not groups.
  auto fits = [](const Task& task) { return task.group.size(); };
  std::size_t total = 0;
  for (const Task& task : tasks) {
    total += fits(task);
  }
  std::size_t done = 0;
  for (std::size_t first = 0; first < tasks.size(); first += at_once) {
    host.checkpoint();
    host.parallel_for(std::min(at_once, tasks.size() - first), [&](std::size_t i) {
      SerialHost serial;
      run(tasks[first + i], serial);
    });
    for (std::size_t i = first; i < std::min(tasks.size(), first + at_once); ++i) {
      done += fits(tasks[i]);
    }
    host.progress(done, total);
  }
}

void check_inputs(const std::vector<Input>& inputs, const Judgements& judgements) {
  for (const Input& input : inputs) {
    check_holdout(input.f, judgements);
  }
}

SomeQueries taught(MatrixView<const double> f, const Judgements& judgements,
                   const std::vector<std::size_t>& queries) {
  SomeQueries seen(f, judgements, queries, Rows::kCounting);
  if (seen.rows().empty()) {
    throw InvalidArgument("calibrators need validation documents");
  }
  return seen;
}

}  // namespace

std::vector<Fitted> fit_all(const std::vector<Input>& inputs,
                            const Judgements& judgements, Host& host) {
  check_inputs(inputs, judgements);
  std::vector<SomeQueries> seen;
  std::vector<Fitted> out(inputs.size());
  seen.reserve(inputs.size());
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    seen.push_back(
        taught(inputs[i].f, judgements, sorted_queries(inputs[i].f, judgements)));
    out[i].resize(inputs[i].methods.size());
    for (Group& group : groups_of(inputs[i].methods)) {
      tasks.push_back({&inputs[i], std::move(group), &seen[i], &out[i]});
    }
  }
  perform(std::move(tasks), host);
  return out;
}

std::vector<std::vector<std::vector<double>>> crossfit_all(
    const std::vector<Input>& inputs, const Judgements& judgements, std::size_t parts,
    Host& host) {
  check_inputs(inputs, judgements);
  struct Part {
    std::vector<std::size_t> unseen;
    SomeQueries seen;
    Fitted fitted;
  };
  std::vector<std::vector<Part>> parts_of(inputs.size());
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<std::size_t> part = assign_queries(inputs[i].f, judgements, parts);
    const std::vector<std::size_t> sorted = sorted_queries(inputs[i].f, judgements);
    parts_of[i].reserve(parts);
    for (std::size_t k = 0; k < parts; ++k) {
      std::vector<std::size_t> others;
      std::copy_if(sorted.begin(), sorted.end(), std::back_inserter(others),
                   [&](std::size_t query) { return part[query] != k; });
      std::vector<std::size_t> own;
      for (std::size_t query = 0; query < part.size(); ++query) {
        if (part[query] == k) {
          own.push_back(query);
        }
      }
      parts_of[i].push_back({std::move(own), taught(inputs[i].f, judgements, others),
                             Fitted(inputs[i].methods.size())});
    }
    for (const Group& group : groups_of(inputs[i].methods)) {
      for (Part& one : parts_of[i]) {
        tasks.push_back({&inputs[i], group, &one.seen, &one.fitted});
      }
    }
  }
  perform(std::move(tasks), host);
  std::vector<std::vector<std::vector<double>>> scores(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    scores[i].assign(inputs[i].methods.size(), std::vector<double>(inputs[i].f.rows()));
    for (const Part& part : parts_of[i]) {
      const SomeQueries own(inputs[i].f, judgements, part.unseen, Rows::kAll);
      host.checkpoint();
      host.parallel_for(inputs[i].methods.size(), [&](std::size_t m) {
        std::vector<double> found(own.rows().size());
        part.fitted[m]->find_scores(own.view().f, 0, found.size(), found.data());
        for (std::size_t row = 0; row < found.size(); ++row) {
          scores[i][m][own.rows()[row]] = found[row];
        }
      });
    }
  }
  return scores;
}

}  // namespace rankmix::calibrate
