#' Regression trees with linear models
#'
#' Specifies a ranker that is one regression tree with linear models in its leaves: M5', as in Weka's M5P.
#' Train it with [fit()]. For a mean of many such trees use [bagging()].
#'
#' @param min_data_in_split The smallest number of documents, of any weight, in a node that is split; default 4,
#'   the smallest possible value. The number does not limit the size of a leaf. Several numbers give a path with
#'   one tree for each number. One of the trees is chosen on validation data.
#' @param prune Whether a subtree becomes a leaf if one linear model is as good; default `TRUE`.
#' @param smooth Whether a leaf's model is averaged with the models of the nodes above it; default `TRUE`.
#' @param max_bin Number of bins per feature between which splits are searched, 2 to 255 (the default); `Inf`
#'   for all values.
#' @param target The target: `"grade"` (the default), or `"gain"`, 2^grade - 1.
#' @param missing The replacement of missing values, see [missing_values]: `"mean"` (the default), `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... Must be empty.
#'
#' @return A specification of class `rankmix_m5p`. [fit()] trains a ranker whose scores are on the scale of
#'   the target. `print()` shows the tree. `coef()` has a row for each leaf with the weights of the
#'   features and the `(Intercept)`. [tidy()] has the sum of each feature's split gains, by the formula below, each
#'   multiplied by the node's fraction of the weights. With several `min_data_in_split`, `path` has all models.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- fit(m5p(min_data_in_split = 20, target = "gain"), train, threads = 1)
#' model
#' summary(evaluate(model, valid, metric_ndcg(10)))
#' fit(m5p(c(4, 64, 256)), train, valid, threads = 1)
#'
#' @details **Splits.** A node has the weight W and the weighted variance V of the targets. L and R are its
#'   children. The split with the largest
#'   \deqn{V^{1/5} - \frac{W_L}{W} V_L^{1/5} - \frac{W_R}{W} V_R^{1/5}}{V^(1/5) - W_L / W
#'   V_L^(1/5) - W_R / W V_R^(1/5)} is used. Each child has more than a fifth of the n documents, at least
#'   \eqn{\max(1, \lfloor n / 5 \rfloor) + 1}{max(1, floor(n / 5)) + 1}. Ties go to the lowest threshold of a
#'   feature, and then to the first feature, unless a later feature is better by 1e-6. A threshold lies
#'   halfway between neighbouring values. With `max_bin = Inf`, these are values of the documents in the node.
#'   With bins, they are values of all documents. A node is a leaf if it has fewer than `min_data_in_split`
#'   documents, or if its standard deviation is below 5 % of the standard deviation of all documents.
#'
#'   **Models.** The model of an inner node is a linear regression on the features that are split in the node
#'   or below it. The model of a leaf of the grown tree is the mean of its targets. Features are standardised
#'   in the node, with a ridge of 1e-8. While a coefficient (of standardised feature and target) exceeds 1.5
#'   in magnitude, the feature with the largest coefficient is dropped as collinear. Then the feature with the
#'   smallest coefficient is dropped as long as this lowers \eqn{(n - p) S / S_0 + 2 q}{(n - p) S / S_0 + 2
#'   q}. S is the sum of squared errors of a model with q coefficients. \eqn{S_0}{S_0} is the S of the first model, with
#'   p coefficients.
#'
#'   **Pruning** is bottom-up. The error of a model with v coefficients on n documents is the root mean square
#'   error times \eqn{(n + 2 v) / (n - v)}{(n + 2 v) / (n - v)}, or 10 if \eqn{n \le v}{n <= v}. A subtree
#'   counts as many coefficients as both sides together, plus one for its split. The subtree becomes a leaf if the
#'   node's own model has no larger error, or an error below 1e-5 of the standard deviation of all documents.
#'
#'   **Smoothing** goes from the leaf to the root. The prediction p becomes \eqn{(n p + 15 q) / (n + 15)}{(n p +
#'   15 q) / (n + 15)}, with the prediction q of the node above, and n documents in the node below.
#'
#'   **Weights and reproducibility.** With `max_bin = Inf` and without weights, the tree equals Weka's tree,
#'   with two exceptions. If all documents of a child have the same target, Weka takes the fifth root of
#'   rounding errors. Weka also treats values of a feature that differ by less than 1e-6 as equal. Variances,
#'   regressions and errors are weighted. In these formulas, n and v are not weighted, so a document of weight 2 is not
#'   exactly two copies. Documents of weight 0 have no effect. The tree is the same, bit for bit, for any number of
#'   threads and any row order. If all
#'   targets are equal, the tree is one leaf.
#'
#'   **Cost.** With bins, growing costs as much as a tree of [gbrt()]. In addition, a node of n documents with p
#'   features that are split in the node or below takes n p^2 / 2 operations. `max_bin = Inf` sorts the documents of
#'   each node by each feature. Features are not copied.
#'
#' @section Conditions:
#' * `rankmix_error_missing`: values are missing, with `missing = "error"`.
#' * `rankmix_error_argument`: a setting that is not allowed.
#' * `rankmix_error_path`: there are several values of `min_data_in_split`, and no tree was chosen.
#' @references Quinlan (1992). Learning with continuous classes. Proceedings of the 5th Australian
#'   Joint Conference on Artificial Intelligence.
#'
#'   Wang and Witten (1997). Induction of model trees for predicting continuous classes. Poster
#'   papers of the 9th European Conference on Machine Learning.
#' @seealso [gbrt()], [linear_ranker()], [autoplot.rankmix_m5p_model()]
#' @export
m5p <- function(min_data_in_split = 4, prune = TRUE, smooth = TRUE, max_bin = 255, target = "grade",
                missing = "mean", ...) {
  check_no_others(...)
  new_spec("m5p", min_data_in_split = min_data_in_split, prune = prune, smooth = smooth, max_bin = max_bin,
           target = target, missing = missing)
}

entry_of_m5p <- function() {
  registry_entry(
    "m5p",
    parameters = list(
      min_data_in_split = parameter(a_path_of(a_count(max = 1e9)), show = "always",
                                tune = c(4, 64, 256, 1024)),
      prune = parameter(a_flag), smooth = parameter(a_flag),
      max_bin = parameter(a_number_of_bins), target = parameter(a_choice("grade", "gain")),
      missing = filling_parameter()
    ),
    traits = c("path", "validation", "weights", "document_weights", "real_relevance", "sparse", "one_grade",
               "regression"),
    path = "min_data_in_split",
    complete = function(spec, call) {
      spec$min_data_in_split <- as.double(spec$min_data_in_split)
      spec
    },
    steps = function(spec) length(spec$min_data_in_split),
    train = train_m5p,
    tolerance = c(sparse = 1e-12),
    exempt = c(twice = paste("Stopping, pruning and smoothing use the number of documents,",
                             "not their weights."))
  )
}

train_m5p <- function(spec, task) {
  targets <- as.double(targets_of(task, spec$target))
  bins <- if (is.finite(spec$max_bin)) task$bins(spec)
  weights <- as.double(task$weights)
  steps <- lapply(seq_along(spec$min_data_in_split), function(i) {
    step <- spec
    step$min_data_in_split <- spec$min_data_in_split[i]
    grown <- m5p_grow(task$data$x, bins, targets, weights, unclass(step), task$threads)
    if (!is.null(task$progress)) task$progress(i, length(spec$min_data_in_split))
    new_m5p(step, grown, task)
  })
  new_path(steps, spec, plain_number(spec$min_data_in_split))
}

# The task's own targets if there are any, else grades or gains.
targets_of <- function(task, target) {
  if (!is.null(task$targets)) {
    return(task$targets)
  }
  objective_targets(loss_squared(target), task$data$relevance, target)
}

new_m5p <- function(spec, grown, task) {
  structure(
    c(list(spec = spec), schema_of(task$data), grown,
      list(grades = task$classes, best_rounds = 1L)),
    class = c("rankmix_m5p_model", "rankmix_ranker")
  )
}

#' @export
discriminants.rankmix_m5p_model <- function(model, x, rounds, threads) {
  check_chosen(model, NULL)
  check_data_traits(model$spec, x, call = NULL)
  array(m5p_predict(model$forest, model$models, x, threads), c(nrow(x), 1L, length(rounds)))
}

#' @export
coef.rankmix_m5p_model <- function(object, ...) {
  check_chosen(object)
  names <- input_names(object)
  leaves <- length(object$forest$values)
  weights <- matrix(0, leaves, length(names) + 1L,
                    dimnames = list(seq_len(leaves), c(names, "(Intercept)")))
  leaf <- rep(seq_len(leaves), diff(object$models$begin))
  weights[cbind(leaf, object$models$feature + 1L)] <- object$models$weight
  weights[, length(names) + 1L] <- object$forest$values
  weights
}

#' @export
tidy.rankmix_m5p_model <- function(x, ...) {
  check_chosen(x)
  x$features <- input_names(x)
  importance(x)
}

#' @export
glance.rankmix_m5p_model <- function(x, ...) {
  row <- data.frame(min_data_in_split = x$spec$min_data_in_split, leaves = length(x$forest$values),
                    depth = tree_depth(x$forest), features = length(x$features),
                    features_used = length(unique(c(x$forest$feature, x$models$feature))),
                    documents = sum(x$forest$leaf_documents))
  if (!is.null(x$metric)) {
    row$metric <- format(x$metric)
    row$value <- x$value
  }
  row
}

# The depth of the first tree of a forest, whose children come after their parents.
tree_depth <- function(forest) {
  nodes <- length(forest$feature)
  if (nodes == 0L) {
    return(0L)
  }
  depth <- rep(1L, nodes)
  for (node in seq_len(nodes)) {
    below <- c(forest$left[node], forest$right[node])
    below <- below[below >= 0L] + 1L
    depth[below] <- depth[node] + 1L
  }
  max(depth)
}

#' @export
print.rankmix_m5p_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  row <- glance(x)
  say(sprintf("%s, %d of %s, %s", counted(row$leaves, "leaf", "leaves"), row$features_used,
              counted(row$features, "feature"), counted(row$documents, "document")))
  say_filling(x)
  lines <- tree_lines(x)
  shown <- utils::head(lines, max_tree_lines)
  for (line in shown) cat(line, "\n", sep = "")
  for (leaf in utils::head(unique(attr(lines, "leaf")[seq_along(shown)]), max_shown_models)) {
    if (leaf > 0L) cat(wrap_model(model_text(x, leaf)), sep = "\n")
  }
  if (length(lines) > length(shown)) {
    say(sprintf("... and %s, see `coef()`", counted(length(lines) - length(shown), "more line")))
  }
  invisible(x)
}

# The largest number of lines of a tree that print() shows.
max_tree_lines <- 24L
max_shown_models <- 12L

# One line for each side of each split, starting at the root. The attribute `leaf` has the leaf
# number of lines that end in a leaf, or 0.
tree_lines <- function(model) {
  forest <- model$forest
  names <- input_names(model)
  lines <- character()
  leaves <- integer()
  add <- function(text, leaf) {
    lines[length(lines) + 1L] <<- text
    leaves[length(leaves) + 1L] <<- leaf
  }
  side <- function(child, text, level) {
    indented <- paste0(strrep("|  ", level), text)
    if (child < 0L) {
      add(sprintf("%s: %s", indented, leaf_text(model, -child)), -child)
    } else {
      add(indented, 0L)
      split(child, level + 1L)
    }
  }
  split <- function(node, level) {
    at <- node + 1L
    name <- names[forest$feature[at] + 1L]
    threshold <- number_text(forest$threshold[at], digits = 4)
    side(forest$left[at], paste(name, "<=", threshold), level)
    side(forest$right[at], paste(name, "> ", threshold), level)
  }
  if (length(forest$feature) == 0L) add(leaf_text(model, 1L), 1L) else split(0L, 0L)
  structure(lines, leaf = leaves)
}

leaf_text <- function(model, leaf) {
  error <- if (model$deviation > 0) {
    sprintf(", error %.0f %%", 100 * model$error[leaf] / model$deviation)
  } else ""
  sprintf("model %d (%s%s)", leaf, counted(model$forest$leaf_documents[leaf], "document"), error)
}

# The error is before smoothing, as a fraction of the standard deviation of all targets.
model_text <- function(model, leaf) {
  terms <- seq.int(model$models$begin[leaf] + 1L,
                   length.out = diff(model$models$begin)[leaf])
  weight <- model$models$weight[terms]
  names <- input_names(model)[model$models$feature[terms] + 1L]
  text <- sprintf(" %s %s %s", ifelse(weight < 0, "-", "+"),
                  vapply(abs(weight), number_text, "", digits = 4), names)
  paste0(sprintf("model %d: ", leaf), number_text(model$forest$values[leaf], digits = 4),
         paste(text, collapse = ""))
}

wrap_model <- function(text) strwrap(text, width = 0.95 * getOption("width"), exdent = 4L)
