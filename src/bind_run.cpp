// Glue: locks of run directories.
#include <Rcpp.h>

#include <memory>
#include <string>

#include "glue_size.h"
#include "host_lock.h"

using rankmix::FileLock;

// `state` is "held", with the `lock` to give back, or "busy" or "unknown", with the
// `reason`.
// [[Rcpp::export]]
Rcpp::List lock_file(const std::string& path, const std::string& owner) {
  auto lock = std::make_unique<FileLock>(path, owner);
  if (lock->state() == FileLock::State::kHeld) {
    return Rcpp::List::create(Rcpp::Named("state") = "held",
                              Rcpp::Named("lock") = Rcpp::XPtr<FileLock>(lock.release()));
  }
  const bool busy = lock->state() == FileLock::State::kBusy;
  return Rcpp::List::create(Rcpp::Named("state") = busy ? "busy" : "unknown",
                            Rcpp::Named("reason") = lock->reason());
}

// [[Rcpp::export]]
void unlock_file(SEXP lock) { Rcpp::XPtr<FileLock>(lock).release(); }
