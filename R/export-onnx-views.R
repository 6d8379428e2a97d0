# The view of a model: the graph features that the model uses. Each input has a row: its column
# (from 1), whether it is a missing-value indicator, and the fill value. The fill value is NA if
# missing values are not filled.

onnx_view <- function(graph, model) {
  at <- if (isTRUE(model$named)) match(model$features, graph$features) else {
    seq_along(model$features)
  }
  view <- data.frame(column = at, mark = FALSE, fill = NA_real_)
  filling <- model$filling
  if (is.null(filling)) {
    return(view)
  }
  view$fill <- filling$numbers
  marked <- view[filling$marked, ]
  marked$mark <- rep(TRUE, nrow(marked))
  rbind(view, marked)
}

# Documents x inputs, in doubles.
onnx_inputs <- function(graph, view) {
  x <- "features"
  if (!identical(view$column, seq_len(onnx_width(graph)))) {
    x <- onnx_columns(graph, x, view$column)
  }
  values <- onnx_wide(graph, x)
  if (all(is.na(view$fill)) && !any(view$mark)) {
    return(values)
  }
  missing <- onnx_op(graph, "IsNaN", x)
  filled <- onnx_op(graph, "Where", missing, onnx_constant(graph, view$fill), values)
  if (!any(view$mark)) {
    return(filled)
  }
  onnx_op(graph, "Where", onnx_constant(graph, view$mark, "logical"),
          onnx_cast(graph, missing, "double"), filled)
}

onnx_width <- function(graph) {
  if (is.null(graph$features)) graph$model$classes else length(graph$features)
}

# The splits of a forest by the columns of the graph. A missing value goes where its fill value would go.
# An indicator is 1 for a missing value, and 0 otherwise.
onnx_splits <- function(view, forest) {
  seen <- view[forest$feature + 1L, ]
  threshold <- forest$threshold
  left <- forest$missing_left == 1L
  filled <- !is.na(seen$fill)
  left[filled] <- seen$fill[filled] <= threshold[filled]
  left[seen$mark] <- threshold[seen$mark] >= 1
  threshold[seen$mark] <- ifelse(threshold[seen$mark] >= 0, Inf, -Inf)
  list(column = seen$column, threshold = float_up_to(threshold), missing_left = left)
}

# The largest float up to x, which may be infinite.
float_up_to <- function(x) {
  float <- float_below(x)
  float[x < -largest_float] <- -Inf
  float[x == Inf] <- Inf
  float
}
