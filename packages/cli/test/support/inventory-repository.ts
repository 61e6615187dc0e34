// A repository of somebody else with a server in Go: commits of the example whose calls take a set time.
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gitAll } from "./git.ts";

const example = fileURLToPath(new URL("../../../../examples/your-repository", import.meta.url));

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

/** The program with a method that begins with a look-up. */
function lookingUp(text: string, method: string, ms: number): string {
  const body = new RegExp(`(\\) ${method}\\(.*\\{\\n)`);
  if (!body.test(text)) throw new Error(`main.go has no ${method}`);
  return text.replace(body, `$1\tlookUp(${ms} * time.Millisecond)\n`);
}

/**
 * Has two commits, and the two tasks of the example that only read.
 * @param listItemsMs how long ListItems waits, in milliseconds; it is the same in both commits
 * @param getItemMs the same for GetItem, in the first commit and in the second
 */
export function inventoryRepository(listItemsMs: number, getItemMs: readonly [number, number]): string {
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-inventory-"));
  cpSync(example, folder, { recursive: true });
  writeFileSync(join(folder, "look_up.go"), lookUp);
  const tasks = join(folder, "tasks.yaml");
  const [reading = ""] = readFileSync(tasks, "utf8").split("  - name: order\n");
  writeFileSync(tasks, reading);
  const program = join(folder, "main.go");
  const text = readFileSync(program, "utf8").replace("lookup = time.Millisecond", "lookup = 0");
  gitAll(folder, "init -q -b main");
  for (const ms of getItemMs) {
    writeFileSync(program, lookingUp(lookingUp(text, "GetItem", ms), "ListItems", listItemsMs));
    gitAll(folder, "add -A", "commit -q --allow-empty -m 'as it is now'");
  }
  return folder;
}
