#include "glue_calls.h"

#include <Rcpp.h>

#include "glue_size.h"

namespace rankmix {

FailedCall caught_in_call() {
  using Kind = FailedCall::Kind;
  try {
    throw;
  } catch (const Rcpp::internal::InterruptedException&) {
    return {Kind::interrupt, R_NilValue};
  } catch (const Rcpp::LongjumpException& jump) {
    return {Kind::jump, jump.token};
  } catch (Rcpp::exception& error) {
    return {Kind::error, Rf_protect(rcpp_exception_to_r_condition(error))};
  } catch (const std::exception& error) {
    return {Kind::error, Rf_protect(exception_to_r_condition(error))};
  } catch (...) {
    return {Kind::error,
            Rf_protect(string_to_try_error("c++ exception (unknown reason)"))};
  }
}

void tell_r(const FailedCall& failed) {
  switch (failed.kind) {
    case FailedCall::Kind::none:
      return;
    case FailedCall::Kind::interrupt:
      Rf_onintr();
      return;
    case FailedCall::Kind::jump:
      Rcpp::internal::resumeJump(failed.condition);
      return;
    case FailedCall::Kind::error:
      Rf_eval(Rf_protect(Rf_lang2(Rf_install("stop"), failed.condition)), R_BaseEnv);
  }
}

}  // namespace rankmix
