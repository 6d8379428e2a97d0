#include "glue_calls.h"

#include <Rcpp.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <unistd.h>
#endif

#include "core/base/errors.h"
#include "glue_size.h"

namespace rankmix {

namespace {

constexpr std::size_t kReserve = std::size_t{1} << 22;
void* reserve = nullptr;

// The size of the address space of the process in megabytes; 0 if the system does not
// report it.
double address_space() {
  unsigned long pages = 0;
#if defined(__linux__)
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1) {
      pages = 0;
    }
    std::fclose(file);
  }
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) /
         1048576.0;
#else
  return static_cast<double>(pages);
#endif
}

}  // namespace

void keep_reserve() {
  if (reserve == nullptr) {
    reserve = std::malloc(kReserve);
  }
}

void free_reserve() {
  std::free(reserve);
  reserve = nullptr;
}

FailedCall caught_in_call() {
  using Kind = FailedCall::Kind;
  try {
    throw;
  } catch (const Rcpp::internal::InterruptedException&) {
    return {Kind::interrupt, R_NilValue, 0.0};
  } catch (const Rcpp::LongjumpException& jump) {
    return {Kind::jump, jump.token, 0.0};
  } catch (const OutOfMemory& error) {
    return {Kind::memory, R_NilValue, static_cast<double>(error.bytes)};
  } catch (const std::bad_alloc&) {
    return {Kind::memory, R_NilValue, 0.0};
  } catch (Rcpp::exception& error) {
    return {Kind::error, Rf_protect(rcpp_exception_to_r_condition(error)), 0.0};
  } catch (const std::exception& error) {
    return {Kind::error, Rf_protect(exception_to_r_condition(error)), 0.0};
  } catch (...) {
    return {Kind::error,
            Rf_protect(string_to_try_error("c++ exception (unknown reason)")), 0.0};
  }
}

void report_to_r(const FailedCall& failed) {
  switch (failed.kind) {
    case FailedCall::Kind::none:
      return;
    case FailedCall::Kind::interrupt:
      Rf_onintr();
      return;
    case FailedCall::Kind::jump:
      Rcpp::internal::resumeJump(failed.condition);
      return;
    case FailedCall::Kind::memory: {
      // All memory of the call is free by now, so R can report the error.
      free_reserve();
      SEXP name = Rf_protect(Rf_mkString("rankmix"));
      SEXP home = Rf_protect(R_FindNamespace(name));
      SEXP says = Rf_protect(Rf_mkString("out of memory"));
      SEXP bytes = Rf_protect(Rf_ScalarReal(failed.bytes));
      Rf_eval(Rf_protect(Rf_lang3(Rf_install("stop_core_memory"), says, bytes)), home);
      return;
    }
    case FailedCall::Kind::error:
      Rf_eval(Rf_protect(Rf_lang2(Rf_install("stop"), failed.condition)), R_BaseEnv);
  }
}

}  // namespace rankmix

// [[Rcpp::export(rng = false)]]
void keep_memory_reserve() { rankmix::keep_reserve(); }

// Returns the reserve to R. The result is the size of the address space before the
// call, in megabytes.
// [[Rcpp::export(rng = false)]]
double free_memory_reserve() {
  const double used = rankmix::address_space();
  rankmix::free_reserve();
  return used;
}
