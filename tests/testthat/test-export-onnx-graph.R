new_graph <- function() {
  model <- fit(linear_ranker(penalty = 0.1), export_data(FALSE), verbose = FALSE)
  new_onnx_graph(model, model$features, NULL)
}

test_that("the same node and the same constant are made once", {
  graph <- new_graph()
  one <- onnx_constant(graph, 1)
  expect_identical(onnx_constant(graph, 1), one)
  expect_false(onnx_constant(graph, 1, "float") == one)
  expect_false(onnx_constant(graph, cbind(1)) == one)
  sum <- onnx_op(graph, "Add", "features", one)
  expect_identical(onnx_op(graph, "Add", "features", one), sum)
  expect_false(onnx_op(graph, "Sub", "features", one) == sum)
  columns <- onnx_columns(graph, "features", 2)
  expect_false(onnx_columns(graph, "features", 3) == columns)
  expect_length(graph$nodes, 4L)
  expect_length(graph$constants, 5L)
})

test_that("constants of all types are read back", {
  values <- list(float = c(0.5, -1e30), double = matrix(c(1 / 3, 2, Inf, -4, 5, 6), 2),
                 integer = c(0L, 5L), logical = c(TRUE, FALSE, TRUE))
  for (type in names(values)) {
    graph <- new_graph()
    onnx_constant(graph, values[[type]], type)
    read <- onnx_tensor_value(pb_fields(graph$constants[[1L]]))
    expected <- if (is.matrix(values[[type]])) values[[type]] else rbind(values[[type]])
    if (type == "float") expected[] <- f32(expected)
    expect_identical(structure(read, type = NULL), expected, label = type)
    expect_identical(onnx_type(read), onnx_types[[type]] + 0)
  }
})

test_that("a file has its versions and its features, and is the same each time", {
  data <- export_data(FALSE)
  x <- data$x
  colnames(x) <- c("plain", "a \"quote\"", "\u00e9", "b\\", "c", "d")
  model <- fit(linear_ranker(penalty = 0.1), ranking_data(x, data$relevance, data$query), verbose = FALSE)
  bytes <- written_onnx(model, name = "my model")
  read <- read_onnx(bytes)
  expect_identical(read$ir, 8)
  expect_identical(read$domains, c(" 16", "ai.onnx.ml 3"))
  expect_identical(read$name, "my model")
  expect_identical(read$input, list(name = "features", columns = 6))
  expect_identical(read$output, list(name = "score", columns = 1))
  skip_if_not_installed("jsonlite")
  expect_identical(unlist(jsonlite::parse_json(read$metadata$features)), colnames(x))
  expect_identical(written_onnx(model, name = "my model"), bytes)
})
