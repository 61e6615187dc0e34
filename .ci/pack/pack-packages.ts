// Packs every package as for publishing: compiled, with types, and without parts of the workspace. `pnpm pack:all --out FOLDER` does it for projects outside
// of this workspace.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const projectRoot = join(import.meta.dirname, "..", "..");
const ours = /^roundtrip-[a-z]+-\d+\.\d+\.\d+.*\.tgz$/;

/** Packs into the folder, replacing earlier tarballs, and returns their paths. Throws with the packer's output. */
export function packPackages(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const tarballs = () => readdirSync(folder).filter((name) => ours.test(name));
  for (const name of tarballs()) rmSync(join(folder, name));
  const packages = ["--filter", "./packages/*", "--filter", "./bench"];
  const args = ["-y", "pnpm@10", "--recursive", ...packages, "pack", "--pack-destination", folder];
  try {
    execFileSync("npx", args, { cwd: projectRoot, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (thrown) {
    const { stdout = "", stderr = "" } = thrown as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`npx ${args.join(" ")}\n${stdout}${stderr}`, { cause: thrown });
  }
  return tarballs().map((name) => join(folder, name));
}

if (import.meta.main) {
  const [flag, out = ""] = process.argv.slice(2);
  if (flag !== "--out" || out === "") {
    console.error("pack:all wants the folder that the tarballs are to lie in: pack:all --out ../roundtrip-packages");
    process.exit(64);
  }
  console.log("Compiling and packing takes about a minute.");
  try {
    console.log(`${packPackages(resolve(out)).length} packages are in ${out}. In a project of yours:`);
    console.log(`  npm install --save-dev ${resolve(out)}/*.tgz`);
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    process.exitCode = 1;
  }
}
