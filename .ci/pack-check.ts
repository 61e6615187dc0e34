// Packs every package and uses it outside the workspace, as the docs describe: without sources, workspace or type stripping.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { useFakesAlone } from "./pack/fakes-alone.ts";
import { followPages, makeProject, pageBlock } from "./pack/follow-pages.ts";
import { outsideTerminal, type OutsideTerminal } from "./pack/outside-terminal.ts";
import { packPackages } from "./pack/pack-packages.ts";

/** The package of a tarball: `@roundtrip/contract` for `…/roundtrip-contract-0.1.0.tgz`. */
function packageOf(tarball: string): string {
  return basename(tarball).replace(/^roundtrip-(.+)-\d+\.\d+\.\d+.*$/, "@roundtrip/$1");
}

/** Packs into the folder that the docs use, beside the clone. */
function pack(clone: string): readonly string[] {
  const [, folder = ""] = /pack:all --out (\S+)/.exec(pageBlock("fakes.md", "sh", "pack:all")) ?? [];
  return packPackages(join(clone, folder));
}

async function lint(tarball: string): Promise<void> {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  const faults = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
  if (faults.length > 0) throw new Error(`${basename(tarball)}\n${faults.join("\n")}`);
}

function use(terminal: OutsideTerminal, project: string, tarballs: readonly string[]): void {
  const libraries = tarballs.map(packageOf).filter((name) => name !== "@roundtrip/cli");
  const imports = libraries.map((name) => `await import("${name}");`).join("");
  terminal.run(project, `node --input-type=module --eval '${imports}'`);
  terminal.run(project, "npx --no roundtrip help");
  terminal.run(project, "npx --no roundtrip describe");
  terminal.run(project, "npx --no roundtrip bench hello --rounds 1 --calls 20 --out run");
}

const workspace = mkdtempSync(join(tmpdir(), "roundtrip-pack-"));
try {
  const clone = join(workspace, "clone");
  mkdirSync(clone);
  const tarballs = pack(clone);
  await Promise.all(tarballs.map(lint));
  const terminal = outsideTerminal(workspace);
  const alone = await useFakesAlone(terminal, workspace, tarballs);
  const project = makeProject(terminal, clone);
  use(terminal, project, tarballs);
  await followPages(terminal, project);
  console.log(
    `${tarballs.length} packages packed, linted, installed and used as the pages say; a fake alone is ${alone}`,
  );
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
