import { createReadStream } from "node:fs";
import { defineConfig } from "vitest/config";

/** The files of a room are named after its folder. */
function roomOf(path: string | null | undefined): string | undefined {
  return path?.match(/src\/(\w+)\/room\.tsx$/)?.[1];
}

// What is built is committed, so that the command can hold it without npm: names carry no hashes, and
// addresses are relative, so that any server can offer the folder under any path.
export default defineConfig({
  base: "./",
  plugins: [
    {
      name: "engine",
      // The sources are served without a build; the engine lies where builds go.
      configureServer(server) {
        server.middlewares.use("/clearance.wasm", (_, response) => {
          response.setHeader("Content-Type", "application/wasm");
          createReadStream(new URL("../crates/cli/page/clearance.wasm", import.meta.url)).pipe(response);
        });
      },
    },
  ],
  build: {
    outDir: "../crates/cli/page",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rollupOptions: {
      output: {
        entryFileNames: "assets/[name].js",
        chunkFileNames: (chunk) => `assets/${roomOf(chunk.facadeModuleId) ?? chunk.name}.js`,
        assetFileNames: "assets/[name][extname]",
        codeSplitting: {
          groups: [
            { name: "three", test: /node_modules.three/ },
            { name: "uplot", test: /node_modules.uplot/ },
            { name: "split", test: /node_modules.split/ },
          ],
        },
      },
    },
  },
  worker: {
    format: "es",
    rollupOptions: { output: { entryFileNames: "assets/[name].js" } },
  },
  test: { include: ["src/**/*.test.ts"] },
});
