// Whether a client or a server makes a style slower: CPU of both processes, compared block by block.
import { expect, test } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import type { Block } from "@roundtrip/runs";
import { armFor, syntheticRun } from "./synthetic-run.ts";

interface Cpu {
  readonly latencyMs: number;
  readonly clientMs: number;
  readonly serverMs: number | null;
}

const rounds = [0, 1, 2, 3, 4, 5];

const weather = (round: number): number => 1 + round / 2;
const wobble = (arm: number, round: number): number => 1 + 0.01 * Math.sin(7 * arm + 3 * round);

/** The claims of a hello run in which these stacks cost this, a few per cent up or down, whole rounds being several times slower. */
function causesOf(cpu: Readonly<Record<string, Cpu>>): readonly unknown[] {
  const arms = Object.keys(cpu).map((stack) => armFor({ study: "hello", task: "hello", stack, variant: "single" }));
  const run = syntheticRun(
    arms,
    { rounds: rounds.length, blocksPerRound: 1, tasksPerBlock: 5 },
    (arm, round) => (cpu[arm.stack]?.latencyMs ?? 0) * weather(round) * wobble(arms.indexOf(arm), round),
  );
  const blocks = arms.flatMap(({ id, stack }, index) =>
    rounds.map((round): Block => {
      const scale = 5 * weather(round) * wobble(index + 2, round);
      const { clientMs = 0, serverMs = null } = cpu[stack] ?? {};
      return {
        armId: id,
        round,
        block: index,
        tasks: 5,
        calls: 5,
        failedCalls: 0,
        elapsedMs: 1,
        serverCpuMs: serverMs === null ? null : serverMs * scale,
        clientCpuMs: clientMs * scale,
        wireBytes: 1,
        connectionsOpened: 0,
      };
    }),
  );
  const { claims } = analyse({ ...run.facts, blocks }, run.samples);
  const stackOf = new Map(arms.map(({ id, stack }) => [id, stack]));
  return claims.flatMap((claim) =>
    claim.kind === "cpu" ? [[stackOf.get(claim.armIds[0] ?? ""), claim.strength, claim.cause]] : [],
  );
}

const stacks = {
  "grpc-js": { latencyMs: 0.3, clientMs: 0.2, serverMs: 0.12 },
  "rest-express": { latencyMs: 0.15, clientMs: 0.07, serverMs: 0.08 },
  "graphql-apollo": { latencyMs: 0.35, clientMs: 0.08, serverMs: 0.26 },
  floor: { latencyMs: 0.08, clientMs: 0.04, serverMs: 0.03 },
} as const;

const noServer = Object.fromEntries(Object.entries(stacks).map(([name, cpu]) => [name, { ...cpu, serverMs: null }]));
const likeRest = { ...stacks["rest-express"], latencyMs: 0.3, clientMs: 0.0705 };

test.each([
  [
    "the client or the server that spends more, whatever the rounds are like",
    stacks,
    [
      ["grpc-js", "clear", "client"],
      ["graphql-apollo", "clear", "server"],
    ],
  ],
  [
    "no cause that the CPU does not show",
    { ...stacks, "grpc-js": likeRest, "graphql-apollo": likeRest },
    [
      ["grpc-js", "open", null],
      ["graphql-apollo", "open", null],
    ],
  ],
  [
    "both where the client has less than two thirds of the additional CPU",
    { ...stacks, "grpc-js": { latencyMs: 0.35, clientMs: 0.19, serverMs: 0.16 } },
    [
      ["graphql-apollo", "clear", "server"],
      ["grpc-js", "clear", "both"],
    ],
  ],
  [
    "both where the server has",
    { ...stacks, "grpc-js": { latencyMs: 0.35, clientMs: 0.15, serverMs: 0.2 } },
    [
      ["graphql-apollo", "clear", "server"],
      ["grpc-js", "clear", "both"],
    ],
  ],
  ["nothing for servers whose CPU is unknown", noServer, []],
] as const)("a slower style is explained by %s", (_, cpu, causes) => {
  expect(new Set(causesOf(cpu))).toEqual(new Set<unknown>(causes));
});
