// Memory of another process, read from the kernel.
import { readFileSync } from "node:fs";

/** The largest memory that a process has had so far, in MiB; undefined where the system does not report it. */
export function peakMiBOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return kib === undefined ? undefined : Number(kib) / 1_024;
}
