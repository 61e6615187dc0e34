// Checks a link before anything is measured over it: one byte there and back over TCP has to take the requested time.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { RunnerError } from "../basics/runner-error.ts";
import type { Link, LinkEnd } from "./link.ts";
import type { LinkSettings } from "../study/link-settings.ts";

/** Round trips of single bytes over open connections. */
export interface RoundTrips {
  /** The fastest, which nothing else on the machine delayed. */
  readonly leastRttMs: number;
  /** The median. */
  readonly rttMs: number;
}

const pingLimitMs = 60_000;
const file = join(import.meta.dirname, `echo-process${extname(import.meta.filename)}`);

type EchoProcess = ChildProcessByStdio<Writable, Readable, null>;

function startAt({ commandPrefix }: LinkEnd, args: readonly string[]): EchoProcess {
  const [program = "", ...rest] = [...commandPrefix, process.execPath, file, ...args];
  return spawn(program, rest, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
    // Ctrl-C at a terminal reaches its whole process group; the run ends its processes itself.
    detached: true,
  });
}

/** The first line that a process prints. Rejects if it ends before. */
async function firstLine(child: EchoProcess, signal: AbortSignal): Promise<string> {
  const ended = once(child, "close", { signal }).then(() => {
    throw new Error("the process ended without a line");
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line", { signal }), ended])) as [string];
  return line;
}

/** Pings over a link. Rejects with a RunnerError `link-faulty` if no byte returns, and at once if the signal aborts. */
export async function measureRtt(
  { client, server, reach }: Pick<Link, "client" | "server" | "reach">,
  interrupted: AbortSignal,
): Promise<RoundTrips> {
  interrupted.throwIfAborted();
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(pingLimitMs)]);
  const echo = startAt(server, ["serve", server.host]);
  let pinger: EchoProcess | undefined;
  try {
    await using route = await reach(`http://${server.host}:${await firstLine(echo, signal)}`);
    const { hostname, port } = new URL(route.url);
    pinger = startAt(client, ["ping", hostname, port]);
    return JSON.parse(await firstLine(pinger, signal)) as RoundTrips;
  } catch (cause) {
    interrupted.throwIfAborted();
    throw new RunnerError("link-faulty", "no packet passes the link", { cause });
  } finally {
    pinger?.kill("SIGKILL");
    echo.kill("SIGKILL");
  }
}

/** One byte with the headers of Ethernet, IP and TCP. */
const pingBytes = 67;

/** The expected round-trip time of one byte, including transmission. */
function expectedRttMs({ rttMs, bandwidthMbps }: LinkSettings): number {
  return rttMs + (bandwidthMbps === undefined ? 0 : (2 * pingBytes * 8) / (bandwidthMbps * 1000));
}

const relativeTolerance = 0.02;
const absoluteToleranceMs = 0.3;
/** The lateness of timers and wake-ups, which a shorter distance compensates. More is a fault that must not be hidden. */
const mostCompensatedMs = 1.5;
const leastCompensatedMs = 0.05;
const attempts = 8;
/** After this many attempts a median that is too long is accepted: it is the machine's, if the fastest is right. */
const calmAttempts = 3;

export interface CheckOptions {
  readonly measure?: (link: Link, signal: AbortSignal) => Promise<RoundTrips>;
  /** The wait after the first attempt. Bursts on a shared machine pass, so the waits grow by as much each time. */
  readonly patienceMs?: number;
}

/**
 * Opens a link whose fastest round trip is as requested, and puts the median into its facts. `open` gets the round-trip time to emulate: the requested
 * one first, then less, if the emulator is late. Rejects with a RunnerError `link-faulty` if the link stays different, or with the reason of the
 * signal; the link is closed then.
 */
export async function openWithin(
  settings: LinkSettings,
  open: (emulatedMs: number) => Promise<Link>,
  signal: AbortSignal,
  { measure = measureRtt, patienceMs = 200 }: CheckOptions = {},
): Promise<Link> {
  const expectedMs = expectedRttMs(settings);
  const toleranceMs = expectedMs * relativeTolerance + absoluteToleranceMs;
  const leastEmulatedMs = Math.max(settings.rttMs - mostCompensatedMs, 0);
  let emulatedMs = settings.rttMs;
  let medianMs = Number.POSITIVE_INFINITY;
  let link = await open(emulatedMs);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const { leastRttMs, rttMs } = await measure(link, signal);
      const lateMs = leastRttMs - expectedMs;
      const isRight = Math.abs(lateMs) <= toleranceMs;
      const compensatedMs = Math.min(Math.max(emulatedMs - lateMs, leastEmulatedMs), settings.rttMs);
      const canCompensate = lateMs <= mostCompensatedMs && Math.abs(compensatedMs - emulatedMs) > leastCompensatedMs;
      // A link that is right is compensated once, for accuracy.
      if (canCompensate && (isRight ? attempt === 1 : attempt < attempts)) {
        await link[Symbol.asyncDispose]();
        [emulatedMs, medianMs] = [compensatedMs, Number.POSITIVE_INFINITY];
        link = await open(emulatedMs);
        continue;
      }
      if (isRight) medianMs = Math.min(medianMs, rttMs);
      if (medianMs <= expectedMs + toleranceMs || (isRight && attempt >= calmAttempts)) {
        return { ...link, facts: { ...link.facts, rttMs: medianMs } };
      }
      if (attempt >= attempts) {
        const times = `its round trip takes ${leastRttMs.toFixed(2)} ms and not ${expectedMs.toFixed(2)} ms`;
        throw new RunnerError("link-faulty", `the link differs from its settings: ${times}`);
      }
      await sleep(attempt * patienceMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  } catch (thrown) {
    await link[Symbol.asyncDispose]();
    throw thrown;
  }
}
