#include "tools/corpus_run.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "shared/base/text.hpp"
#include "shared/interchange/asset_locator.hpp"

namespace iron::tools {
namespace {

using namespace interchange;

constexpr unsigned char kTotals[] = {
#include "published_totals.inc"
};

/// Calls `work(i)` for 0..count-1 on several threads. `progress` runs on the calling thread only.
template <class Work>
void for_each_index(std::size_t count, unsigned jobs, const Work& work, const std::function<void(std::size_t)>& progress) {
    std::atomic<std::size_t> next{0};
    std::size_t done = 0;
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::thread> threads;
    const std::size_t wanted = std::min<std::size_t>(jobs, count);
    for (std::size_t t = 0; t < wanted; ++t)
        threads.emplace_back([&] {
            for (std::size_t i = next++; i < count; i = next++) {
                work(i);
                {
                    const std::lock_guard lock(mutex);
                    ++done;
                }
                changed.notify_one();
            }
        });
    std::unique_lock lock(mutex);
    for (std::size_t seen = 0; seen < count;) {
        changed.wait(lock, [&] { return done != seen; });
        seen = done;
        lock.unlock();
        progress(seen);
        lock.lock();
    }
    lock.unlock();
    for (std::thread& thread : threads) thread.join();
}

FileReport scan_one(const archive::Vfs& vfs, const std::string& path) {
    const auto bytes = vfs.read_shared(path);
    if (bytes) return scan_file(path, bytes->view);
    FileReport report;
    report.self.name = path;
    report.self.health = Health::error;
    report.self.error = bytes.error();
    report.facts["files_unreadable"] = 1;
    return report;
}

}  // namespace

std::size_t CorpusRun::count(Health health) const {
    std::size_t out = 0;
    for (const FileReport& file : files) {
        out += file.self.health == health ? 1 : 0;
        for (const PartReport& entry : file.entries) out += entry.health == health ? 1 : 0;
    }
    return out;
}

std::vector<std::string> CorpusRun::not_rewritten() const {
    std::vector<std::string> out;
    for (const FileReport& file : files) {
        if (file.self.rewritten == false) out.push_back(file.self.name);
        for (const PartReport& entry : file.entries)
            if (entry.rewritten == false) out.push_back(file.self.name + "::" + entry.name);
    }
    return out;
}

bool CorpusRun::missions_sound() const {
    return std::all_of(missions.begin(), missions.end(), [](const MissionReach& m) { return !m.error && m.failures.empty(); });
}

Result<PublishedTotals> published_totals() {
    return read_published_totals({reinterpret_cast<const char*>(kTotals), sizeof kTotals - 1});
}

Result<CorpusRun> run_corpus(const archive::Vfs& vfs, const CorpusOptions& options, const CorpusProgress& progress) {
    IRON_TRY(const std::vector<archive::VfsFile> files, vfs.list());
    const unsigned hardware = std::max(1u, std::thread::hardware_concurrency());
    const unsigned jobs = options.jobs != 0 ? options.jobs : hardware;

    // Missions after the files: one list of work, so that the progress is one line.
    std::vector<std::string> missions;
    if (options.missions)
        for (const archive::VfsFile& file : files)
            if (ascii_iends_with(file.path, ".tma")) missions.push_back(file.path);
    const std::size_t total = files.size() + missions.size() + (options.missions ? 2 : 0);

    CorpusRun run;
    run.files.resize(files.size());
    run.missions.resize(missions.size());
    ReadContext profile_context;
    std::atomic<std::uint64_t> bytes{0};
    const auto work = [&](std::size_t i) {
        if (i < files.size()) {
            run.files[i] = scan_one(vfs, files[i].path);
            bytes += run.files[i].self.bytes;
        } else if (i < files.size() + missions.size()) {
            run.missions[i - files.size()] = reach_mission(vfs, missions[i - files.size()]);
        } else if (i + 1 < total) {
            run.registry = check_registry(vfs);
        } else {
            archive::ArchiveCache archives(vfs);
            run.profile = scan_profile(archives, profile_context);
        }
    };
    for_each_index(total, jobs, work, [&](std::size_t done) {
        if (progress) progress(done, total, bytes, done < files.size() ? files[done].path : std::string("missions"));
    });
    run.profile_diagnostics = std::move(profile_context.diagnostics);
    for (const FileReport& file : run.files) merge_facts(run.facts, file.facts);
    for (const MissionReach& mission : run.missions) count_reach(mission, run.facts);
    return run;
}

}  // namespace iron::tools
