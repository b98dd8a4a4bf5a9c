import { defineConfig } from "vitest/config";

// One browser at a time: several would only wait for each other.
export default defineConfig({
  test: {
    include: ["tests/*.spec.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
