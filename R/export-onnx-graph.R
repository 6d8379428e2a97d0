# Graphs of ONNX: named nodes with inputs and outputs, and constants. Nodes are added to a graph
# in an environment. Equal nodes or constants are stored once. Messages follow onnx.proto, whose
# field numbers appear only in this file.

onnx_versions <- list(ir = 8, onnx = 16, ml = 3)
onnx_types <- c(float = 1, integer = 7, logical = 9, double = 11)

new_onnx_graph <- function(model, features, call) {
  graph <- new.env(parent = emptyenv())
  graph$model <- model
  graph$call <- call
  graph$features <- features
  graph$nodes <- list()
  graph$constants <- list()
  graph$names <- list()
  graph$narrow <- list()
  graph
}

# The name of the object with this key. If there is none, `make` adds it.
named_once <- function(graph, key, make) {
  key <- rlang::hash(key)
  if (is.null(graph$names[[key]])) {
    name <- sprintf("v%d", length(graph$names) + 1L)
    graph$names[[key]] <- name
    make(name)
  }
  graph$names[[key]]
}

# The name of a node's output. `attributes` is made by onnx_ints() and similar functions.
onnx_op <- function(graph, type, ..., attributes = NULL, domain = "") {
  inputs <- c(...)
  named_once(graph, list(type, inputs, attributes), function(name) {
    graph$nodes[[length(graph$nodes) + 1L]] <- c(
      pb_texts(1, inputs), pb_texts(2, name), pb_texts(3, paste0("n", name)), pb_texts(4, type),
      unlist(lapply(attributes, function(bytes) pb_bytes(5, bytes))),
      if (nzchar(domain)) pb_texts(7, domain)
    )
  })
}

# Matrices keep their dimensions; other constants have one dimension.
onnx_constant <- function(graph, x, type = "double") {
  named_once(graph, list("constant", x, type), function(name) {
    size <- if (is.matrix(x)) dim(x) else length(x)
    graph$constants[[length(graph$constants) + 1L]] <-
      onnx_tensor(name, if (is.matrix(x)) as.vector(t(x)) else x, size, type)
  })
}

onnx_tensor <- function(name, x, size, type) {
  bytes <- switch(type, float = little_endian(as.double(x), 4L),
                  double = little_endian(as.double(x), 8L), logical = little_endian(x, 1L),
                  # 64-bit integers whose upper 32 bits are 0.
                  integer = little_endian(as.vector(rbind(as.integer(x), 0L)), 4L))
  c(pb_numbers(1, size), pb_number(2, onnx_types[[type]]), pb_texts(8, name), pb_bytes(9, bytes))
}

# Attributes -----------------------------------------------------------------------------------

onnx_attribute <- function(name, kind, value) c(pb_texts(1, name), value, pb_number(20, kind))

onnx_int <- function(name, x) onnx_attribute(name, 2, pb_number(3, x))
onnx_text <- function(name, x) onnx_attribute(name, 3, pb_texts(4, x))
onnx_floats <- function(name, x) onnx_attribute(name, 6, pb_floats(7, x))
onnx_ints <- function(name, x) onnx_attribute(name, 7, pb_numbers(8, x))
onnx_texts <- function(name, x) onnx_attribute(name, 8, pb_texts(9, x))

# Helpers of all graphs ------------------------------------------------------------------------

onnx_cast <- function(graph, name, type) {
  onnx_op(graph, "Cast", name, attributes = list(onnx_int("to", onnx_types[[type]])))
}

# Converts floats to doubles. The output's name is derived from the float's name.
onnx_wide <- function(graph, name) {
  wide <- onnx_cast(graph, name, "double")
  graph$narrow[[wide]] <- name
  wide
}

onnx_narrow <- function(graph, name) {
  float <- graph$narrow[[name]]
  if (is.null(float)) onnx_cast(graph, name, "float") else float
}

# An operation whose second operand is a constant.
onnx_with <- function(graph, type, name, x, of = "double") {
  onnx_op(graph, type, name, onnx_constant(graph, x, of))
}

# Multiplies documents x inputs by `weights` and adds `shift`.
onnx_affine <- function(graph, name, weights, shift, type = "double") {
  product <- onnx_with(graph, "MatMul", name, as.matrix(weights), type)
  if (all(shift == 0)) product else onnx_with(graph, "Add", product, shift, type)
}

onnx_columns <- function(graph, name, at) {
  onnx_op(graph, "Gather", name, onnx_constant(graph, at - 1L, "integer"),
          attributes = list(onnx_int("axis", 1)))
}

onnx_bind <- function(graph, names) {
  if (length(names) == 1L) return(names)
  onnx_op(graph, "Concat", names, attributes = list(onnx_int("axis", 1)))
}

# The sums of rows, a column.
onnx_row_sums <- function(graph, name) {
  onnx_op(graph, "ReduceSum", name, onnx_constant(graph, 1L, "integer"),
          attributes = list(onnx_int("keepdims", 1)))
}

# The file -------------------------------------------------------------------------------------

# Documents x columns of floats; the number of documents is open.
onnx_value <- function(name, columns) {
  size <- c(pb_bytes(1, pb_texts(2, "documents")), pb_bytes(1, pb_number(1, columns)))
  tensor <- c(pb_number(1, onnx_types[["float"]]), pb_bytes(2, size))
  c(pb_texts(1, name), pb_bytes(2, pb_bytes(1, tensor)))
}

onnx_file <- function(graph, name, score, columns) {
  of <- function(field, messages) unlist(lapply(messages, function(bytes) pb_bytes(field, bytes)))
  output <- c(pb_texts(1, score), pb_texts(2, "score"), pb_texts(4, "Identity"))
  body <- c(of(1, c(graph$nodes, list(output))), pb_texts(2, name), of(5, graph$constants),
            of(11, list(onnx_value("features", columns))), of(12, list(onnx_value("score", 1))))
  entry <- function(key, value) c(pb_texts(1, key), pb_texts(2, value))
  version <- function(domain, number) c(pb_texts(1, domain), pb_number(2, number))
  c(pb_number(1, onnx_versions$ir), pb_texts(2, "rankmix"),
    pb_texts(3, as.character(utils::packageVersion("rankmix"))), pb_number(5, 1),
    pb_texts(6, ranker_text(graph$model)), pb_bytes(7, body),
    of(8, list(version("", onnx_versions$onnx), version("ai.onnx.ml", onnx_versions$ml))),
    if (!is.null(graph$features)) {
      of(14, list(entry("features", json_array(json_string(graph$features)))))
    })
}
