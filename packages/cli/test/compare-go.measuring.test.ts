// The verdict of `compare` on a repository of somebody else, with servers in Go and default settings.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { goEnvironment } from "./support/go-target.ts";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const example = fileURLToPath(new URL("../../../examples/your-repository", import.meta.url));

/** Go builds without a network. Other tests make do with a shorter warm-up than the default. */
const env = { GOPROXY: goEnvironment.GOPROXY, GOFLAGS: goEnvironment.GOFLAGS, ROUNDTRIP_WARM_UP: "" };

/**
 * Looks a thing up: waits, and then computes for a twentieth of that time by the clock of its own thread. So answers take and cost as long, whatever
 * else runs on the machine, and a difference is one of the server.
 */
const lookUp = `package main

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

func computed() time.Duration {
	const threadClock = 3
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&now)), 0)
	return time.Duration(now.Nano())
}

func lookUp(wait time.Duration) {
	time.Sleep(wait)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for start := computed(); computed()-start < wait/20; {
	}
}
`;

const cost = { usual: 40, slower: 44 } as const;

/** The program with a method that begins with a look-up. */
function lookingUp(text: string, method: string, ms: number): string {
  const body = new RegExp(`(\\) ${method}\\(.*\\{\\n)`);
  if (!body.test(text)) throw new Error(`main.go has no ${method}`);
  return text.replace(body, `$1\tlookUp(${ms} * time.Millisecond)\n`);
}

/** A version of the example whose two operations that read take this long, in milliseconds. */
function version(getItemMs: number): string {
  const folder = emptyFolder();
  cpSync(example, folder, { recursive: true });
  const program = join(folder, "main.go");
  const text = readFileSync(program, "utf8").replace("lookup = time.Millisecond", "lookup = 0");
  writeFileSync(program, lookingUp(lookingUp(text, "GetItem", getItemMs), "ListItems", cost.usual));
  writeFileSync(join(folder, "look_up.go"), lookUp);
  const tasks = join(folder, "tasks.yaml");
  const [reading = ""] = readFileSync(tasks, "utf8").split("  - name: order\n");
  writeFileSync(tasks, reading);
  return folder;
}

const patienceMs = 1_800_000;

interface Comparison {
  readonly verdict: string;
  readonly reason: string;
  readonly cells: readonly { readonly task: string; readonly state: string }[];
}

/**
 * The first verdict. Rounds of one job in a hundred resemble the ones before them by chance, and more do beside work that comes and goes: such a job
 * is inconclusive, and done again as its user would.
 */
async function compared(base: string, head: string): Promise<Comparison & { readonly status: number }> {
  const mostJobs = 3;
  for (let job = 1; ; job += 1) {
    // More time than by default: on a busy machine, the same rounds take longer.
    const time = ["--budget", "8m", "--out", join(emptyFolder(), "run")];
    const words = ["compare", "--base-dir", base, "--head-dir", head, ...time, "--json"];
    // oxlint-disable-next-line no-await-in-loop -- at once they would disturb each other
    const { status, stdout, stderr } = await run(words, { cwd: head, env });
    expect(stderr).not.toContain("roundtrip: ");
    const comparison = JSON.parse(stdout) as Comparison;
    if (comparison.verdict !== "inconclusive" || job === mostJobs) return { ...comparison, status };
  }
}

describe("compare of two servers of a foreign contract, with default settings", await needing("go"), () => {
  it("passes servers that cost the same", { timeout: patienceMs }, async () => {
    const { verdict, reason, status, cells } = await compared(version(cost.usual), version(cost.usual));
    expect({ verdict, reason, status }).toEqual({ verdict: "pass", reason: "", status: 0 });
    expect(new Set(cells.map(({ task }) => task))).toEqual(new Set(["browse", "find"]));
  });

  it("fails a server whose operation costs 10 % more, and names that operation", { timeout: patienceMs }, async () => {
    const { verdict, status, cells } = await compared(version(cost.usual), version(cost.slower));
    expect({ verdict, status }).toEqual({ verdict: "fail", status: 1 });
    const worse = cells.filter(({ state }) => state === "worse").map(({ task }) => task);
    expect(new Set(worse)).toEqual(new Set(["find"]));
  });
});
