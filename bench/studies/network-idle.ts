// Idle: what a pause costs the next bulk call. A connection that has been idle begins with a small window again (RFC 2861), which doubles with
// each round trip, unless the kernel is told otherwise or its congestion control sees to that itself. The same call right after another finds
// the window that the other has opened.
import { linkDefaults, type LinkSettings, type Plan, type Study } from "@roundtrip/runner";
import { incompressibleText } from "../incompressible-text.ts";

/** As much as in 2009: five flights of a window that begins with ten segments and doubles. */
const payloadBytes = 277_000;
const rttMs = 20;

/**
 * The kernel halves the window once for each retransmission time-out that has passed (`tcp_cwnd_restart`), which at this distance is 220 ms:
 * eight of them take any window that such calls open back to its beginning.
 */
const pauseMs = 1_800;

/** What the kernel does not have is left out by the run, which says so. */
const links: readonly LinkSettings[] = ["cubic", "reno", "bbr"].flatMap((congestionControl) =>
  [true, false].map((slowStartAfterIdle) => ({ ...linkDefaults, rttMs, congestionControl, slowStartAfterIdle })),
);

const text = incompressibleText(payloadBytes);

function echo(idleMs: number): Plan {
  const steps = [{ operation: "roundtrip.v1.PayloadService.Echo", request: { text } }];
  return { order: "sequential", driver: "own", steps, idleMs };
}

export const study: Study = {
  name: "network-idle",
  title: "Idle",
  question: "What does a pause cost the next bulk call?",
  rounds: 6,
  budgetMs: 38_000,
  takesFirstCalls: false,
  tasks: [
    {
      name: "echo",
      factors: { payloadBytes },
      settings: {},
      links,
      needs: ["bulk"],
      // Windows are TCP's alone: one stack of each version of HTTP says what the others would say again.
      stacks: ["grpc-js", "rest-express"],
      variants: { "at-once": echo(0), "after-pause": echo(pauseMs) },
      answerKeys: [],
      expected: {},
      setup: [],
      callers: 1,
      tasksPerRound: 1,
      tasksPerBlock: 1,
    },
  ],
};
