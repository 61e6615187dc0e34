// Makes tarballs for projects outside this workspace, and prints how to install them.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { packPackages } from "./pack/pack-packages.ts";

const usage = "pack:all --out ../roundtrip-packages";

function folderAskedFor(): string | undefined {
  try {
    return parseArgs({ options: { out: { type: "string" } } }).values.out;
  } catch {
    return undefined;
  }
}

const out = folderAskedFor();
if (out === undefined || out === "") {
  console.error(`pack:all wants the folder that the tarballs are to lie in: ${usage}`);
  process.exit(64);
}
const folder = resolve(out);
console.log("Compiling and packing takes about a minute.");
try {
  const tarballs = packPackages(folder);
  console.log(`${tarballs.length} packages are in ${out}. In a project of yours:`);
  console.log(`  npm install --save-dev ${folder}/*.tgz`);
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
}
