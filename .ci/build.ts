// Compiles the package in the current directory to dist/, with the files beside its sources that are read at run time. Runs before
// a package is packed; for development nothing is built.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, relative } from "node:path";

const projectRoot = join(import.meta.dirname, "..");
const packagePath = relative(projectRoot, process.cwd());
/** What a package ships: everything in src/, or the studies with their figures. */
const shipped = existsSync("src") ? ["src"] : ["index.ts", "studies", "reference"];

const room = mkdtempSync(join(tmpdir(), "roundtrip-build-"));
try {
  const tsconfig = join(projectRoot, "tsconfig.build.json");
  execFileSync("tsc", ["--project", tsconfig, "--outDir", room], { stdio: "inherit" });
  rmSync("dist", { recursive: true, force: true });
  cpSync(join(room, packagePath, existsSync("src") ? "src" : "."), "dist", { recursive: true });
} finally {
  rmSync(room, { recursive: true });
}
for (const path of shipped.filter((name) => existsSync(name))) {
  cpSync(path, path === "src" ? "dist" : join("dist", path), {
    recursive: true,
    filter: (source) => extname(source) !== ".ts",
  });
}
