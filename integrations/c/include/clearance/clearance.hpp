/*
 * Clearance for C++17: owners that end what they own, arrays with their lengths, and results without exceptions, over clearance.h.
 *
 *     clearance::World3 world{options};                  // asks whether it was made: if (!world) puts(clr_last_error());
 *     clearance::Shape3 ball = clearance::Shape3::made(clr3_shape_ball, 0.5f);
 *     clearance::Result<uint64_t> id = world.insert(clr3_body_moving(ball.get()));
 *     for (const clr3_contact &contact : world.contacts()) ...
 *
 * All other calls of clearance.h take `world.get()` and `shape.get()`.
 */
#ifndef CLEARANCE_CLEARANCE_HPP
#define CLEARANCE_CLEARANCE_HPP

#include <clearance/clearance.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace clearance {

/** What a call came to. */
enum class Status : clr_status {
    ok = CLR_OK,
    null_pointer = CLR_NULL_POINTER,
    argument = CLR_ARGUMENT,
    handle = CLR_HANDLE,
    body = CLR_BODY,
    no_room = CLR_NO_ROOM,
    full = CLR_FULL,
    busy = CLR_BUSY,
    stored = CLR_STORED,
    abi = CLR_ABI,
    panic = CLR_PANIC
};

/** Whether header and library belong together: ask once at the start. */
inline Status check_abi() noexcept {
    return static_cast<Status>(clr_check_abi(CLR_ABI_VERSION, CLR_ABI_SIZES));
}

/** A value, or why there is none; `error()` has the sentence until the next call of this thread that is refused. */
template <typename T>
class Result {
public:
    explicit Result(clr_status status, T value = T{}) noexcept : status_{status}, value_{std::move(value)} {}
    explicit operator bool() const noexcept { return status_ == CLR_OK; }
    Status status() const noexcept { return static_cast<Status>(status_); }
    const char *error() const noexcept { return clr_last_error(); }
    T &operator*() noexcept { return value_; }
    const T &operator*() const noexcept { return value_; }
    const T *operator->() const noexcept { return &value_; }
    T value_or(T other) const { return status_ == CLR_OK ? value_ : std::move(other); }

private:
    clr_status status_;
    T value_;
};

/** An array that somebody else owns: `std::span` of C++20. */
template <typename T>
class Span {
public:
    constexpr Span() noexcept = default;
    constexpr Span(T *data, std::size_t size) noexcept : data_{data}, size_{size} {}
    template <std::size_t N>
    constexpr Span(T (&items)[N]) noexcept : data_{items}, size_{N} {}
    template <typename List, typename = decltype(std::declval<List &>().data())>
    constexpr Span(List &list) noexcept : data_{list.data()}, size_{list.size()} {}
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t place) const noexcept { return data_[place]; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/** Owns a handle, and ends it. */
template <typename Handle, clr_status (*End)(Handle *)>
class Owner {
public:
    Owner() noexcept = default;
    explicit Owner(Handle *handle) noexcept : handle_{handle} {}
    Owner(Owner &&other) noexcept : handle_{std::exchange(other.handle_, nullptr)} {}
    Owner &operator=(Owner &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;
    ~Owner() {
        if (handle_) End(handle_);
    }
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    Handle *get() const noexcept { return handle_; }
    Handle *release() noexcept { return std::exchange(handle_, nullptr); }

    /** What a call makes that writes a handle to its last argument: `Shape3::made(clr3_shape_ball, 0.5f)`. It is empty if the call is refused. */
    template <typename... Parameters, typename... Arguments>
    static Owner made(clr_status (*make)(Parameters...), Arguments &&...arguments) {
        Handle *handle = nullptr;
        make(std::forward<Arguments>(arguments)..., &handle);
        return Owner{handle};
    }

private:
    Handle *handle_ = nullptr;
};

using Shape2 = Owner<clr2_shape, clr2_shape_release>;
using Snapshot2 = Owner<clr2_snapshot, clr2_snapshot_destroy>;

/** A world of the 2-dimensional kind. Calls that are not here take `get()`. */
class World2 : public Owner<clr2_world, clr2_world_destroy> {
public:
    World2() noexcept : World2{clr2_options_default()} {}
    explicit World2(const clr2_options &options) noexcept : Owner{made(clr2_world_create, &options)} {}

    Result<std::uint64_t> insert(const clr2_body &body) noexcept {
        std::uint64_t id = 0;
        const clr_status status = clr2_world_insert(get(), &body, 1, &id);
        return Result<std::uint64_t>{status, id};
    }
    Result<std::vector<std::uint64_t>> insert(Span<const clr2_body> bodies) {
        std::vector<std::uint64_t> ids(bodies.size());
        const clr_status status = clr2_world_insert(get(), bodies.data(), bodies.size(), ids.data());
        return Result<std::vector<std::uint64_t>>{status, std::move(ids)};
    }
    Status remove(Span<const std::uint64_t> ids) noexcept {
        return static_cast<Status>(clr2_world_remove(get(), ids.data(), ids.size()));
    }
    Status set_pose(std::uint64_t id, const clr2_pose &pose) noexcept {
        return static_cast<Status>(clr2_world_set_poses(get(), &id, &pose, 1));
    }
    Status set_velocity(std::uint64_t id, const clr2_velocity &velocity) noexcept {
        return static_cast<Status>(clr2_world_set_velocities(get(), &id, &velocity, 1));
    }
    Result<clr2_pose> pose(std::uint64_t id) const noexcept {
        clr2_pose pose = clr2_pose_identity();
        const clr_status status = clr2_world_poses(get(), &id, 1, &pose);
        return Result<clr2_pose>{status, pose};
    }
    Status step(float dt) noexcept { return static_cast<Status>(clr2_world_step(get(), dt)); }

    /** Borrowed until the world changes; empty if the world is not there. */
    Span<const clr2_contact> contacts() const noexcept { return borrowed<clr2_contact, clr2_contacts>(clr2_world_contacts); }
    Span<const clr2_event> events() const noexcept { return borrowed<clr2_event, clr2_events>(clr2_world_events); }
    Span<const clr2_impact> impacts() const noexcept { return borrowed<clr2_impact, clr2_impacts>(clr2_world_impacts); }
    Span<const clr2_manifold> manifolds() const noexcept { return borrowed<clr2_manifold, clr2_manifolds>(clr2_world_manifolds); }

    /** The first body that a ray hits; its `hit` is 0 if there is none. */
    Result<clr2_body_ray_hit> cast_ray(const clr2_ray &ray, const clr_filter *filter = nullptr) const noexcept {
        clr2_body_ray_hit hit{};
        const clr_status status = clr2_world_cast_ray(get(), &ray, nullptr, filter, &hit);
        return Result<clr2_body_ray_hit>{status, hit};
    }
    Snapshot2 snapshot() const { return Snapshot2::made(clr2_world_snapshot, get()); }
    Status restore(const Snapshot2 &snapshot) noexcept { return static_cast<Status>(clr2_world_restore(get(), snapshot.get())); }

private:
    template <typename T, typename List>
    Span<const T> borrowed(clr_status (*ask)(const clr2_world *, List *)) const noexcept {
        List list{};
        ask(get(), &list);
        return Span<const T>{list.data, list.count};
    }
};

using Shape3 = Owner<clr3_shape, clr3_shape_release>;
using Snapshot3 = Owner<clr3_snapshot, clr3_snapshot_destroy>;

/** A world of the 3-dimensional kind. Calls that are not here take `get()`. */
class World3 : public Owner<clr3_world, clr3_world_destroy> {
public:
    World3() noexcept : World3{clr3_options_default()} {}
    explicit World3(const clr3_options &options) noexcept : Owner{made(clr3_world_create, &options)} {}

    Result<std::uint64_t> insert(const clr3_body &body) noexcept {
        std::uint64_t id = 0;
        const clr_status status = clr3_world_insert(get(), &body, 1, &id);
        return Result<std::uint64_t>{status, id};
    }
    Result<std::vector<std::uint64_t>> insert(Span<const clr3_body> bodies) {
        std::vector<std::uint64_t> ids(bodies.size());
        const clr_status status = clr3_world_insert(get(), bodies.data(), bodies.size(), ids.data());
        return Result<std::vector<std::uint64_t>>{status, std::move(ids)};
    }
    Status remove(Span<const std::uint64_t> ids) noexcept {
        return static_cast<Status>(clr3_world_remove(get(), ids.data(), ids.size()));
    }
    Status set_pose(std::uint64_t id, const clr3_pose &pose) noexcept {
        return static_cast<Status>(clr3_world_set_poses(get(), &id, &pose, 1));
    }
    Status set_velocity(std::uint64_t id, const clr3_velocity &velocity) noexcept {
        return static_cast<Status>(clr3_world_set_velocities(get(), &id, &velocity, 1));
    }
    Result<clr3_pose> pose(std::uint64_t id) const noexcept {
        clr3_pose pose = clr3_pose_identity();
        const clr_status status = clr3_world_poses(get(), &id, 1, &pose);
        return Result<clr3_pose>{status, pose};
    }
    Status step(float dt) noexcept { return static_cast<Status>(clr3_world_step(get(), dt)); }

    /** Borrowed until the world changes; empty if the world is not there. */
    Span<const clr3_contact> contacts() const noexcept { return borrowed<clr3_contact, clr3_contacts>(clr3_world_contacts); }
    Span<const clr3_event> events() const noexcept { return borrowed<clr3_event, clr3_events>(clr3_world_events); }
    Span<const clr3_impact> impacts() const noexcept { return borrowed<clr3_impact, clr3_impacts>(clr3_world_impacts); }
    Span<const clr3_manifold> manifolds() const noexcept { return borrowed<clr3_manifold, clr3_manifolds>(clr3_world_manifolds); }

    /** The first body that a ray hits; its `hit` is 0 if there is none. */
    Result<clr3_body_ray_hit> cast_ray(const clr3_ray &ray, const clr_filter *filter = nullptr) const noexcept {
        clr3_body_ray_hit hit{};
        const clr_status status = clr3_world_cast_ray(get(), &ray, nullptr, filter, &hit);
        return Result<clr3_body_ray_hit>{status, hit};
    }
    Snapshot3 snapshot() const { return Snapshot3::made(clr3_world_snapshot, get()); }
    Status restore(const Snapshot3 &snapshot) noexcept { return static_cast<Status>(clr3_world_restore(get(), snapshot.get())); }

private:
    template <typename T, typename List>
    Span<const T> borrowed(clr_status (*ask)(const clr3_world *, List *)) const noexcept {
        List list{};
        ask(get(), &list);
        return Span<const T>{list.data, list.count};
    }
};

} // namespace clearance

#endif
