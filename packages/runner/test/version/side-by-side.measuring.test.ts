// Two versions of a server as arms of the same rounds: over real sockets, with programs that are not of this project.
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunFacts } from "@roundtrip/runs";
import {
  linkDefaults,
  measureRun,
  type RoundSeen,
  type RunnerError,
  type SideBySideRun,
  type Task,
  type Version,
} from "../../src/index.ts";
import { failure as failureOf, shortRun, shortStudies, single } from "../support/short-run.ts";
import { versions } from "../support/services.ts";

const never = new AbortController().signal;
const silent = (): void => undefined;

const folder = fileURLToPath(new URL("../../../../", import.meta.url));
const server = () => ({ kind: "checkout", folder }) as const;

const checkouts: readonly Version[] = [
  { name: "base", server },
  { name: "head", server },
];

const step = (name: string) => ({ operation: "roundtrip.v1.HelloService.SayHello", request: { name } });

interface Wish extends Partial<SideBySideRun> {
  readonly rounds?: number;
  readonly stackNames?: string[];
  readonly task?: Partial<Task>;
}

async function measured({ rounds = 2, stackNames = ["rest-express"], task = {}, ...wish }: Wish): Promise<RunFacts> {
  const options = await shortRun({ stackNames });
  const studies = shortStudies({ takesFirstCalls: false, variants: { single }, ...task });
  const sideBySide: SideBySideRun = {
    versions: versions(),
    measures: () => true,
    mostLostRounds: 0,
    isSettled: () => false,
    afterRound: () => "go on",
    ...wish,
  };
  return measureRun({ ...options, rounds, studies, sideBySide }, never, silent);
}

const failure = (wish: Wish): Promise<RunnerError> => failureOf(measured(wish));

describe("two versions side by side", () => {
  describe("until enough is known", () => {
    const seen: RoundSeen[] = [];
    let facts: RunFacts;
    beforeAll(async () => {
      facts = await measured({
        rounds: 9,
        task: { tasksPerRound: 20, tasksPerBlock: 4 },
        afterRound(round) {
          seen.push(round);
          return seen.length === 3 ? "enough" : "go on";
        },
      });
    });

    it("are arms that differ in nothing but their version, with the CPU time of their servers", () => {
      expect(facts.arms.map(({ id }) => id)).toEqual([
        "short/hello/rest-express/single/version=base",
        "short/hello/rest-express/single/version=head",
      ]);
      expect(facts.verification).toMatchObject({ agreed: true, answerGroups: 1 });
      expect(facts.blocks).toHaveLength(30);
      expect(facts.blocks.every(({ serverCpuMs }) => (serverCpuMs ?? 0) > 0)).toBe(true);
    });

    it("have their blocks next to each other, whichever comes first", () => {
      const pairs = Map.groupBy(facts.blocks, ({ round, block }) => `${round} ${Math.floor(block / 2)}`);
      const orders = [...pairs.values()].map((pair) => pair.map(({ armId }) => armId.slice(-4)).join(" "));
      expect(new Set(orders)).toEqual(new Set(["base head", "head base"]));
    });

    it("are measured no further; each round is reported with its calls", () => {
      expect(facts).toMatchObject({ status: "complete", roundsPlanned: 9, roundsDone: 3, events: [] });
      expect(seen.map(({ calls, facts: { roundsDone } }) => [calls.length, calls.round[0], roundsDone])).toEqual([
        [40, 0, 1],
        [40, 1, 2],
        [40, 2, 3],
      ]);
    });
  });

  describe("of this project's sources in folders", () => {
    let facts: RunFacts;
    // One stack is settled after the first of three rounds.
    beforeAll(async () => {
      let done = 0;
      facts = await measured({
        stackNames: ["grpc-js", "rest-express"],
        versions: checkouts,
        rounds: 3,
        isSettled: ({ stack }) => done > 0 && stack === "grpc-js",
        afterRound: () => {
          done += 1;
          return "go on";
        },
      });
    });

    it("have been called as often as each other when they are measured, by one client", () => {
      const rounds = Map.groupBy(facts.warmUps, ({ round, stack }) => `${round} ${stack}`);
      expect(rounds.size).toBe(4);
      for (const pair of rounds.values()) {
        expect(pair).toHaveLength(2);
        expect(pair[0]?.calls).toBeGreaterThan(0);
        expect(pair[0]).toEqual(pair[1]);
      }
    });

    it("are arms as others are, and record how their servers fared", () => {
      expect(facts.arms).toHaveLength(4);
      expect(facts.blocks.length).toBeGreaterThan(0);
      expect(facts.blocks.every(({ server: evidence }) => evidence !== undefined)).toBe(true);
    });

    it("leave out of later rounds what enough is known of, and start no process for it", () => {
      const { blocks, warmUps, roundsDone } = facts;
      const stacksOf = (wanted: number): ReadonlySet<string> =>
        new Set(blocks.flatMap(({ armId, round }) => (round === wanted ? [armId.split("/")[2] ?? ""] : [])));
      expect(roundsDone).toBe(3);
      expect([0, 1, 2].map(stacksOf)).toEqual([
        new Set(["grpc-js", "rest-express"]),
        new Set(["rest-express"]),
        new Set(["rest-express"]),
      ]);
      expect(warmUps.filter(({ round }) => round === 2).map(({ stack }) => stack)).toEqual([
        "rest-express",
        "rest-express",
      ]);
    });
  });

  it.each([
    [{ settings: { maxConnectionIdleMs: [1_000, 5_000] } }, /servers with the setting maxConnectionIdleMs/],
    [{ tls: [true] }, /servers with TLS/],
    [{ links: [{ ...linkDefaults, rttMs: 10 }] }, /servers with an emulated network/],
  ] satisfies readonly (readonly [Partial<Task>, RegExp])[])(
    "that are programs do not support what %j needs from servers",
    async (task, words) => {
      const { code, message } = await failure({ task });
      expect({ code, message }).toEqual({ code: "bad-plan", message: expect.stringMatching(words) });
    },
  );

  it("have one open loop, at a share of what base carries", async () => {
    const facts = await measured({
      versions: versions(["--spin-us", "2000"], ["--spin-us", "1000"]),
      task: {
        saturation: { shares: [0.5], blockMs: 100 },
        callers: 4,
        tasksPerRound: 5_000,
        tasksPerBlock: 5_000,
      },
      rounds: 1,
    });
    expect(facts.arms.map(({ id }) => id)).toEqual([
      "short/hello/rest-express/single/arrivals=poisson/version=base/capacityShare=0.5",
      "short/hello/rest-express/single/arrivals=poisson/version=head/capacityShare=0.5",
    ]);
    expect(facts.capacities).toBeUndefined();
    const [one, ...others] = facts.blocks.map(({ tasks }) => tasks);
    expect(others).toEqual([one]);
    // Base serves less than a thousand a second.
    expect(one).toBeGreaterThanOrEqual(20);
    expect(one).toBeLessThanOrEqual(50);
  });

  it("give no number if they do not answer alike, and report the first difference", async () => {
    const { code, message } = await failure({ versions: versions(["--greeting", "Hi!"]) });
    expect(code).toBe("answers-differ");
    expect(message).toBe(
      'short/hello/rest-express/single/version=base and short/hello/rest-express/single/version=head do not answer alike: "message" is "Hello, World!" and "Hi!"; no number is given; if head is meant to answer otherwise, add --answers-may-differ hello',
    );
  });

  it("are not compared in what base does not support yet, and the run records it", async () => {
    const plan = { order: "sequential", driver: "own" } as const;
    const facts = await measured({
      versions: versions([], ["--lacks"]),
      task: { variants: { old: { ...plan, steps: [step("World")] }, new: { ...plan, steps: [step("Nobody")] } } },
      rounds: 1,
    });
    expect(facts.events).toMatchObject([
      {
        kind: "left-out",
        reason: { code: "unknown-to-base", answer: "UNIMPLEMENTED: nobody greets here" },
        arms: 2,
        work: [{ study: "short", task: "hello", title: "REST (command)" }],
      },
    ]);
    expect(new Set(facts.blocks.map(({ armId }) => armId.split("/")[3]))).toEqual(new Set(["old"]));
  });

  it("lose a round in which a server ends before anything is timed, and no more rounds than may be lost", async () => {
    let isDying = false;
    const [base, head] = versions();
    const [, dying] = versions(["--dies-after", "0"]);
    if (base === undefined || head === undefined || dying === undefined) throw new Error("no versions");
    const mortal: Version = {
      ...head,
      server(stack) {
        const from = isDying ? dying : head;
        isDying = false;
        return from.server(stack);
      },
    };
    const afterRound: SideBySideRun["afterRound"] = ({ facts: { roundsDone } }) => {
      isDying = roundsDone === 1;
      return "go on";
    };
    const facts = await measured({ versions: [base, mortal], rounds: 3, mostLostRounds: 1, afterRound });
    expect(facts).toMatchObject({ status: "complete", roundsDone: 2 });
    expect(facts.events).toMatchObject([
      { kind: "round-lost", round: 1, end: { name: expect.stringMatching(/^head REST \(command\)/) } },
    ]);
    const again = await failure({ versions: [base, mortal], rounds: 2, mostLostRounds: 0, afterRound });
    expect(again.code).toBe("process-died");
  });
});
