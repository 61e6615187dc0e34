// Which cost is the client library's: CPU of both processes, held against each other block by block, and what may be concluded.
import { expect, test } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import type { Block, Environment } from "../src/run/run-facts.ts";
import { armFor, syntheticRun } from "./synthetic-run.ts";

interface Cpu {
  readonly title: string;
  readonly latencyMs: number;
  readonly clientMs: number;
  readonly serverMs: number | null;
  /** The id of its client; that of the stack unless it is said. */
  readonly client?: string;
}

const rounds = [0, 1, 2, 3, 4, 5];

const weather = (round: number): number => 1 + round / 2;
const wobble = (arm: number, round: number): number => 1 + 0.01 * Math.sin(7 * arm + 3 * round);

/** The sentences of a hello run in which these stacks cost what is said, a few per cent up or down, whole rounds being several times slower. */
function sentencesFor(
  cpu: Readonly<Record<string, Cpu>>,
  code: string,
  libraries: readonly string[] = [],
  generators: Environment["generators"] = [],
) {
  const arms = Object.entries(cpu).map(([stack, { title, client = stack }]) =>
    armFor({ study: "hello", task: "hello", stack, client, title, variant: "single" }),
  );
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
  const environment = {
    ...run.facts.environment,
    libraries: Object.fromEntries(libraries.map((name) => [name, "1.0.0"])),
    generators,
  };
  const { findings } = analyse({ ...run.facts, environment, blocks }, run.samples);
  return findings.flatMap((finding) => (finding.code === code ? [`[${finding.strength}] ${finding.sentence}`] : []));
}

const stacks = {
  "grpc-js": { title: "gRPC", latencyMs: 0.3, clientMs: 0.2, serverMs: 0.12 },
  "rest-express": { title: "REST", latencyMs: 0.15, clientMs: 0.07, serverMs: 0.08 },
  "graphql-apollo": { title: "GraphQL", latencyMs: 0.35, clientMs: 0.08, serverMs: 0.26 },
  floor: { title: "TCP echo", latencyMs: 0.08, clientMs: 0.04, serverMs: 0.03 },
} as const;

test("a slower style is explained by its client library or its server, whatever the weather of the rounds", () => {
  expect(sentencesFor(stacks, "client-cost", ["@grpc/grpc-js"])).toEqual([
    expect.stringMatching(
      /^\[clear\] For one hello call, gRPC spends 2\.8\d × the client CPU of REST \(95 % interval 2\.\d\d to 2\.\d\d\) and 1\.[45]\d × its server CPU \(1\.\d\d to 1\.\d\d\): what makes it slower here is mostly its client library, @grpc\/grpc-js \(7\d % of the CPU that it spends more\); GraphQL spends 1\.1\d × \([\d.]+ to [\d.]+\) and 3\.2\d × \([\d.]+ to [\d.]+\): mostly its server \(9\d % of the CPU that it spends more\)\. The bound, a TCP echo, spends \d\d(\.\d)? µs and \d\d(\.\d)? µs\.$/,
    ),
  ]);
});

test("a client library is known by the client's id, whatever the stack is called", () => {
  const slow = {
    ...stacks,
    "rest-express": { ...stacks["grpc-js"], client: "undici" },
    "grpc-js": stacks["rest-express"],
  };
  const [sentence] = sentencesFor(slow, "client-cost", ["express", "undici"]);
  expect(sentence).toContain("mostly its client library, undici (");
});

test("what one style saves on the server and spends in the client is said of the pair", () => {
  expect(sentencesFor(stacks, "client-against-server")).toEqual([
    expect.stringMatching(
      /^\[clear\] For one hello call, gRPC spends 2\.\d\d × the client CPU of GraphQL \(.*\) and 0\.4\d × its server CPU \(.*\): what gRPC saves on the server goes into its client\.$/,
    ),
  ]);
});

test("a cause that the CPU does not show is not named", () => {
  const alike = { ...stacks["rest-express"], title: "gRPC", latencyMs: 0.3, clientMs: 0.0705 };
  expect(sentencesFor({ ...stacks, "grpc-js": alike, "graphql-apollo": alike }, "client-cost")).toEqual([
    expect.stringMatching(/^\[inconclusive\] For one hello call, gRPC spends .* so the cause is unclear/),
  ]);
});

test.each([
  ["client", { clientMs: 0.19, serverMs: 0.16 }],
  ["server", { clientMs: 0.15, serverMs: 0.2 }],
])("where the %s has less than two thirds of the additional CPU, both are named", (_, cpu) => {
  const slower = { ...stacks, "grpc-js": { title: "gRPC", latencyMs: 0.35, ...cpu } };
  const [sentence] = sentencesFor(slower, "client-cost");
  expect(sentence).toMatch(/; gRPC spends [^:;]*: its client and its server alike\./);
});

test("servers whose CPU is not known give no such sentence", () => {
  const unknown = Object.fromEntries(Object.entries(stacks).map(([name, cpu]) => [name, { ...cpu, serverMs: null }]));
  expect(sentencesFor(unknown, "client-cost")).toEqual([]);
});

test("where a generator called, it is its client that costs, and no library of the stack's", () => {
  const generators = [{ name: "k6", version: "v1.8.1", segment: "0:1" }];
  const [sentence] = sentencesFor(stacks, "client-cost", ["@grpc/grpc-js"], generators);
  expect(sentence).toContain("what makes it slower here is mostly k6's client (7");
  expect(sentence).not.toContain("grpc-js");
  expect(sentencesFor(stacks, "client-against-server", [], generators)).toEqual([
    expect.stringMatching(/: what gRPC saves on the server goes into k6's client\.$/),
  ]);
});
