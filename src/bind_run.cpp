// Glue: locks of run directories, and reservation of stack memory.
#include <Rcpp.h>

#if defined(__linux__)
#include <alloca.h>
#include <pthread.h>
#endif

#include <memory>
#include <string>

#include "glue_size.h"
#include "host_lock.h"

using rankmix::FileLock;

// `state` is "held", "busy" or "unknown". With "held", `lock` is the lock to release.
// Otherwise `reason` explains the state.
// [[Rcpp::export(rng = false)]]
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

// [[Rcpp::export(rng = false)]]
void unlock_file(SEXP lock) { Rcpp::XPtr<FileLock>(lock).release(); }

// Reserves stack memory for this thread on systems where the stack grows on demand. If
// the address space is limited and the stack cannot grow, the process would be killed.
// Only address space is used.
// [[Rcpp::export(rng = false)]]
void reserve_stack() {
#if defined(__linux__) && defined(__GLIBC__)
  constexpr std::size_t wanted = std::size_t{1} << 20;
  constexpr std::size_t margin = std::size_t{1} << 17;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
    return;
  }
  void* lowest = nullptr;
  std::size_t size = 0;
  const int failed = pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  char here = 0;
  char* const now = &here;
  if (failed != 0 || now < static_cast<char*>(lowest) + wanted + margin) {
    return;
  }
  volatile char* const deep = static_cast<char*>(alloca(wanted));
  *deep = 0;
#endif
}
