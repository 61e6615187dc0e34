// SIGINT and SIGTERM end the program, whatever it does: while it computes, while the system blocks it, and with servers that leave its reach.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { isRunning, mentioning } from "./support/child-processes.ts";
import { gitAll } from "./support/git.ts";
import { emptyFolder, run, start, until, folderWith } from "./support/run-program.ts";
import { thingShop } from "./support/thing-shop.ts";

const interrupted = { SIGINT: 130, SIGTERM: 143 } as const;
const node = process.execPath;

function contentsOf(folder: string): ReadonlyMap<string, string> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

describe.each(["SIGINT", "SIGTERM"] as const)("%s", async (signal) => {
  const onLinux = await needing("linux");

  it("ends a program that computes without a pause", async () => {
    const cwd = emptyFolder();
    const text = 'import { writeFileSync } from "node:fs";\nwriteFileSync("begun", "");\nfor (;;);';
    writeFileSync(join(cwd, "roundtrip.config.ts"), text);
    const running = start(["describe"], { cwd });
    await until(() => (existsSync(join(cwd, "begun")) ? true : undefined));
    process.kill(running.pid, signal);
    expect(await running.ended).toEqual({ status: interrupted[signal], stdout: "", stderr: "" });
  });

  it("ends a program that a script has started in the background", await needing("bash"), async () => {
    const cwd = folderWith({ "roundtrip.config.ts": "for (;;);" });
    const shell = '"$@" & program=$!; sleep 1; kill -s "$SIGNAL" $program; wait $program';
    const { status } = await start(["describe"], { cwd, shell, env: { SIGNAL: signal.slice(3) } }).ended;
    expect(status).toBe(interrupted[signal]);
  });

  it("ends a program that the system blocks", onLinux, async () => {
    const cwd = emptyFolder();
    execFileSync("mkfifo", [join(cwd, "pipe.ts")]);
    writeFileSync(join(cwd, "inside.ts"), 'import "./pipe.ts";');
    const text = 'import { writeFileSync } from "node:fs";\nwriteFileSync("begun", "");\nawait import("./inside.ts");';
    writeFileSync(join(cwd, "roundtrip.config.ts"), text);
    const running = start(["describe"], { cwd });
    await until(() => (existsSync(join(cwd, "begun")) ? true : undefined));
    process.kill(running.pid, signal);
    expect(await running.ended).toEqual({ status: interrupted[signal], stdout: "", stderr: "" });
  });

  it("waits for files that are being written", async () => {
    const words = ["export", "k6", "hello", "--rounds", "3", "--seed", "1", "--out", "k6"];
    const [whole, cwd] = [emptyFolder(), emptyFolder()];
    expect(await run(words, { cwd: whole })).toMatchObject({ status: 0 });
    mkdirSync(join(cwd, "k6"));
    const watcher = watch(join(cwd, "k6"));
    const running = start(words, { cwd });
    await once(watcher, "change");
    process.kill(running.pid, signal);
    watcher.close();
    // It may have been done before the signal, or be about to exit.
    expect([0, 130, interrupted[signal]]).toContain((await running.ended).status);
    expect(contentsOf(join(cwd, "k6"))).toEqual(contentsOf(join(whole, "k6")));
  });

  it("ends git in a repository that it cannot read", await needing("linux", "git"), async () => {
    const [cwd, temporary] = [folderWith({ "shop.proto": thingShop }), emptyFolder()];
    gitAll(cwd, "init -q -b main", "add -A", "commit -q -m first");
    const pipe = join(cwd, "pipe");
    execFileSync("mkfifo", [pipe]);
    writeFileSync(join(cwd, ".git", "config"), `[include]\n\tpath = ${pipe}\n`, { flag: "a" });
    const words = ["compare", "main", "main", "--serve", "server", "--stack", "rest"];
    const running = start(words, { cwd, env: { TMPDIR: temporary, NAMED: cwd } });
    await until(() => (mentioning("rev-parse").length > 0 ? true : undefined));
    process.kill(running.pid, signal);
    expect([130, interrupted[signal]]).toContain((await running.ended).status);
    await until(() => (readdirSync(temporary).every((name) => !name.startsWith("roundtrip-")) ? true : undefined));
  });
});

describe("the end of the program", async () => {
  it("does not wait for a thread that the system blocks, and keeps its status", await needing("linux"), async () => {
    const cwd = emptyFolder();
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    const blocked = fileURLToPath(new URL("../src/basics/interruption.ts", import.meta.url));
    const text = `
      import { endWithBlockedThreads } from ${JSON.stringify(blocked)};
      import { readFile } from "node:fs/promises";
      import { writeFileSync } from "node:fs";
      endWithBlockedThreads();
      process.on("exit", (status) => writeFileSync("cleaned", String(status)));
      void readFile("pipe");
      setTimeout(() => process.stdout.write("said", () => process.exit(69)), 50);
    `;
    writeFileSync(join(cwd, "blocked.ts"), text);
    const child = spawn(node, ["--no-warnings", "blocked.ts"], { cwd, stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    expect(await once(child, "close")).toEqual([69, null]);
    expect([said, readFileSync(join(cwd, "cleaned"), "utf8")]).toEqual(["said", "69"]);
  });

  it.each([
    ["when a run is done", true, 0],
    ["when it is stopped before its first call", false, 130],
  ])(
    "names a process that has left the session of its server: %s",
    await needing("linux"),
    async (_when, answers, end) => {
      const cwd = folderWith({ "shop.proto": thingShop, "daemon.mjs": "setInterval(() => undefined, 60_000);" });
      const server = `
      import { spawn } from "node:child_process";
      import { createServer } from "node:http";
      spawn(${JSON.stringify(node)}, [${JSON.stringify(join(cwd, "daemon.mjs"))}], { detached: true, stdio: "ignore" }).unref();
      createServer((request, response) => {
        response.setHeader("content-type", "application/json").end('{ "id": "1", "name": "Lamp" }');
      }).listen(${answers ? "Number(process.argv[2])" : "0"}, "127.0.0.1");
    `;
      writeFileSync(join(cwd, "server.mjs"), server);
      const serve = `"${node}" server.mjs {port}`;
      const words = ["--contract", "shop.proto", "--stack", "rest", "--serve", serve, "--rounds", "1", "--calls", "5"];
      const running = start(["bench", ...words], { cwd });
      if (!answers) {
        await until(() => (mentioning(join(cwd, "daemon.mjs")).length > 0 ? true : undefined));
        process.kill(running.pid, "SIGTERM");
      }
      const { status, stderr } = await running.ended;
      expect(status).toBe(end);
      const named = [
        ...stderr.matchAll(/^roundtrip: process (\d+) \(\S+ \S+daemon\.mjs\) of a --serve command still runs/gm),
      ];
      const pids = named.map(([, pid]) => Number(pid));
      expect(pids.length).toBeGreaterThan(0);
      expect(pids.every(isRunning)).toBe(true);
      for (const pid of pids) process.kill(pid);
      expect(mentioning(join(cwd, "server.mjs"))).toEqual([]);
    },
  );
});
