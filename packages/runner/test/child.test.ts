// A process of a round, from its start to its end, however it ends.
import { writeFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Child } from "../src/processes/child.ts";

async function childOf(program: string): Promise<Child> {
  const file = join(await mkdtemp(join(tmpdir(), "roundtrip-child-")), "child.mjs");
  await writeFile(file, program);
  return new Child({ file, commandPrefix: [], label: "test" });
}

/** Resolves when the process is gone, which the kernel reports before its pipes have been read to their ends. */
async function goneByItself({ pid = 0 }: Child): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(1);
  }
}

it("is stopped although it has ended by itself and its exit is not noticed yet", async () => {
  // Its own child holds the pipe of errors open: "exit" comes long before "close".
  const child = await childOf(
    'import { spawn } from "node:child_process"; spawn("sleep", ["2"], { stdio: ["ignore", "ignore", "inherit"], detached: true }).unref(); process.exit(3);',
  );
  await goneByItself(child);
  await sleep(50);
  await child.stop(0);
  expect(await child.ended(5_000)).toMatchObject({ message: "the test process ended by itself (exit status 3)" });
});
