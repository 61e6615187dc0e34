// Packets: the claim of 2010 that only the number of calls counts while all values fit one packet, on links with an MTU of 1,500 bytes, as its Ethernet
// had. Answers below and beyond one packet, nearly the first window of ten, and beyond it; on kept connections and on new ones, whose window is small.
import { linkDefaults, type Study, type Task, taskDefaults } from "@roundtrip/runner";
import { largeCustomer } from "../shared-tasks.ts";

/** One packet carries 1,448 bytes, the first window ten of them. */
const payloads = [100, 1_000, 12_000, 40_000];

/** Calls in a round: near calls are short, and a far one on a new connection takes a fifth of a second. */
const distances = [
  { rttMs: 1, calls: 20 },
  { rttMs: 50, calls: 2 },
] as const;

function read(payloadBytes: number, { rttMs, calls }: (typeof distances)[number]): Task {
  return {
    ...taskDefaults,
    name: "read-payload",
    factors: { payloadBytes },
    settings: { keepAlive: [true, false] },
    links: [{ ...linkDefaults, rttMs, slowStartAfterIdle: false }],
    needs: ["cold connections", "bulk"],
    onFloor: false,
    ...largeCustomer(payloadBytes),
    tasksPerRound: calls,
    tasksPerBlock: calls,
  };
}

export const study: Study = {
  name: "facade-packets",
  title: "Packets",
  question: "Does only the number of calls count while an answer fits one packet, or the first window?",
  rounds: 6,
  budgetMs: 70_000,
  takesFirstCalls: false,
  tasks: distances.flatMap((distance) => payloads.map((bytes) => read(bytes, distance))),
};
