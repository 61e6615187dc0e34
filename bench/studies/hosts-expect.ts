// Hosts and clients that ask first: HTTP calls of 2009 took two round trips, because their client sent its headers, waited until the server asked for
// the body (Expect: 100-continue), and only then sent it. The same short text and 277 KB, by a client of today that does.
import { type Plan, type Study, sequentialPlan, type Task, taskDefaults } from "@roundtrip/runner";
import { incompressibleText } from "../shared-tasks.ts";
import { hostsLink } from "./hosts.ts";

/** Axios is on node:http, whose requests can wait. */
const stacks = ["rest-express+axios"];

const distancesMs = [1, 50, 100, 200];

function echoed(text: string): Plan {
  return sequentialPlan({ operation: "roundtrip.v1.PayloadService.Echo", request: { text } });
}

const payloads: Readonly<Record<string, Task["variants"]>> = {
  hello: { single: echoed("World") },
  // After untimed calls, which leave a kept connection a window for all of the next.
  echo: { buffered: { ...echoed(incompressibleText(277_000)), idleMs: 0 } },
};

export const study: Study = {
  name: "hosts-expect",
  title: "Hosts that ask for each body",
  question: "What does a client cost that waits until the server asks for the body?",
  rounds: 6,
  budgetMs: 52_000,
  takesFirstCalls: false,
  stacks,
  tasks: Object.entries(payloads).flatMap(([name, variants]) =>
    distancesMs.map((rttMs) => ({
      ...taskDefaults,
      name,
      variants,
      settings: { expectContinue: [true], keepAlive: [true] },
      tls: [false, true],
      links: [{ ...hostsLink, rttMs }],
      needs: ["bulk"] as const,
      onFloor: false,
      tasksPerRound: rttMs === 1 ? 12 : 1,
      tasksPerBlock: rttMs === 1 ? 12 : 1,
    })),
  ),
};
