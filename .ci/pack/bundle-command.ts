// Puts the program `roundtrip-fake` into the package of fakes: `roundtrip fake` with what it uses of other packages, which are larger than a fake. Only
// for packing.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const projectRoot = join(import.meta.dirname, "..", "..");
const cli = join(projectRoot, "packages", "cli");
const out = join(projectRoot, "packages", "fakes", "dist", "command");

const { name, dependencies } = JSON.parse(
  readFileSync(join(projectRoot, "packages", "fakes", "package.json"), "utf8"),
) as { readonly name: string; readonly dependencies: Readonly<Record<string, string>> };
const installed = [name, ...Object.keys(dependencies)];

await using bundle = await rolldown({
  input: { "fake-main": join(cli, "src", "fake-main.ts") },
  platform: "node",
  external: (id) => installed.some((library) => id === library || id.startsWith(`${library}/`)),
});
await bundle.write({ dir: out, format: "esm", chunkFileNames: "[name]-[hash].js" });
for (const file of ["roundtrip-fake.js", "compile-cache.js", "old-node.js"])
  cpSync(join(cli, "bin", file), join(out, file));
