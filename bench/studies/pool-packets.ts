// Pool and packets: figure 2 of 1996. Three callers with a client that keeps one idle connection, and calls of 0 to 12 packets of 4 KB: a call within
// the first packet does not notice the fault, and a long one hides it.
import { type Study, sequentialPlan } from "@roundtrip/runner";
import { incompressibleText, thinkingCallers } from "../shared-tasks.ts";

const packets = [0, 1, 3, 6, 12];
const packetBytes = 4_096;
const callers = 3;
const thinkMs = [0, 2, 10];
const callsPerCaller = 10;

const conditions = {
  settings: { idleConnections: [1, 100] },
  needs: ["cold connections", "bulk"],
  styles: ["rest"],
} as const;

export const study: Study = {
  name: "pool-packets",
  title: "Pool and packets",
  question: "For calls of which size does a client that keeps one idle connection show?",
  rounds: 6,
  budgetMs: 55_000,
  takesFirstCalls: false,
  tasks: packets.flatMap((count) =>
    thinkMs.map((pauseMs) => ({
      ...thinkingCallers(conditions, callers, pauseMs, callsPerCaller),
      name: "echo",
      factors: { packets: count },
      expected: {},
      variants: {
        single: sequentialPlan({
          operation: "roundtrip.v1.PayloadService.Echo",
          request: { text: incompressibleText(count * packetBytes) },
        }),
      },
    })),
  ),
};
