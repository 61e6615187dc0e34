// Names the processes of servers that a command started and that did not end with it, because they left its session, as daemons do.
import { atExit, processesStartedWith } from "@roundtrip/runner/lifetime";
import { randomBytes } from "node:crypto";
import { endByItself } from "../basics/interruption.ts";

const variable = "STARTED_BY_ROUNDTRIP";
const value = `${process.pid}-${randomBytes(6).toString("hex")}`;

/** Killed processes may still be listed for a moment. */
const listedMs = 100;

function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function nameProcesses(): void {
  if (processesStartedWith(variable, value).length === 0) return;
  wait(listedMs);
  for (const { pid, command } of processesStartedWith(variable, value)) {
    const what = `process ${pid} (${command}) of a --serve command still runs, because it left the session of its server`;
    process.stderr.write(`roundtrip: ${what}; end it with: kill ${pid}\n`);
  }
}

let isWatching = false;

/** The environment by which processes of a server are recognised when this program ends. */
export function markedEnvironment(): Readonly<Record<string, string>> {
  if (!isWatching) {
    atExit(nameProcesses);
    endByItself();
  }
  isWatching = true;
  return { [variable]: value };
}
