// Shares out independent pieces of work. Results belong into slots by index, so the order in which pieces end shows
// nowhere.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace mekiki {

/// Calls work(i) once for each i below `count`, on up to `threads` threads. An exception of a call is thrown again here
/// when all threads are done.
template <class Work>
void for_each_index(std::size_t count, unsigned threads, const Work& work) {
  const std::size_t helpers = std::min<std::size_t>(std::max(threads, 1U), std::max<std::size_t>(count, 1)) - 1;
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> problems(helpers + 1);
  const auto run = [&](std::size_t self) {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        work(i);
      }
    } catch (...) {
      problems[self] = std::current_exception();
    }
  };
  std::vector<std::thread> pool;
  pool.reserve(helpers);
  for (std::size_t i = 0; i < helpers; ++i) {
    pool.emplace_back(run, i + 1);
  }
  run(0);
  for (std::thread& thread : pool) {
    thread.join();
  }
  for (const std::exception_ptr& problem : problems) {
    if (problem) {
      std::rethrow_exception(problem);
    }
  }
}

}  // namespace mekiki
