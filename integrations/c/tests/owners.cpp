// The C++ header: owners, spans, results.
#include <clearance/clearance.hpp>

#include <cstdio>
#include <cstring>

static int failures = 0;
#define CHECK(is_so)                                                                    \
    do {                                                                                \
        if (!(is_so)) {                                                                 \
            std::printf("%s:%d: %s; %s\n", __FILE__, __LINE__, #is_so, clr_last_error()); \
            failures++;                                                                 \
        }                                                                               \
    } while (0)

int main() {
    using namespace clearance;
    CHECK(check_abi() == Status::ok);
    clr3_options options = clr3_options_default();
    options.margin = 0.1f;
    World3 world{options};
    CHECK(world);
    const float up[3] = {0.0f, 1.0f, 0.0f};
    const Shape3 ground = Shape3::made(clr3_shape_half_space, up);
    Shape3 ball = Shape3::made(clr3_shape_ball, 0.5f);
    CHECK(ground && ball);
    CHECK(!Shape3::made(clr3_shape_ball, -0.5f));
    CHECK(std::strstr(clr_last_error(), "radius is -0.5") != nullptr);
    clr3_body bodies[] = {clr3_body_fixed(ground.get()), clr3_body_moving(ball.get())};
    bodies[1].pose.position[1] = 0.55;
    const Result<std::vector<std::uint64_t>> ids = world.insert(bodies);
    CHECK(ids && ids->size() == 2);
    Shape3 moved = std::move(ball);
    CHECK(moved && !ball);
    CHECK(world.step(0.0f) == Status::ok);
    std::size_t count = 0;
    for (const clr3_contact &contact : world.contacts()) {
        CHECK(contact.a == (*ids)[0] && contact.b == (*ids)[1]);
        CHECK(contact.distance > 0.049f && contact.distance < 0.051f);
        count++;
    }
    CHECK(count == 1 && world.events().size() == 1);
    clr3_ray ray{};
    ray.origin[1] = 5.0;
    ray.direction[1] = -1.0f;
    const Result<clr3_body_ray_hit> hit = world.cast_ray(ray);
    CHECK(hit && hit->body == (*ids)[1]);
    const Snapshot3 before = world.snapshot();
    CHECK(world.remove(*ids) == Status::ok);
    CHECK(world.contacts().empty());
    CHECK(world.pose((*ids)[1]).status() == Status::body);
    CHECK(world.restore(before) == Status::ok);
    CHECK(world.pose((*ids)[1])->position[1] == 0.55);
    World2 plane;
    CHECK(plane && plane.step(0.5f) == Status::ok && plane.contacts().empty());
    return failures != 0;
}
