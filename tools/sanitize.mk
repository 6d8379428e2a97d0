# The package under the address and undefined-behaviour sanitizers, for `make fuzz-models`.
CXX17FLAGS = -g1 -O1 -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=undefined -fno-omit-frame-pointer
LDFLAGS = -fsanitize=address,undefined
