# A reader of ONNX by the specifications of protobuf and of the operators. It parses the bytes into lists and
# runs the nodes one after the other, with floats as floats. Unsupported operators raise an error.

# Fields of a message in their order: number, kind, and the number or the bytes.
pb_fields <- function(bytes) {
  at <- 1L
  varint <- function() {
    value <- 0
    times <- 1
    repeat {
      byte <- as.integer(bytes[at])
      at <<- at + 1L
      value <- value + (byte %% 128L) * times
      times <- times * 128
      if (byte < 128L) return(value)
    }
  }
  fields <- list()
  while (at <= length(bytes)) {
    key <- varint()
    kind <- key %% 8
    value <- if (kind == 0) varint() else {
      size <- switch(as.character(kind), "1" = 8, "2" = varint(), "5" = 4, stop("kind ", kind))
      stopifnot(at + size - 1 <= length(bytes))
      at <- at + size
      bytes[seq.int(at - size, length.out = size)]
    }
    fields[[length(fields) + 1L]] <- list(number = key %/% 8, kind = kind, value = value)
  }
  fields
}

# All values of a field, and the value of a required field.
pb_all <- function(fields, number) {
  lapply(Filter(function(field) field$number == number, fields), `[[`, "value")
}
pb_one <- function(fields, number, default = stop("no field ", number)) {
  found <- pb_all(fields, number)
  stopifnot(length(found) <= 1L)
  if (length(found) == 0L) default else found[[1L]]
}
pb_string <- function(bytes) {
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  text
}
pb_strings <- function(fields, number) vapply(pb_all(fields, number), pb_string, "")

# Decodes a sequence of varints.
pb_packed <- function(bytes) {
  values <- as.integer(bytes)
  end <- values < 128L
  group <- cumsum(c(0L, end[-length(end)]))
  position <- sequence(tabulate(group + 1L)) - 1
  as.vector(rowsum(values %% 128L * 128^position, group))
}
pb_real <- function(bytes, size) {
  readBin(bytes, "double", length(bytes) / size, size, endian = "little")
}

onnx_attribute_value <- function(fields) {
  kind <- pb_one(fields, 20)
  switch(as.character(kind),
         "1" = pb_real(pb_one(fields, 2), 4), "2" = pb_one(fields, 3),
         "3" = pb_string(pb_one(fields, 4)), "6" = pb_real(pb_one(fields, 7), 4),
         "7" = pb_packed(pb_one(fields, 8)), "8" = pb_strings(fields, 9), stop("kind ", kind))
}

# The value of a tensor. A tensor of one dimension becomes a matrix of one row, which operators repeat for
# each row.
onnx_tensor_value <- function(fields) {
  size <- pb_packed(pb_one(fields, 1))
  bytes <- pb_one(fields, 9)
  type <- pb_one(fields, 2)
  x <- switch(as.character(type), "1" = pb_real(bytes, 4), "11" = pb_real(bytes, 8),
              "9" = as.logical(bytes), "7" = {
                halves <- readBin(bytes, "integer", length(bytes) / 4, 4, endian = "little")
                stopifnot(halves[c(FALSE, TRUE)] == 0L)
                halves[c(TRUE, FALSE)]
              }, stop("type ", type))
  stopifnot(length(x) == prod(size), length(size) <= 2L)
  onnx_typed(matrix(x, ncol = size[length(size)], byrow = TRUE), type)
}

# Adds the ONNX type of a value: 1 float, 7 integer, 9 logical, 11 double. Floats are rounded.
onnx_typed <- function(x, type) {
  if (type == 1) x[] <- f32(x)
  structure(x, type = type)
}
onnx_type <- function(x) attr(x, "type")

read_onnx <- function(bytes) {
  model <- pb_fields(bytes)
  graph <- pb_fields(pb_one(model, 7))
  tensors <- lapply(pb_all(graph, 5), pb_fields)
  value <- function(bytes) {
    fields <- pb_fields(bytes)
    tensor <- pb_fields(pb_one(pb_fields(pb_one(fields, 2)), 1))
    sizes <- lapply(pb_all(pb_fields(pb_one(tensor, 2)), 1), pb_fields)
    stopifnot(pb_one(tensor, 1) == 1)
    list(name = pb_string(pb_one(fields, 1)), columns = pb_one(sizes[[2L]], 1))
  }
  metadata <- lapply(pb_all(model, 14), pb_fields)
  list(
    ir = pb_one(model, 1),
    domains = vapply(pb_all(model, 8), function(bytes) {
      fields <- pb_fields(bytes)
      sprintf("%s %.0f", pb_string(pb_one(fields, 1, raw())), pb_one(fields, 2))
    }, ""),
    name = pb_string(pb_one(graph, 2)), input = value(pb_one(graph, 11)),
    output = value(pb_one(graph, 12)),
    metadata = stats::setNames(lapply(metadata, function(entry) pb_string(pb_one(entry, 2))),
                               vapply(metadata, function(entry) pb_string(pb_one(entry, 1)), "")),
    constants = stats::setNames(lapply(tensors, onnx_tensor_value),
                                vapply(tensors, function(t) pb_string(pb_one(t, 8)), "")),
    nodes = lapply(pb_all(graph, 1), function(bytes) {
      node <- pb_fields(bytes)
      attributes <- lapply(pb_all(node, 5), pb_fields)
      list(inputs = pb_strings(node, 1), output = pb_string(pb_one(node, 2)),
           type = pb_string(pb_one(node, 4)), domain = pb_string(pb_one(node, 7, raw())),
           with = stats::setNames(lapply(attributes, onnx_attribute_value),
                                  vapply(attributes, function(a) pb_string(pb_one(a, 1)), "")))
    })
  )
}

score_onnx <- function(read, x) {
  stopifnot(ncol(x) == read$input$columns, read$output$columns == 1)
  values <- c(read$constants, list(onnx_typed(unname(x), 1)))
  names(values)[length(values)] <- read$input$name
  for (node in read$nodes) {
    known <- node$inputs %in% names(values)
    if (!all(known)) stop("no value of ", node$inputs[!known])
    stopifnot(!node$output %in% names(values))
    values[[node$output]] <- onnx_run(node, values[node$inputs], nrow(x))
  }
  score <- values[[read$output$name]]
  stopifnot(onnx_type(score) == 1, identical(dim(score), c(nrow(x), 1L)))
  as.vector(score)
}

onnx_run <- function(node, values, rows) {
  if (node$domain == "ai.onnx.ml") {
    stopifnot(node$type == "TreeEnsembleRegressor")
    return(run_onnx_trees(node$with, values[[1L]]))
  }
  stopifnot(node$domain == "")
  plain <- lapply(unname(values), function(x) {
    attr(x, "type") <- NULL
    x
  })
  types <- vapply(values, onnx_type, 0)
  one <- plain[[1L]]
  # An operation of two operands of the same type, which are repeated to the same rows and columns.
  both <- function(f, result = types[[1L]]) {
    stopifnot(length(plain) == 2L, types[1L] == types[2L])
    size <- pmax(dim(one), dim(plain[[2L]]))
    onnx_typed(f(spread(one, size), spread(plain[[2L]], size)), result)
  }
  each <- function(f, result = types[[1L]]) onnx_typed(f(one), result)
  real <- types[1L] %in% c(1, 11)
  switch(
    node$type,
    Identity = values[[1L]],
    Cast = {
      stopifnot(node$with$to %in% c(1, 11))
      onnx_typed(one + 0, node$with$to)
    },
    Add = both(`+`), Sub = both(`-`), Mul = both(`*`), Div = both(`/`), Max = both(pmax2),
    Min = both(pmin2), Equal = both(`==`, 9), GreaterOrEqual = both(`>=`, 9),
    IsNaN = each(is.nan, 9), Exp = each(exp), Log = each(log), Abs = each(abs), Neg = each(`-`),
    Sign = each(sign), Sqrt = each(sqrt), Tanh = each(tanh),
    Relu = each(function(x) pmax2(x, 0 * x)),
    Sigmoid = each(function(x) 1 / (1 + exp(-x))),
    Softmax = {
      stopifnot(node$with$axis == 1)
      each(function(x) {
        e <- exp(x - apply(x, 1L, max))
        e / rowSums(e)
      })
    },
    MatMul = {
      stopifnot(real, types[1L] == types[2L])
      onnx_typed(one %*% plain[[2L]], types[[1L]])
    },
    Where = {
      stopifnot(types[1L] == 9, types[2L] == types[3L])
      size <- pmax(dim(one), dim(plain[[2L]]), dim(plain[[3L]]))
      pick <- spread(one, size)
      result <- spread(plain[[3L]], size)
      result[pick] <- spread(plain[[2L]], size)[pick]
      onnx_typed(result, types[[2L]])
    },
    Gather = {
      stopifnot(node$with$axis == 1, types[2L] == 7)
      onnx_typed(one[, plain[[2L]] + 1L, drop = FALSE], types[[1L]])
    },
    Concat = {
      stopifnot(node$with$axis == 1, types == types[1L])
      onnx_typed(do.call(cbind, plain), types[[1L]])
    },
    ReduceSum = {
      stopifnot(node$with$keepdims == 1, plain[[2L]] == 1, real)
      onnx_typed(cbind(rowSums(one)), types[[1L]])
    },
    ReduceMean = {
      stopifnot(node$with$keepdims == 1, node$with$axes == 1, real)
      onnx_typed(cbind(rowMeans(one)), types[[1L]])
    },
    stop("no operator ", node$type)
  )
}

spread <- function(x, size) {
  if (nrow(x) == 1L) x <- x[rep(1L, size[1L]), , drop = FALSE]
  if (ncol(x) == 1L) x <- x[, rep(1L, size[2L]), drop = FALSE]
  stopifnot(identical(dim(x), as.integer(size)))
  x
}
pmax2 <- function(a, b) replace(a, which(b > a), b[which(b > a)])
pmin2 <- function(a, b) replace(a, which(b < a), b[which(b < a)])

# Adds the leaf values tree by tree, in floats. The leaf of each document in each tree is returned as an
# attribute.
run_onnx_trees <- function(with, x) {
  stopifnot(onnx_type(x) == 1, with$aggregate_function == "SUM", with$post_transform == "NONE",
            with$nodes_modes %in% c("BRANCH_LEQ", "LEAF"))
  key <- function(tree, node) paste(tree, node)
  position <- stats::setNames(seq_along(with$nodes_treeids),
                              key(with$nodes_treeids, with$nodes_nodeids))
  stopifnot(!anyDuplicated(names(position)))
  target <- key(with$target_treeids, with$target_nodeids)
  scores <- matrix(f32(with$base_values), nrow(x), with$n_targets, byrow = TRUE)
  leaves <- NULL
  for (tree in unique(with$nodes_treeids)) {
    at <- rep(match(tree, with$nodes_treeids), nrow(x))
    repeat {
      open <- which(with$nodes_modes[at] != "LEAF")
      if (length(open) == 0L) break
      node <- at[open]
      v <- x[cbind(open, with$nodes_featureids[node] + 1)]
      true <- ifelse(is.nan(v) | is.na(v), with$nodes_missing_value_tracks_true[node] == 1,
                     v <= f32(with$nodes_values[node]))
      next_id <- ifelse(true, with$nodes_truenodeids[node], with$nodes_falsenodeids[node])
      at[open] <- position[key(tree, next_id)]
      stopifnot(!anyNA(at))
    }
    leaves <- cbind(leaves, with$nodes_nodeids[at])
    for (leaf in unique(at)) {
      rows <- which(at == leaf)
      own <- which(target == key(tree, with$nodes_nodeids[leaf]))
      for (k in own) {
        column <- with$target_ids[k] + 1
        scores[rows, column] <- f32(scores[rows, column] + f32(with$target_weights[k]))
      }
    }
  }
  structure(onnx_typed(scores, 1), leaves = leaves)
}

written_onnx <- function(model, ...) {
  file <- withr::local_tempfile()
  suppressMessages(write_model(model, file, "onnx", ...), classes = "rankmix_message_export")
  readBin(file, "raw", file.size(file))
}
