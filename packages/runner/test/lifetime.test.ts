// What a killed process would leave behind is gone with it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../src/lifetime/ends-with-us.ts";
import { textOf } from "../src/lifetime/session-processes.ts";

const owner = fileURLToPath(new URL("support/owner-process.ts", import.meta.url));

const isRunning = (pid: number): boolean => !/^$|\) [ZX] /.test(textOf(`/proc/${pid}/stat`));

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(10);
}

it("a temporary folder is for this user alone, and gone when it is disposed of", () => {
  const { path, ...folder } = temporaryFolder("test");
  expect(statSync(path).mode & 0o777).toBe(0o700);
  folder[Symbol.dispose]();
  expect(existsSync(path)).toBe(false);
});

it.each(["SIGKILL", "SIGTERM"] as const)(
  "a process that is ended with %s takes stopped children, their sessions and its folders with it",
  async (signal) => {
    const child = spawn(process.execPath, [owner], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { folder, kept, pids } = JSON.parse(line) as {
      readonly folder: string;
      readonly kept: number;
      readonly pids: readonly number[];
    };
    await until(() => pids.every(isRunning));
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    expect(existsSync(folder)).toBe(true);
    child.kill(signal);
    await until(() => !pids.some(isRunning));
    await until(() => !existsSync(folder));
    // What was released is left alone.
    expect(isRunning(kept)).toBe(true);
    process.kill(kept, "SIGKILL");
  },
);

const watching = fileURLToPath(new URL("support/without-files-process.ts", import.meta.url));
/** Two shells that stay between, as a package manager's script has them: the parent alone is known without a look at files. */
const between = `ulimit -n 64; sh -c '"$@"; true' sh "$@"; true`;

it("a program keeps its starter while it has no free file descriptor", async () => {
  const shell = ["-c", between, "sh", process.execPath, watching];
  const child = spawn("sh", shell, { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  expect(await text(child.stdout)).toBe("EMFILE: still there\n");
});
