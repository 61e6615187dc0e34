// Compiles the package in the current directory to dist/, with other files that it reads at run time. Only for packing, not for development.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, relative } from "node:path";

const projectRoot = join(import.meta.dirname, "..");
/** The root of the package's sources, and the folders with files to read at run time. */
const [sources, folders] = existsSync("src") ? ["src", ["."]] : [".", ["studies", "reference"]];

const workspace = mkdtempSync(join(tmpdir(), "roundtrip-build-"));
try {
  // The project's own compiler: dependencies of a package may bring another.
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
