// A reference to a callable that a function calls but does not store. Unlike
// std::function it does not copy the callable. std::function also needs a copy function
// and a type name for each lambda, which took a twentieth of the size of the library.
#pragma once
#include <memory>
#include <type_traits>
#include <utility>

namespace rankmix {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  // The callable must outlive the FunctionRef.
  template <class Callable,
            class = std::enable_if_t<!std::is_same_v<
                std::remove_cv_t<std::remove_reference_t<Callable>>, FunctionRef>>>
  FunctionRef(Callable&& callable)
      : object_(const_cast<void*>(
            static_cast<const volatile void*>(std::addressof(callable)))),
        call_(&call_object<std::remove_reference_t<Callable>>) {}

  Result operator()(Arguments... arguments) const {
    return call_(object_, std::forward<Arguments>(arguments)...);
  }

 private:
  template <class Callable>
  static Result call_object(void* object, Arguments... arguments) {
    return (*static_cast<Callable*>(object))(std::forward<Arguments>(arguments)...);
  }

  void* object_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace rankmix
