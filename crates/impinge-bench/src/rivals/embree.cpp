// Single rays on one thread against one mesh, by Embree: `embree SCENE PASSES` prints nanoseconds a ray of each pass, and
// writes the distances of the first hits beside the scene.
//
// SCENE: three u32 counts (vertices, triangles, rays); vertices as 3 f32; triangles as 3 u32; rays as 6 f32, the
// direction of unit length.

#include <embree3/rtcore.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

template <class T> std::vector<T> read_values(FILE *file, size_t count) {
    std::vector<T> values(count);
    if (fread(values.data(), sizeof(T), count, file) != count) {
        fprintf(stderr, "the scene is cut off\n");
        exit(2);
    }
    return values;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    FILE *file = fopen(argv[1], "rb");
    if (!file) return 2;
    auto counts = read_values<uint32_t>(file, 3);
    auto vertices = read_values<float>(file, 3 * size_t(counts[0]));
    auto triangles = read_values<uint32_t>(file, 3 * size_t(counts[1]));
    auto rays = read_values<float>(file, 6 * size_t(counts[2]));
    fclose(file);

    RTCDevice device = rtcNewDevice("threads=1");
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
    RTCGeometry mesh = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void *place = rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, counts[0]);
    memcpy(place, vertices.data(), vertices.size() * sizeof(float));
    place = rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, counts[1]);
    memcpy(place, triangles.data(), triangles.size() * sizeof(uint32_t));
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(scene, mesh);
    rtcCommitScene(scene);

    std::vector<float> distances(counts[2]);
    for (int pass = 0; pass < atoi(argv[2]); ++pass) {
        auto start = std::chrono::steady_clock::now();
        for (size_t k = 0; k < counts[2]; ++k) {
            const float *r = &rays[6 * k];
            RTCRayHit query;
            query.ray.org_x = r[0], query.ray.org_y = r[1], query.ray.org_z = r[2];
            query.ray.dir_x = r[3], query.ray.dir_y = r[4], query.ray.dir_z = r[5];
            query.ray.tnear = 0, query.ray.tfar = std::numeric_limits<float>::infinity();
            query.ray.time = 0, query.ray.mask = -1, query.ray.id = 0, query.ray.flags = 0;
            query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            rtcIntersect1(scene, &context, &query);
            distances[k] = query.ray.tfar;
        }
        std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
        printf("%.3f\n", taken.count() / counts[2]);
    }
    std::string answers = std::string(argv[1]) + ".answers";
    file = fopen(answers.c_str(), "wb");
    if (!file || fwrite(distances.data(), sizeof(float), distances.size(), file) != distances.size()) return 2;
    fclose(file);
    rtcReleaseGeometry(mesh);
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
}
