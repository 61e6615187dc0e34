// Idle: what a pause costs the next bulk call. A connection that has been idle begins with a small window again (RFC 2861), which doubles with
// each round trip, unless the kernel is configured otherwise or its congestion control prevents it. The same call right after another finds
// the window that the other has opened.
import { linkDefaults, type LinkSettings, type Plan, type Study, type Task } from "@roundtrip/runner";
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
function linksUnder(congestionControl: string, ...restarts: readonly boolean[]): readonly LinkSettings[] {
  return restarts.map((slowStartAfterIdle) => ({ ...linkDefaults, rttMs, congestionControl, slowStartAfterIdle }));
}

/** BBR has a model of the way in place of a window, which a pause does not touch. */
const everyLink = [...linksUnder("cubic", true, false), ...linksUnder("reno", true, false), ...linksUnder("bbr", true)];

const text = incompressibleText(payloadBytes);

function echo(idleMs: number): Plan {
  const steps = [{ operation: "roundtrip.v1.PayloadService.Echo", request: { text } }];
  return { order: "sequential", driver: "own", steps, idleMs };
}

function echoes(stack: string, links: readonly LinkSettings[]): Task {
  return {
    name: "echo",
    factors: { payloadBytes },
    settings: {},
    links,
    needs: ["bulk"],
    stacks: [stack],
    variants: { "at-once": echo(0), "after-pause": echo(pauseMs) },
    answerKeys: [],
    expected: {},
    setup: [],
    callers: 1,
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
  // Windows are TCP's alone: HTTP/1.1 shows each of them, and HTTP/2 once that it is no other.
  tasks: [echoes("rest-express", everyLink), echoes("grpc-js", linksUnder("cubic", true, false))],
};
