# The kinds of models that JSON holds, and the checks of a model that was read, before it predicts, because
# the core does not check the indices in a model.

model_kinds <- function() {
  # A combination of trained models has neither a specification nor its own features.
  kind <- function(class, check, classifier = FALSE, together = FALSE) {
    list(class = c(paste0("rankmix_", class), if (classifier) "rankmix_classifier",
                   "rankmix_ranker"), check = check, together = together)
  }
  list(
    gbrt = kind("gbrt_model", check_gbrt_model),
    yetirank = kind(c("yetirank_model", "gbrt_model"), check_gbrt_model),
    imported = kind(c("imported_model", "gbrt_model"), check_gbrt_model),
    rankboost = kind("rankboost_model", check_rankboost_model),
    adaboost_mh = kind("adaboost_mh_model", check_adaboost_model, TRUE),
    adarank = kind("adarank_model", check_adarank_model),
    linear = kind("linear_model", check_sum_model),
    linear_objective = kind(c("objective_model", "linear_model"), check_sum_model),
    ranksvm = kind(c("ranksvm_model", "objective_model", "linear_model"), check_sum_model),
    smoothrank = kind(c("smoothrank_model", "linear_model"), check_smoothrank_model),
    coordinate_ascent = kind("ascent_model", check_sum_model),
    mcsvm = kind("mcsvm_model", check_mcsvm_model, TRUE),
    network = kind("network_model", check_network_model),
    best_feature = kind("best_feature_model", check_best_feature_model),
    m5p = kind("m5p_model", check_m5p_model),
    bagging = kind("bagging_model", check_bagging_model),
    cocr = kind("cocr_model", check_cocr_model, TRUE),
    calibrated = kind("calibrated", check_calibrated, together = TRUE),
    probability = kind("probability_model", check_probability_model, together = TRUE),
    mixture = kind("mixture", check_mixture, together = TRUE),
    mix = kind("mix", check_mix, together = TRUE),
    cascade = kind("cascade_model", check_cascade, together = TRUE)
  )
}

# Parts of composite models have no `best_rounds` either.
without_best_rounds <- c("best_feature", "coordinate_ascent", "calibrated", "probability", "mixture", "mix", "cascade")

# The kind of a model; NULL for an unknown model.
kind_of_model <- function(model) {
  own <- setdiff(class(model), "rankmix_path")
  found <- vapply(model_kinds(), function(kind) identical(kind$class, own), NA)
  if (any(found)) names(which(found))
}

# Refuses to write a model whose fields were changed after it was trained. The format of rankmix is checked
# when it is read, and models inside others when they are written. The rounds may be known from the
# outer model.
check_undamaged <- function(model, call, rounds_known = FALSE) {
  kind <- kind_of_model(model)
  # Parts that are functions of the user are not checked here: the format reports that it cannot hold them.
  own <- vapply(model$parts, function(part) !is.numeric(part) && !is_trained(part), NA)
  if (is.null(kind) || model_kinds()[[kind]]$together || any(as.logical(own)) || is_open(model)) {
    return(invisible())
  }
  tryCatch({
    need(is_texts(model$features), "The names of its features are not text.")
    need(rounds_known || !is.null(model$best_rounds) || !kind %in% with_rounds,
         "It has no `best_rounds`.")
    check_fields(model, kind)
  }, error = function(e) {
    stop_input("model", sprintf("`%s` lacks fields that are needed to write it.", ranker_text(model)),
               first_line(conditionMessage(e)),
               damaged_remedy, call = call)
  })
}

damaged_remedy <- paste("Something changed its fields after it was trained. Read it from its file again,",
                        "or train it again.")

with_rounds <- c("gbrt", "yetirank", "imported", "rankboost", "adaboost_mh", "adarank", "network")

check_fields <- function(model, kind, inputs = check_filling(model)) {
  model_kinds()[[kind]]$check(model, inputs)
  need(is.null(model$best_rounds) || is_index_vector(model$best_rounds, 0L, rounds_used(model), 1L),
       "`best_rounds` is no number of its rounds.")
}

check_read_model <- function(model, kind) {
  if (model_kinds()[[kind]]$together) {
    need(!inherits(model, "rankmix_path"), "A combination of models is no path.")
    check_background(model)
    return(model_kinds()[[kind]]$check(model))
  }
  spec_of <- switch(kind, linear = , linear_objective = "linear_ranker", network = "network_ranker", kind)
  need(is_specification(model$spec) && spec_name(model$spec) == spec_of,
       "Its specification is of another ranker.")
  check_schema(model)
  inputs <- check_filling(model)
  check_background(model, inputs)
  need(inherits(model, "rankmix_path") || is.null(model$path), "A model that is no path has one.")
  if (inherits(model, "rankmix_path")) {
    steps <- model$path
    need(is.list(steps) && length(steps) > 1L && all(vapply(steps, function(step) {
      inherits(step, "rankmix_ranker") && kind_of_model(step) == kind
    }, NA)), "Its path is broken.")
    need(is.integer(model$chosen) && length(model$chosen) == 1L &&
           model$chosen %in% c(NA, seq_along(steps)), "It chose a step that there is not.")
    fractions <- model$fractions
    need(is.null(fractions) || is.na(model$chosen) && is_numbers(fractions, length(steps) + 1L) &&
           "start" %in% names(fractions), "The fractions of its steps are broken.")
    if (is_open(model)) {
      return(invisible())
    }
  }
  check_fields(model, kind, inputs)
}

is_numbers <- function(x, length = NULL, finite = TRUE) {
  is.double(x) && (is.null(length) || base::length(x) == length) && !anyNA(x) &&
    (!finite || all(is.finite(x)))
}

# Whether `x` holds whole numbers from `low` to `high`.
is_index_vector <- function(x, low, high, length = NULL) {
  is.integer(x) && (is.null(length) || base::length(x) == length) && !anyNA(x) &&
    all(x >= low & x <= high)
}

is_texts <- function(x) is.character(x) && !anyNA(x) && all(nzchar(x))

check_schema <- function(model) {
  need(is_texts(model$features) && length(model$features) > 0L &&
         !anyDuplicated(model$features), "The names of its features are not text.")
  need(isTRUE(model$named) || isFALSE(model$named), "`named` is neither true nor false.")
  need(is.character(model$columns), "The names in `columns` are not text.")
  need(is.list(model$encoding), "`encoding` is broken.")
  for (factor in model$encoding) {
    need(is.list(factor) && is_texts(factor$column) && length(factor$column) == 1L &&
           is.character(factor$levels) && is_texts(factor$features) &&
           (isTRUE(factor$ordered) || isFALSE(factor$ordered)) &&
           (is.null(factor$class) || identical(factor$class, "Date") || identical(factor$class, "POSIXct")) &&
           length(factor$features) == if (has_level_numbers(factor)) 1L else length(factor$levels),
         "`encoding` is broken.")
  }
}

# Number of features that the ranker uses, with the indicators of missing values.
check_filling <- function(model) {
  features <- length(model$features)
  filling <- model$filling
  if (is.null(filling)) {
    return(features)
  }
  need(is.list(filling) && filling$way %in% filling_methods &&
         is_numbers(filling$numbers, features) && is_numbers(filling$missing, features) &&
         is_index_vector(filling$marked, 1L, features) && !anyDuplicated(filling$marked),
       "What stands for missing values is broken.")
  features + length(filling$marked)
}

# Trees -------------------------------------------------------------------------------------

is_begins <- function(x, last, step) {
  is_index_vector(x, 0L, last) && length(x) > 0L && x[1L] == 0L && x[length(x)] == last &&
    all(diff(x) >= step)
}

forest_fields <- c("outputs", "round_begin", "node_begin", "leaf_begin", "feature", "threshold",
                   "missing_left", "left", "right", "values", "gain", "node_documents",
                   "leaf_documents")

# Checks whose cost does not depend on the number of trees, made before each prediction: the
# core reads the fields as numbers of these types and lengths.
check_forest_shape <- function(forest) {
  broken <- "Its trees are broken."
  # `$` alone would match a longer name.
  need(is.list(forest) && all(forest_fields %in% names(forest)), broken)
  index_fields <- forest[c("round_begin", "node_begin", "leaf_begin", "feature", "left", "right")]
  need(all(vapply(index_fields, is.integer, NA)) && is.numeric(forest$outputs) &&
         length(forest$outputs) == 1L && isTRUE(forest$outputs >= 1) &&
         is.double(forest$threshold) && is.double(forest$values), broken)
  nodes <- length(forest$feature)
  trees <- length(forest$node_begin) - 1L
  last <- function(x) x[length(x)]
  need(all(lengths(forest[c("threshold", "missing_left", "left", "right")]) == nodes) &&
         trees >= 0L && length(forest$leaf_begin) == trees + 1L && length(forest$round_begin) > 0L &&
         isTRUE(last(forest$node_begin) == nodes) && isTRUE(last(forest$leaf_begin) == nodes + trees) &&
         isTRUE(last(forest$round_begin) == trees) &&
         length(forest$values) == (nodes + trees) * forest$outputs, broken)
  need(is.null(forest$set_begin) == is.null(forest$set_levels), broken)
  if (!is.null(forest$set_levels)) {
    need(is.integer(forest$set_begin) && is.integer(forest$set_levels) &&
           length(forest$set_begin) == nodes + 1L &&
           isTRUE(last(forest$set_begin) == length(forest$set_levels)), broken)
  }
}

of_trees <- c("rankmix_gbrt_model", "rankmix_rankboost_model", "rankmix_adaboost_mh_model")

check_forest <- function(forest, inputs, outputs, rounds = NULL) {
  broken <- "Its trees are broken."
  check_forest_shape(forest)
  need(is_index_vector(forest$outputs, 1L, 2^20, 1L) && forest$outputs == outputs, broken)
  nodes <- length(forest$feature)
  need(is_index_vector(forest$feature, 0L, inputs - 1L) &&
         is_numbers(forest$threshold, nodes, finite = FALSE) &&
         is_index_vector(forest$missing_left, 0L, 1L, nodes) && is.integer(forest$left) &&
         length(forest$left) == nodes && is.integer(forest$right) &&
         length(forest$right) == nodes && is_numbers(forest$values), broken)
  trees <- length(forest$node_begin) - 1L
  need(is_begins(forest$node_begin, nodes, 0L), broken)
  # A tree has one leaf more than nodes.
  need(length(forest$values) == (nodes + trees) * outputs &&
         identical(forest$leaf_begin, forest$node_begin + 0:trees), broken)
  need(is_begins(forest$round_begin, trees, 1L) &&
         (is.null(rounds) || length(forest$round_begin) == rounds + 1L), broken)
  check_children(forest, trees)
  for (counts in c("node_documents", "leaf_documents", "gain")) {
    wanted <- if (counts == "leaf_documents") nodes + trees else nodes
    need(is.numeric(forest[[counts]]) && length(forest[[counts]]) == wanted, broken)
  }
}

# Children come after their node. Each leaf, and each node except the first, is a child exactly
# once.
check_children <- function(forest, trees) {
  nodes <- diff(forest$node_begin)
  tree <- rep(seq_len(trees), nodes)
  at <- seq_along(tree) - 1L - forest$node_begin[tree]
  child <- c(forest$left, forest$right)
  tree <- c(tree, tree)
  is_node <- child >= 0L
  good <- !anyNA(child) && all(ifelse(is_node, child > c(at, at) & child < nodes[tree],
                                      -child - 1 <= nodes[tree]))
  need(good, "Its trees are broken.")
  child_index <- ifelse(is_node, forest$node_begin[tree] + child,
                        -1 - (forest$leaf_begin[tree] - child - 1))
  need(!anyDuplicated(child_index), "Its trees are broken.")
}

check_gbrt_model <- function(model, inputs) {
  need(is_numbers(model$start, 1L), "`start` is no number.")
  check_categories(model, inputs)
  check_forest(model$forest, length(columns_of_trees(inputs, model$categories)), 1L)
}

check_rankboost_model <- function(model, inputs) {
  need(is_numbers(model$alpha), "`alpha` are no numbers.")
  check_forest(model$forest, inputs, 1L, length(model$alpha))
}

check_adaboost_model <- function(model, inputs) {
  need(is_numbers(model$alpha), "`alpha` are no numbers.")
  check_forest(model$forest, inputs, check_groups(model), length(model$alpha))
}

# The number of groups of grades of a model.
check_groups <- function(model) {
  need(is_index_vector(model$classes, 2L, 2^20, 1L), "`classes` is no number of grades.")
  need(is_index_vector(model$groups, 0L, model$classes - 1L, model$classes), "`groups` are broken.")
  max(model$groups) + 1L
}

# Sums --------------------------------------------------------------------------------------

check_sum_model <- function(model, inputs) {
  need(is_numbers(model$weights, inputs) && is.null(dim(model$weights)),
       "`weights` do not fit its features.")
  need(is.null(model$intercept) || is_numbers(model$intercept, 1L), "`intercept` is no number.")
}

check_smoothrank_model <- function(model, inputs) {
  check_sum_model(model, inputs)
  stages <- model$stage_weights
  need(is_numbers(model$start, inputs) && is_numbers(stages) && is.matrix(stages) &&
         nrow(stages) == inputs && is.data.frame(model$stages) &&
         nrow(model$stages) == ncol(stages), "`stage_weights` do not fit its features.")
}

check_mcsvm_model <- function(model, inputs) {
  groups <- check_groups(model)
  need(is_numbers(model$weights) && identical(dim(model$weights), c(inputs, groups)),
       "`weights` do not fit its features.")
  need(is_numbers(model$intercept, groups), "`intercept` is broken.")
  need(is_numbers(model$range, 1L), "`range` is no number.")
}

check_adarank_model <- function(model, inputs) {
  chosen <- model$chosen
  need(is.data.frame(chosen) && is_index_vector(chosen$feature, 1L, inputs) &&
         is_index_vector(chosen$sign, -1L, 1L) && is_numbers(chosen$alpha), "`chosen` is broken.")
}

check_best_feature_model <- function(model, inputs) {
  need(is_texts(model$feature) && length(model$feature) == 1L &&
         model$feature %in% model$features, "`feature` is none of its features.")
  need(is_numbers(model$sign, 1L), "`sign` is no number.")
  need(is_numbers(model$lowest, 1L), "`lowest` is no number.")
}

check_network_model <- function(model, inputs) {
  spec <- model$spec
  from <- c(inputs, spec$hidden)
  units <- c(spec$hidden, 1)
  # The numbers of a unit. "none": a bias. "layer": a scale, a shift and a bias. "batch": a scale, a
  # shift, a mean and a variance.
  per_unit <- switch(spec$normalize, none = 1, layer = 3, batch = 4)
  count <- sum(from * units) + per_unit * sum(spec$hidden) + 1
  need(is_numbers(model$weights) && is.matrix(model$weights) && nrow(model$weights) == count &&
         is.double(model$values) && ncol(model$weights) == length(model$values) + 1L,
       "`weights` do not fit its layers.")
  need(is_numbers(model$center, inputs) && is_numbers(model$factor, inputs),
       "`center` and `factor` do not fit its features.")
}

# Others ------------------------------------------------------------------------------------

check_m5p_model <- function(model, inputs) {
  check_forest(model$forest, inputs, 1L, 1L)
  need(length(model$forest$node_begin) == 2L, "It is not one tree.")
  terms <- length(model$models$feature)
  need(is_begins(model$models$begin, terms, 0L) &&
         length(model$models$begin) == length(model$forest$values) + 1L &&
         is_index_vector(model$models$feature, 0L, inputs - 1L) &&
         is_numbers(model$models$weight, terms), "The models of its leaves are broken.")
}

# A member may use some of the features.
check_bagging_model <- function(model, inputs) {
  need(is.list(model$members) && length(model$members) > 0L, "It has no members.")
  for (member in model$members) {
    need(inherits(member, "rankmix_ranker"), "A member is no ranker.")
    seen <- member$seen
    need(is.null(seen) || is_index_vector(as.integer(seen), 1L, inputs), "A member uses other features.")
    need(length(member$features) == if (is.null(seen)) inputs else length(seen),
         "A member has other features.")
  }
}

check_cocr_model <- function(model, inputs) {
  need(is_index_vector(model$classes, 2L, 2^20, 1L), "`classes` is no number of grades.")
  subproblems <- model$classes - 1L
  if (!is.null(model$weights)) {
    need(is_numbers(model$weights) && identical(dim(model$weights), c(inputs, subproblems)) &&
           is_numbers(model$intercept, subproblems), "`weights` do not fit its features.")
    return(invisible())
  }
  need(is.list(model$parts) && length(model$parts) == subproblems &&
         all(vapply(model$parts, function(part) {
           is_numbers(part, 1L) || inherits(part, "rankmix_ranker") &&
             length(part$features) == inputs
         }, NA)), "Its parts are broken.")
}

# Runs code that predicts with a model of the package. If an R error occurs and fields are invalid,
# the error reports that the model was changed after training. Fields are checked only after an
# error, because the check of a large forest takes longer than a small prediction.
asking_model <- function(model, code, call = rlang::caller_env()) {
  force(call)
  fault <- if (inherits(model, of_trees)) {
    tryCatch({
      check_forest_shape(model$forest)
      # The core does not check for features that the data lack.
      need(is.character(model$features) &&
             isTRUE(max(-1L, model$forest$feature) < inputs_of_trees(model)) &&
             isTRUE(min(0L, model$forest$feature) == 0L),
           "Its trees use features that it does not name.")
      NULL
    }, error = function(e) conditionMessage(e))
  }
  error <- if (!is.null(fault)) list(fault = fault) else withRestarts(
    return(withCallingHandlers(naming_memory(code, call), error = function(e) {
      if (!inherits(e, "rankmix_error")) {
        fault <- model_fault(model)
        if (!is.null(fault)) invokeRestart("rankmix_damaged_model", e, fault)
      }
    })),
    rankmix_damaged_model = function(e, fault) list(parent = e, fault = fault)
  )
  stop_input("model", "The model is damaged.", error$fault, damaged_remedy, parent = error$parent,
             call = call)
}

# Describes the first invalid field of a model; NULL if all are valid, or if the kind is unknown.
model_fault <- function(model) {
  kind <- kind_of_model(model)
  if (is.null(kind)) {
    return(NULL)
  }
  tryCatch({
    if (model_kinds()[[kind]]$together) {
      model_kinds()[[kind]]$check(model)
    } else {
      check_schema(model)
      need(is_specification(model$spec), "It has no specification.")
      check_fields(model, kind)
    }
    NULL
  }, error = function(e) first_line(conditionMessage(e)))
}
