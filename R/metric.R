# Metrics are values: lists with the `name` of the metric, the cut-off `k`, the `convention` (or NULL)
# and `set`, the parameters that the user gave. Their classes are rankmix_<name> and rankmix_metric,
# their constructors metric_<name>(). Parameters that are not set come from the convention, or else
# from the defaults of the constructor; metric_rules() combines them. A new metric is a file
# metric-<name>.R with its constructor, its name in metric_names(), and its class in the core.

metric_names <- function() {
  c("ndcg", "mean_ndcg", "dcg", "err", "average_precision", "precision",
    "recall", "f_measure", "success", "reciprocal_rank", "r_precision", "bpref", "rbp",
    "judged")
}

# Called by a constructor. Makes a metric, or a list of metrics for several cut-offs, from the arguments
# that were given in its `frame`.
new_metric <- function(name, k = Inf, frame = rlang::caller_env()) {
  if (length(k) == 1L || !is_plain_number(k)) {
    return(one_metric(name, k, frame))
  }
  if (length(k) == 0L || anyDuplicated(k)) {
    stop_input("argument", "`k` must have different cut-offs.",
               if (length(k) > 0L) sprintf("It has %s twice.", format(k[anyDuplicated(k)])),
               call = frame)
  }
  new_metrics(lapply(unname(k), one_metric, name = name, frame = frame))
}

# A given argument is kept even if it equals the default, so that no convention changes it.
one_metric <- function(name, k, frame) {
  call <- frame
  check_count(k, "k", infinite = TRUE, call = call)
  check_convention(frame$convention, name, k, call)
  parameters <- setdiff(names(formals(component_constructor("metric", name))), c("k", "convention"))
  given <- Filter(function(parameter) {
    !eval(call("missing", as.name(parameter)), frame)
  }, parameters)
  set <- lapply(mget(given, envir = frame), function(x) {
    if (is.integer(x)) as.double(x) else x
  })
  for (parameter in given) {
    metric_parameters[[parameter]](set[[parameter]], name, call)
  }
  metric <- structure(
    list(name = name, k = as.double(k), set = set,
         convention = frame$convention),
    class = c(paste0("rankmix_", name), "rankmix_metric")
  )
  check_together(metric, call)
  metric
}

metric_defaults <- function(name) {
  constructor <- component_constructor("metric", name)
  defaults <- formals(constructor)
  lapply(defaults[setdiff(names(defaults), c("k", "convention"))], eval,
         envir = environment(constructor))
}

# Several metrics that belong together, such as one at several cut-offs.
new_metrics <- function(metrics) {
  structure(metrics, class = "rankmix_metrics")
}

# Lists of metrics among the arguments are flattened.
#' @export
c.rankmix_metric <- function(...) {
  new_metrics(flatten_metrics(list(...)))
}

#' @export
c.rankmix_metrics <- c.rankmix_metric

flatten_metrics <- function(metrics) {
  several <- vapply(metrics, inherits, NA, "rankmix_metrics")
  do.call(c, Map(function(metric, one, name) {
    part <- if (one) unclass(metric) else list(metric)
    if (!one && nzchar(name)) stats::setNames(part, name) else part
  }, unname(metrics), several, rlang::names2(metrics)), quote = TRUE)
}

#' @export
print.rankmix_metrics <- function(x, ...) {
  say(sprintf("<%d metrics> %s", length(x),
              paste(vapply(x, function(metric) format(as_metric(metric)), ""),
                    collapse = ", ")))
  invisible(x)
}

# Every parameter of a metric: the defaults, overridden by the convention, overridden by the user.
# `grades`, if present, is the highest grade that the tool supports.
metric_rules <- function(metric) {
  rules <- metric_defaults(metric$name)
  rules <- utils::modifyList(rules, convention_rules(metric$convention,
                                                     metric$name))
  if (any(c("gain", "relevant", "max_grade") %in% names(metric$set))) {
    rules$grades <- NULL  # the user gave the gains of the other grades
  }
  utils::modifyList(rules, metric$set)
}

# Sets parameters that depend on the grades of the evaluated data.
settle_metric <- function(metric, relevance) {
  UseMethod("settle_metric")
}

#' @export
settle_metric.default <- function(metric, relevance) {
  if (is.double(relevance) && !is_custom(list(metric))) with_linear_gain(metric) else metric
}

# The settled metrics, under their names. The attribute `shown` has the text of each for print():
# the user's name, if there is one, and the text of the settled metric. The attribute `functions` has the hash of
# the functions of each metric with functions of the user, which the text does not show.
settle_metrics <- function(metrics, relevance) {
  settled <- lapply(metrics, settle_metric, relevance = relevance)
  text <- vapply(settled, format, character(1))
  own <- names(metrics) != vapply(metrics, format, character(1))
  structure(settled, shown = ifelse(own, paste(names(metrics), "=", text), text),
            functions = unlist(lapply(settled, hash_of_functions)))
}

# NULL for a metric without functions. The functions of trec_eval's measures belong to the package.
hash_of_functions <- function(metric) {
  functions <- Filter(is.function, c(metric["value"], metric$set))
  if (length(functions) > 0L && !inherits(metric, "rankmix_trec_measure")) rlang::hash(identity_of(functions))
}

# The parameters that the core needs of a settled metric, for documents with this relevance in queries of
# at most `longest` documents. A relevance that is not graded needs the `query` of each document. The result
# then has `levels`, which the core receives instead of grades.
metric_spec <- function(metric, relevance, longest, call = rlang::caller_env(), query = NULL) {
  rules <- metric_rules(metric)
  rules$empty <- if (identical(rules$empty, "drop")) NaN else rules$empty
  if (is.double(relevance)) {
    rules <- rules_of_levels(metric, rules, relevance, query, call)
  } else {
    highest <- max(relevance, 0L)
    check_known_grade(metric, rules$grades, highest, call)
    check_relevant_grade(metric, rules$relevant, call)
    if (!is.null(rules$relevant)) rules$relevant <- ceiling(rules$relevant)
    if (!is.null(rules$gain)) rules$gain <- gain_table(metric, rules$gain, highest, call)
  }
  if (!is.null(rules$discount)) {
    rules$discount <- discount_table(metric, rules$discount,
                                     min(metric$k, longest))
  }
  c(list(name = metric$name, k = metric$k), rules)
}

check_known_grade <- function(metric, known, highest, call) {
  if (is.null(known) || highest <= known) {
    return(invisible(metric))
  }
  stop_input(
    "grade",
    sprintf("The data have the grade %d; %s in %s supports grades up to %d.",
            highest, metric$name, convention_table[[metric$convention]]$tool, known),
    remedy = sprintf(
      "Choose another convention, or give the gains of the grades: set `%s`.",
      intersect(c("gain", "relevant", "max_grade"),
                names(formals(component_constructor("metric", metric$name))))[1L]
    ),
    call = call
  )
}

# The gain of each grade 0, 1, ..., `highest`.
gain_table <- function(metric, gain, highest, call) {
  grades <- seq.int(0L, highest)
  if (is.function(gain)) {
    return(function_gain(metric, gain, grades, call))
  }
  if (is.character(gain)) {
    return(switch(gain, exponential = 2^grades - 1, linear = as.double(grades)))
  }
  if (highest >= length(gain)) {
    stop_input(
      "grade",
      sprintf("The data have the grade %d, but `gain` of %s ends at the grade %d.",
              highest, format(metric), length(gain) - 1L),
      remedy = "Give the gain of every grade 0, 1, 2, ..., or \"exponential\" or \"linear\".",
      call = call
    )
  }
  as.double(gain)
}

# A name that the core supports, or one number per rank.
discount_table <- function(metric, discount, ranks) {
  if (identical(discount, "reciprocal")) {
    return(1 / seq_len(ranks))
  }
  if (identical(discount, "none")) {
    return(rep(1, ranks))
  }
  if (is.function(discount)) {
    return(function_discount(metric, discount, ranks))
  }
  if (is_plain_number(discount)) as.double(discount) else discount
}

function_discount <- function(metric, discount, ranks) {
  factors <- tryCatch(discount(seq_len(ranks)), error = function(e) {
    stop_input("argument",
               sprintf("The function `discount` of %s fails.", metric$name),
               call = NULL, parent = e)
  })
  if (!is_plain_number(factors) || length(factors) != ranks) {
    stop_input(
      "argument",
      sprintf("The function `discount` must give one number for each of the ranks 1 to %d, not %s.",
              ranks, show_value(factors)),
      remedy = "For example `function(rank) 1 / log2(rank + 1)`.",
      call = NULL
    )
  }
  metric_parameters$discount(factors, metric$name, NULL)
  as.double(factors)
}

# Values of several settled metrics: a matrix with a row for each query, and a column for each
# ranker and metric, metric after metric. NaN: the query does not count in the mean. NA: it counts,
# but has no value. `scores` are a vector for one ranker, or a matrix or a list with a column for
# each. `judged` comes from judged_documents().
metric_matrix <- function(metrics, scores, judged, threads,
                          call = rlang::caller_env(),
                          specs = metric_specs(metrics, judged, call),
                          positions = document_positions(metrics, scores, judged, call)) {
  custom <- is_custom(metrics)
  values <- core_values(specs, scores, judged, positions, threads)
  if (!any(custom)) {
    return(values)
  }
  rankers <- seq_len(ranker_count(scores))
  all <- vector("list", length(metrics))
  all[!custom] <- lapply(seq_along(specs), function(m) {
    values[, (m - 1L) * length(rankers) + rankers, drop = FALSE]
  })
  all[custom] <- lapply(metrics[custom], custom_values, scores = scores,
                        judged = judged, positions = positions, call = call)
  do.call(cbind, all)
}

# Metrics with their own `levels` are evaluated one by one.
core_values <- function(specs, scores, judged, positions, threads) {
  of <- function(specs, grades) {
    metric_values(specs, scores, grades, positions, judged$order, judged$offsets, threads)
  }
  if (is_graded(judged)) {
    return(of(specs, judged$relevance))
  }
  do.call(cbind, lapply(specs, function(spec) of(list(spec), spec$levels)))
}

is_custom <- function(metrics) vapply(metrics, inherits, logical(1), "rankmix_custom")

# The specifications of the metrics that the core computes.
metric_specs <- function(metrics, judged, call) {
  longest <- max(diff(judged$offsets))
  lapply(metrics[!is_custom(metrics)], metric_spec,
         relevance = judged$relevance, longest = longest, call = call, query = judged$query)
}

ranker_count <- function(scores) {
  if (is.list(scores)) length(scores) else NCOL(scores)
}

scores_of_ranker <- function(scores, j) {
  if (is.list(scores)) scores[[j]] else if (is.matrix(scores)) scores[, j] else scores
}

# The mean over queries, one number per ranker. It is used to choose settings, so ties are averaged.
metric_means <- function(metric, scores, data, threads, exact = !is.null(data$cluster)) {
  metric_meter(choosing_metric(metric), data, threads, exact)(scores)
}

# The mean of the unchanged metric, as a function of scores that can be called many times. An `exact` sum does
# not depend on the order of the queries, so it is the same over any number of ranks.
metric_meter <- function(metric, data, threads, exact = FALSE) {
  judged <- judged_documents(data)
  metrics <- list(settle_metric(metric, relevance_range(data)))
  specs <- metric_specs(metrics, judged, rlang::current_env())
  weights <- as.double(scaled_weights(judged$weight, data$cluster))
  mean_of <- function(values) {
    if (exact) query_means_exactly(values, weights, data$cluster) else query_means(values, weights)
  }
  if (!ranks_by_document(metrics)) {
    return(function(scores) {
      mean_of(metric_matrix(metrics, scores, judged, threads, specs = specs, positions = integer()))
    })
  }
  function(scores) mean_of(metric_matrix(metrics, scores, judged, threads, specs = specs))
}

# The parts of judged data that metrics need.
judged_documents <- function(data) {
  unclass(data)[c("relevance", "order", "offsets", "query", "query_ids",
                  "document", "weight")]
}

# The documents of some queries. `kept` has a value for each query.
judged_part <- function(judged, kept) {
  rows <- kept[judged$query]
  ids <- which(kept)
  query <- match(judged$query[rows], ids)
  c(list(relevance = judged$relevance[rows], document = judged$document[rows], weight = judged$weight[kept]),
    query_places(query, judged$query_ids[ids]))
}

# Which documents each query has: `order` has its rows one after the other, from `offsets` on.
query_places <- function(query, query_ids) {
  list(order = order(query) - 1L, offsets = c(0L, cumsum(tabulate(query, length(query_ids)))), query = query,
       query_ids = query_ids)
}

#' @export
format.rankmix_metric <- function(x, ...) {
  set <- x$set
  if (!is.null(x$convention)) {
    set$convention <- x$convention
  }
  values <- vapply(set, show_parameter, character(1))
  paste0(
    x$name,
    if (is.finite(x$k)) paste0("@", plain_number(x$k)),
    if (length(set) > 0L) {
      paste0("(", paste0(names(set), " = ", values, collapse = ", "), ")")
    }
  )
}

# Numbers in full, so that a metric can be read back from its text.
show_parameter <- function(x) {
  if (is.function(x)) {
    return("<function>")
  }
  if (is.null(x)) {
    return("NULL")
  }
  if (is.character(x)) {
    return(paste0("\"", x, "\""))
  }
  numbers <- vapply(x, function(v) {
    short <- with_points(plain_number(v))
    if (as.numeric(short) == v) short else exact_text(v)
  }, character(1))
  if (length(numbers) == 1L) {
    return(numbers)
  }
  paste0("c(", paste(numbers, collapse = ", "), ")")
}

#' @export
print.rankmix_metric <- function(x, ...) {
  say("<metric> ", format(x))
  invisible(x)
}
