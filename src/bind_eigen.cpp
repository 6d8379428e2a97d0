// Glue: eigenvalues by R's LAPACK, with support for interrupts.
//
// Given:   a symmetric matrix.
// Result:  the result of eigen(x, symmetric = TRUE), from the same routine, bit for bit.
//
// LAPACK cannot be interrupted. So it works on a copy in a separate thread, while R's
// thread polls for interrupts. After an interrupt, the separate thread still finishes and
// then frees the copy.
#include <Rcpp.h>
#define USE_FC_LEN_T
#include <R_ext/Lapack.h>
#include <Rconfig.h>
#ifndef FCONE
#define FCONE
#endif

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/base/errors.h"
#include "glue_size.h"
#include "host_parallel.h"

namespace {

// Smaller matrices take less time than starting a thread.
constexpr int kSmall = 200;
constexpr std::chrono::milliseconds kPatience(50);

// The eigenvalues, in increasing order, and eigenvectors. Only the lower triangle of the
// matrix is read.
struct Spectrum {
  explicit Spectrum(const Rcpp::NumericMatrix& x)
      : n(x.nrow()),
        a(x.begin(), x.end()),
        values(x.nrow()),
        vectors(a.size()),
        support(2 * static_cast<std::size_t>(x.nrow())) {}

  void run(double* work, int work_size, int* whole, int whole_size) {
    const double none = 0.0;
    const int first = 0;
    int found = 0;
    F77_CALL(dsyevr)
    ("V", "A", "L", &n, a.data(), &n, &none, &none, &first, &first, &none, &found,
     values.data(), vectors.data(), &n, support.data(), work, &work_size, whole,
     &whole_size, &status FCONE FCONE FCONE);
  }
  void solve() {
    double wanted = 0.0;
    int whole_wanted = 0;
    run(&wanted, -1, &whole_wanted, -1);
    std::vector<double> work(static_cast<std::size_t>(wanted));
    std::vector<int> whole(static_cast<std::size_t>(whole_wanted));
    run(work.data(), static_cast<int>(work.size()), whole.data(), whole_wanted);
  }

  int n;
  std::vector<double> a;
  std::vector<double> values;
  std::vector<double> vectors;
  std::vector<int> support;
  int status = 0;

  std::mutex guard;
  std::condition_variable ended;
  bool over = false;
  std::exception_ptr failure;
};

void solve_aside(const std::shared_ptr<Spectrum>& spectrum) {
  std::thread([spectrum] {
    std::exception_ptr failure;
    try {
      spectrum->solve();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(spectrum->guard);
    spectrum->failure = failure;
    spectrum->over = true;
    spectrum->ended.notify_all();
  }).detach();
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List symmetric_eigen(const Rcpp::NumericMatrix& x) {
  return rankmix::guarded([&] {
    const auto spectrum = std::make_shared<Spectrum>(x);
    if (spectrum->n <= kSmall) {
      spectrum->solve();
    } else {
      rankmix::RHost host(1, R_NilValue);
      solve_aside(spectrum);
      std::unique_lock<std::mutex> lock(spectrum->guard);
      while (!spectrum->ended.wait_for(lock, kPatience, [&] { return spectrum->over; })) {
        host.checkpoint();
      }
      if (spectrum->failure) {
        std::rethrow_exception(spectrum->failure);
      }
    }
    if (spectrum->status != 0) {
      throw std::runtime_error("error code " + std::to_string(spectrum->status) +
                               " from Lapack routine 'dsyevr'");
    }
    const int n = spectrum->n;
    Rcpp::NumericVector values(n);
    Rcpp::NumericMatrix vectors(n, n);
    for (int j = 0; j < n; ++j) {
      values[j] = spectrum->values[static_cast<std::size_t>(n - 1 - j)];
      const auto from =
          spectrum->vectors.begin() + static_cast<std::ptrdiff_t>(n - 1 - j) * n;
      std::copy(from, from + n, vectors.begin() + static_cast<std::ptrdiff_t>(j) * n);
    }
    return Rcpp::List::create(Rcpp::Named("values") = values,
                              Rcpp::Named("vectors") = vectors);
  });
}
