// Idle: the cost of a pause for the next bulk call. An idle connection restarts with a small window (RFC 2861), which doubles with each round trip,
// unless the kernel is configured otherwise or its congestion control prevents it. The same call right after another finds the window that the other
// has opened.
import { linkDefaults, type LinkSettings, type Plan, type Study, type Task, taskDefaults } from "@roundtrip/runner";
import { incompressibleText } from "../shared-tasks.ts";

/** As much as in 2009: five flights of a window that starts with ten segments and doubles. */
const payloadBytes = 277_000;
const rttMs = 20;

/**
 * The kernel halves the window once per retransmission time-out that has passed (`tcp_cwnd_restart`), which is 220 ms at this distance. Eight of them
 * reset any window that such calls open.
 */
const pauseMs = 1_800;

/** The run leaves out what the kernel does not support, with a warning. */
function linksUnder(congestionControl: string, ...restarts: readonly boolean[]): readonly LinkSettings[] {
  return restarts.map((slowStartAfterIdle) => ({ ...linkDefaults, rttMs, congestionControl, slowStartAfterIdle }));
}

/** BBR models the path instead of a window, which a pause does not affect. */
const everyLink = [...linksUnder("cubic", true, false), ...linksUnder("reno", true, false), ...linksUnder("bbr", true)];

const text = incompressibleText(payloadBytes);

function echo(idleMs: number): Plan {
  const steps = [{ operation: "roundtrip.v1.PayloadService.Echo", request: { text } }];
  return { order: "sequential", driver: "own", steps, idleMs };
}

function echoes(style: string, links: readonly LinkSettings[]): Task {
  return {
    ...taskDefaults,
    name: "echo",
    factors: { payloadBytes },
    links,
    needs: ["bulk"],
    styles: [style],
    variants: { "at-once": echo(0), "after-pause": echo(pauseMs) },
    tasksPerRound: 1,
    tasksPerBlock: 1,
  };
}

export const study: Study = {
  name: "network-idle",
  title: "Idle",
  question: "What does a pause cost the next bulk call?",
  rounds: 6,
  budgetMs: 38_000,
  takesFirstCalls: false,
  // Windows belong to TCP: HTTP/1.1 shows each of them, and a single HTTP/2 arm shows that it behaves the same.
  tasks: [echoes("rest", everyLink), echoes("grpc", linksUnder("cubic", true, false))],
};
