# Methods of fusion are values: a list with the `name` and the parameters, of class
# rankmix_<name> and rankmix_fusion; methods that learn from judgements (fuse-learned.R) are also
# of class rankmix_learned_fusion. A new one is a constructor and an entry of fusion_rules.

#' Methods of fusion
#'
#' Select how [fuse()] combines the lists of several rankers. The text of a method works as well:
#' `"rrf"`, `"fuse_rrf(k = 10)"`.
#'
#' @param k The number that is added to each rank; default 60, as published. Larger values reduce the
#'   advantage of the first ranks.
#' @param sigma The number that is added in the logarithm; default 1, as in polyfuse.
#' @param phi The probability that a user continues to the next rank; default 0.95. Larger values weight
#'   lower ranks more.
#' @param exponent The exponent of the number of rankers; default 1. Larger values prefer documents of
#'   more rankers. With 0 the method is `fuse_comb_sum()`.
#'
#' @return A value of class `rankmix_fusion`.
#' @examples
#' fuse_rrf()
#' fuse_comb_mnz(exponent = 0.5)
#' runs <- list(first = as_run(data.frame(query = 1, document = c("a", "b", "c"), score = 3:1)),
#'              second = as_run(data.frame(query = 1, document = c("c", "a", "d"), score = 3:1)))
#' for (method in list(fuse_rrf(), fuse_comb_sum(), fuse_condorcet())) {
#'   print(fuse(runs, method = method))
#' }
#'
#' @details Ranker r, of weight \eqn{w_r} (default 1), retrieves \eqn{n_r} documents for a query. All
#'   rankers together retrieve N documents. Document d has rank \eqn{p_r(d)}, from 1, and the score
#'   \eqn{s_r(d)}, normalized as in [fuse()]. Sums are over the rankers that retrieved d, or over all
#'   rankers, see `missing` of [fuse()]. \eqn{n_d} is the sum of the weights of these rankers. A tied document has the
#'   mean of the values at the ranks that it shares, not the value at the mean rank.
#'
#' | method | fused score of d |
#' |---|---|
#' | `fuse_rrf(k)` | \eqn{\sum_r w_r / (k + p_r)}{sum w / (k + p)} |
#' | `fuse_isr()` | \eqn{n_d \sum_r w_r / p_r^2}{n_d sum w / p^2} |
#' | `fuse_log_isr(sigma)` | \eqn{\ln(n_d + \sigma) \sum_r w_r / p_r^2}{ln(n_d + sigma) sum w / p^2} |
#' | `fuse_rank_biased(phi)` | \eqn{\sum_r w_r (1 - \phi) \phi^{p_r - 1}}{sum w (1 - phi) phi^(p - 1)} |
#' | `fuse_borda()` | \eqn{\sum_r w_r (N - p_r + 1)}{sum w (N - p + 1)} |
#' | `fuse_comb_sum()` | \eqn{\sum_r w_r s_r}{sum w s} |
#' | `fuse_comb_mnz(exponent)` | \eqn{n_d^{exponent} \sum_r w_r s_r}{n_d^exponent sum w s} |
#' | `fuse_comb_anz()` | \eqn{\sum_r w_r s_r / n_d}{sum w s / n_d} |
#' | `fuse_comb_min()`, `fuse_comb_max()`, `fuse_comb_med()` | the smallest, largest, median \eqn{s_r}{s} |
#' | `fuse_copeland()` | number of wins of d against other documents + half the draws |
#' | `fuse_condorcet()` | the same, with a rule for equal numbers |
#'
#' The default of `missing` is `"last"` for `fuse_borda()`, `fuse_copeland()` and `fuse_condorcet()`, else
#' `"skip"`. The default is `"last"` also for `comb_...()` with `normalize = "z"` or `"borda"`, where a
#' normalized score of 0 is not the smallest.
#'
#' `fuse_rrf()` is reciprocal rank fusion, `fuse_rank_biased()` rank-biased centroids of Bailey et al.
#' (`"rbc"` as a string; not [calibrator_rbc()]). On average, the user of this model reads \eqn{1 / (1 - \phi)}{1 / (1 -
#' phi)} documents. `fuse_comb_sum()` with weights is the weighted sum (`"wsum"`), and `fuse_comb_mnz()` with other
#' exponents is GMNZ. With sigma = 0, as in ranx, `fuse_log_isr()` gives all documents of a single ranker the score 0.
#'
#' *Majorities.* Document d wins against another document if the rankers that rank it higher have more weight than the
#' rankers that rank it lower. Equal weights are a draw. A document that wins against all others comes first (the
#' Condorcet winner). A group of documents that win against all documents outside the group comes first, too. In a
#' cycle of majorities, the number of wins decides (Copeland's rule). `fuse_copeland()` leaves equal numbers as ties.
#' `fuse_condorcet()` breaks such ties by the votes for a document minus the votes against it, over all pairs. It
#' divides this difference by the sum of all weights and by N, and adds 0.2 times the result. Results are invariant to
#' the order of documents and runs.
#'
#' @section Conditions: `rankmix_error_argument`: a value that is not allowed.
#' @seealso [learned_fusion] for methods that learn from judgements; [aggregate_ranks()] for
#'   Markov chains; [mix()] and [mixture()] for rankers weighted by their metric.
#' @references Fox and Shaw (1994), Combination of multiple searches, TREC-2. Cormack, Clarke
#'   and Buettcher (2009), \doi{10.1145/1571941.1572114}. Mourao, Martins and Magalhaes (2014),
#'   Multimodal medical information retrieval with unsupervised rank fusion (ISR),
#'   \doi{10.1016/j.compmedimag.2014.05.006}. Bailey, Moffat, Scholer and Thomas (2017),
#'   \doi{10.1145/3077136.3080839}. Aslam and Montague (2001), \doi{10.1145/383952.384007}.
#'   Montague and Aslam (2002), \doi{10.1145/584792.584881}.
#' @name fusion_methods
NULL

#' @rdname fusion_methods
#' @export
fuse_rrf <- function(k = 60) {
  check_number(k, "k", 0, 1e9)
  new_fusion("rrf", k = k)
}

#' @rdname fusion_methods
#' @export
fuse_isr <- function() {
  new_fusion("isr")
}

#' @rdname fusion_methods
#' @export
fuse_log_isr <- function(sigma = 1) {
  check_number(sigma, "sigma", 0, 1e9)
  new_fusion("log_isr", sigma = sigma)
}

#' @rdname fusion_methods
#' @export
fuse_rank_biased <- function(phi = 0.95) {
  if (!is_plain_number(phi) || length(phi) != 1L || !isTRUE(phi > 0 & phi < 1)) {
    stop_input("argument", sprintf("`phi` must be a number above 0 and below 1, not %s.",
                                   show_value(phi)))
  }
  new_fusion("rank_biased", phi = phi)
}

#' @rdname fusion_methods
#' @export
fuse_borda <- function() {
  new_fusion("borda")
}

#' @rdname fusion_methods
#' @export
fuse_comb_sum <- function() {
  new_fusion("comb_sum")
}

#' @rdname fusion_methods
#' @export
fuse_comb_mnz <- function(exponent = 1) {
  check_number(exponent, "exponent", 0, 100)
  new_fusion("comb_mnz", exponent = exponent)
}

#' @rdname fusion_methods
#' @export
fuse_comb_anz <- function() {
  new_fusion("comb_anz")
}

#' @rdname fusion_methods
#' @export
fuse_comb_min <- function() {
  new_fusion("comb_min")
}

#' @rdname fusion_methods
#' @export
fuse_comb_max <- function() {
  new_fusion("comb_max")
}

#' @rdname fusion_methods
#' @export
fuse_comb_med <- function() {
  new_fusion("comb_med")
}

#' @rdname fusion_methods
#' @export
fuse_copeland <- function() {
  new_fusion("copeland")
}

#' @rdname fusion_methods
#' @export
fuse_condorcet <- function() {
  new_fusion("condorcet")
}

new_fusion <- function(name, ..., class = NULL) {
  structure(list(name = name, ...),
            class = c(paste0("rankmix_", name), class, "rankmix_fusion"))
}

# The rules of a fusion method. `kind` is `"scores"`, `"ranks"` or `"majority"`. `value` is the
# name of the core's value of a rank; for `"table"`, `table(method, places)` returns the values.
# `weighted`: whether rankers may have weights.
score_rules <- function(combination, reward = "none", parameter = function(method) 1,
                        weighted = TRUE) {
  list(kind = "scores", combination = combination, reward = reward, parameter = parameter,
       missing = "skip", weighted = weighted)
}

rank_rules <- function(table, value = "table", missing = "skip", reward = "none",
                       parameter = function(method) 1) {
  list(kind = "ranks", value = value, table = table, combination = "sum", reward = reward,
       parameter = parameter, missing = missing, weighted = TRUE)
}

majority_rules <- function(margins) {
  list(kind = "majority", margins = margins, missing = "last", weighted = TRUE)
}

inverse_squares <- function(method, ranks) 1 / ranks^2

fusion_rules <- list(
  rrf = rank_rules(function(method, ranks) 1 / (method$k + ranks)),
  isr = rank_rules(inverse_squares, reward = "power"),
  log_isr = rank_rules(inverse_squares, reward = "log",
                       parameter = function(method) method$sigma),
  rank_biased = rank_rules(function(method, ranks) {
    (1 - method$phi) * method$phi^(ranks - 1)
  }),
  borda = rank_rules(NULL, value = "points", missing = "last"),
  comb_sum = score_rules("sum"),
  comb_mnz = score_rules("sum", "power", function(method) method$exponent),
  comb_anz = score_rules("mean"),
  comb_min = score_rules("min", weighted = FALSE),
  comb_max = score_rules("max", weighted = FALSE),
  comb_med = score_rules("median", weighted = FALSE),
  copeland = majority_rules(margins = FALSE),
  condorcet = majority_rules(margins = TRUE)
)

# Text ------------------------------------------------------------------------------------

learned_names <- c("map", "pos", "slide", "prob", "seg", "bayes")

fusion_names <- function() {
  c(names(fusion_rules), learned_names)
}

# The call that makes the method: its first parameter, and others that differ from their defaults.
#' @export
format.rankmix_fusion <- function(x, ...) {
  parameters <- setdiff(names(x), "name")
  defaults <- formals(component_constructor("fuse", x$name))
  changed <- !vapply(parameters, function(p) same_setting(x[[p]], defaults[[p]]), NA)
  parameters <- parameters[changed | seq_along(parameters) == 1L]
  values <- vapply(parameters, function(p) sprintf("%s = %s", p, setting_text(x[[p]])), "")
  sprintf("%s(%s)", component_name("fuse", x$name), paste(values, collapse = ", "))
}

#' @export
print.rankmix_fusion <- function(x, ...) {
  say("<fusion> ", format(x))
  invisible(x)
}

# A fusion method, or a learned one, given as a value or as text.
read_fusion <- function(x, call = rlang::caller_env()) {
  if (inherits(x, c("rankmix_fusion", "rankmix_fusion_model"))) {
    return(x)
  }
  if (is.function(x)) {
    stop_input("argument", "`method` must be a value, not the function that makes it.",
               remedy = "Write `method = fuse_rrf()`, with parentheses.", call = call)
  }
  if (!is.character(x) || length(x) != 1L || is.na(x)) {
    stop_input("argument",
               sprintf(paste("`method` must be a value such as `fuse_rrf(k = 60)` or a string such as",
                             "\"rrf\", not %s."), show_value(x)), call = call)
  }
  parts <- regmatches(x, regexec("^\\s*(?:fuse_)?([A-Za-z0-9_]+)\\s*(?:\\((.*)\\))?\\s*$", x,
                                 perl = TRUE))[[1L]]
  name <- if (length(parts) > 0L) fusion_name(parts[2L])
  if (is.null(name) || !name %in% fusion_names()) {
    stop_input("argument", sprintf("There is no method of fusion %s.", show_value(x)),
               sprintf("Known methods: %s.", paste(fusion_names(), collapse = ", ")),
               c(if (!is.null(name)) did_you_mean(name, fusion_names()),
                 if (grepl("^(mc[1-4]|.*chain|markov)", ascii_lower(x))) {
                   "`aggregate_ranks()` has Markov chains, for rankers that score all documents."
                 }), call = call)
  }
  constructor <- component_constructor("fuse", name)
  arguments <- parse_arguments(parts[3L], x, call, "method")
  unknown <- setdiff(names(arguments), names(formals(constructor)))
  if (length(unknown) > 0L) {
    stop_input("argument", sprintf("%s has no argument %s.", name, enumerate(unknown)),
               remedy = did_you_mean(unknown[1L], names(formals(constructor))), call = call)
  }
  do.call(constructor, arguments)
}

# Accepts names of the literature and of other tools.
fusion_name <- function(name) {
  name <- ascii_lower(name)
  plain <- gsub("_", "", name)
  ours <- stats::setNames(fusion_names(), gsub("_", "", fusion_names()))
  short <- c(rbc = "rank_biased", wsum = "comb_sum", sum = "comb_sum", mnz = "comb_mnz",
             anz = "comb_anz", min = "comb_min", max = "comb_max",
             med = "comb_med", median = "comb_med", bordafuse = "borda",
             wbordafuse = "borda", wcondorcet = "condorcet", condorcetfuse = "condorcet",
             stats::setNames(learned_names, paste0(learned_names, "fuse")))
  known <- c(short, ours)
  if (plain %in% names(known)) known[[plain]] else name
}
