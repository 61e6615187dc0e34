// Somebody else's folder: git runs none of the programs that its `.git/config` names, buf downloads nothing, and `--no-config` runs none of its configuration.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { gitEnvironment } from "../src/basics/git-settings.ts";
import { git, gitAll } from "./support/git.ts";
import { emptyFolder, listening } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { thingShop } from "./support/thing-shop.ts";

/** What names a program, and how a repository does. */
const programs = [
  "core.fsmonitor",
  "core.sshCommand",
  "core.pager",
  "core.editor",
  "core.askPass",
  "core.alternateRefsCommand",
  "credential.helper",
  "credential.https://h.example/a=b.helper",
  "diff.external",
  "diff.odd.textconv",
  "diff.odd.command",
  "filter.odd.clean",
  "filter.odd.smudge",
  "filter.odd.process",
  "filter.a.b.smudge",
  "gpg.program",
  "gpg.ssh.program",
  "lfs.standalonetransferagent",
  "lfs.customtransfer.odd.path",
  "merge.odd.driver",
  "remote.origin.uploadpack",
  "uploadpack.packObjectsHook",
] as const;

interface Repository {
  readonly cwd: string;
  readonly hasRun: () => boolean;
}

/** Has two commits, a change in its work tree, and settings, attributes and hooks that run a program wherever git would. */
function hostileRepository(): Repository {
  const [cwd, elsewhere] = [emptyFolder(), emptyFolder()];
  const mark = join(elsewhere, "ran");
  const program = join(elsewhere, "program.sh");
  writeFileSync(program, `#!/bin/sh\necho "$0" >> ${mark}\ncat\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(cwd, "shop.proto"), thingShop);
  writeFileSync(join(cwd, "large.bin"), "large");
  writeFileSync(join(cwd, ".gitattributes"), "*.proto filter=odd diff=odd\nlarge.bin filter=a.b diff=odd merge=odd\n");
  gitAll(cwd, "init -q -b main", "add -A", "commit -q -m first");
  writeFileSync(join(cwd, "shop.proto"), `${thingShop}// More.\n`);
  gitAll(cwd, "add -A", "commit -q -m second");
  for (const name of programs) git(cwd, "config", name, program);
  for (const name of ["filter.odd.required", "filter.a.b.required", "log.showSignature"])
    git(cwd, "config", name, "true");
  const hooks = join(cwd, "hooks");
  mkdirSync(hooks);
  for (const name of ["post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"]) {
    writeFileSync(join(hooks, name), `#!/bin/sh\necho ${name} >> ${mark}\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  git(cwd, "config", "core.hooksPath", hooks);
  writeFileSync(join(cwd, "shop.proto"), `${thingShop}// Changed.\n`);
  return { cwd, hasRun: () => existsSync(mark) };
}

describe("a repository of somebody else", async () => {
  const onGit = await needing("git");

  it("runs nothing of its own when revisions are compared", onGit, async () => {
    const { cwd, hasRun } = hostileRepository();
    const { status, stderr } = await run(
      ["compare", "HEAD^1", "HEAD", "--serve", "no-such-server {port}", "--contract", "shop.proto", "--stack", "rest"],
      { cwd },
    );
    expect({ status, stderr }).toEqual({
      status: 69,
      stderr: expect.stringContaining("no-such-server is not installed"),
    });
    expect(stderr).toContain("checking main out");
    expect(hasRun()).toBe(false);
    expect(git(cwd, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
  });

  it("runs nothing of its own when contracts are compared", onGit, async () => {
    const { cwd, hasRun } = hostileRepository();
    expect(await run(["check", "--contract", "shop.proto"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect(await run(["compare", "run", "HEAD"], { cwd })).toMatchObject({ status: 64 });
    expect(hasRun()).toBe(false);
  });

  it("keeps what the user has configured, after the variables of the user's own", () => {
    const listed = ["global", "filter.lfs.smudge", "local", "filter.odd.smudge", "local", "core.bare", "worktree"];
    process.env["GIT_CONFIG_COUNT"] = "1";
    try {
      const env = gitEnvironment([...listed, "core.sshcommand", ""].join("\0"));
      expect(env).toMatchObject({
        GIT_CONFIG_COUNT: "6",
        GIT_CONFIG_KEY_1: "filter.odd.smudge",
        GIT_CONFIG_VALUE_1: "",
        GIT_CONFIG_KEY_2: "core.sshcommand",
        GIT_CONFIG_VALUE_2: "ssh",
        GIT_CONFIG_KEY_3: "core.hooksPath",
      });
    } finally {
      delete process.env["GIT_CONFIG_COUNT"];
    }
  });
});

it("a buf.yaml of somebody else reaches no network", async () => {
  const cwd = emptyFolder();
  const module = "modules.example/acme/things";
  writeFileSync(join(cwd, "shop.proto"), `${thingShop}import "acme/things.proto";\n`);
  writeFileSync(join(cwd, "buf.yaml"), `version: v2\ndeps:\n  - ${module}\n`);
  const lock = `  - name: ${module}\n    commit: ${"1".repeat(32)}\n    digest: b5:${"1".repeat(128)}\n`;
  writeFileSync(join(cwd, "buf.lock"), `version: v2\ndeps:\n${lock}`);
  let connections = 0;
  const proxy = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const address = await listening(proxy);
  const env = { HTTPS_PROXY: address, https_proxy: address, NO_PROXY: "", no_proxy: "" };
  const { status, stderr } = await run(["describe", "--contract", "."], { cwd, env });
  proxy.close();
  expect({ status, connections }).toEqual({ status: 64, connections: 0 });
  expect(stderr).toContain(`buf.yaml imports from ${module}, which buf's cache does not have`);
});

describe("a configuration of somebody else", () => {
  it("is code, which --no-config does not run, before or after the command", async () => {
    const cwd = emptyFolder();
    const text =
      'import { writeFileSync } from "node:fs";\nwriteFileSync("ran", "");\nexport default { stack: "no-such" };';
    writeFileSync(join(cwd, "roundtrip.config.ts"), text);
    for (const words of [
      ["--no-config", "describe", "SayHello"],
      ["describe", "SayHello", "--no-config"],
    ]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await run(words, { cwd })).toMatchObject({ status: 0, stderr: "" });
    }
    expect(existsSync(join(cwd, "ran"))).toBe(false);
    expect((await run(["describe", "SayHello"], { cwd })).stderr).toContain("no-such");
    expect(existsSync(join(cwd, "ran"))).toBe(true);
  });

  it("of a compared version is named when it is read", async () => {
    const [cwd, version] = [emptyFolder(), emptyFolder()];
    for (const folder of [cwd, version]) {
      writeFileSync(
        join(folder, "roundtrip.config.ts"),
        'export default { serve: "no-such-server {port}", stack: "rest" };',
      );
    }
    const words = ["compare", `dir=${version}`, `dir=${version}`, "--operations", "SayHello"];
    const { stderr } = await run(words, { cwd });
    expect(stderr).toContain(`reading roundtrip.config.ts of ${version} …\n`);
    expect(
      (await run([...words, "--no-config", "--serve", "no-such-server {port}", "--stack", "rest"], { cwd })).stderr,
    ).not.toContain("reading");
  });
});
