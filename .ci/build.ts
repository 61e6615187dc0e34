// Compiles the package in the current directory to dist/, with the files beside its sources that are read at run time. Runs before
// a package is packed; for development nothing is built.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, relative } from "node:path";

const projectRoot = join(import.meta.dirname, "..");
/** Where the package's sources begin, and the folders that they may read from. */
const [sources, folders] = existsSync("src") ? ["src", ["."]] : [".", ["studies", "reference"]];

const workspace = mkdtempSync(join(tmpdir(), "roundtrip-build-"));
try {
  // The project's own: a package may have another one in reach, through what it depends on.
  const compiler = join(projectRoot, "node_modules", ".bin", "tsc");
  execFileSync(compiler, ["--project", join(projectRoot, "tsconfig.build.json"), "--outDir", workspace], {
    stdio: "inherit",
  });
  rmSync("dist", { recursive: true, force: true });
  cpSync(join(workspace, relative(projectRoot, process.cwd()), sources), "dist", { recursive: true });
} finally {
  rmSync(workspace, { recursive: true });
}
for (const folder of folders.filter((name) => existsSync(join(sources, name)))) {
  cpSync(join(sources, folder), join("dist", folder), { recursive: true, filter: (path) => extname(path) !== ".ts" });
}
