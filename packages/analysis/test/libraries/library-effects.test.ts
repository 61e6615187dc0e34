// What is the style's and what the library's: data with known effects give them back, and intervals cover them.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { additiveModel, type AdditiveModel } from "../../src/libraries/additive-model.ts";
import { libraryEffects, type LibraryEffects } from "../../src/libraries/library-effects.ts";
import { effectVariance, jackknifeInterval } from "../../src/libraries/variance-component.ts";
import type { Arm } from "@roundtrip/runs";
import { armFor } from "../synthetic-run.ts";

/** What each library adds to the logarithm of a stack's time. */
interface Truth {
  readonly mean: number;
  readonly servers: Readonly<Record<string, number>>;
  readonly clients: Readonly<Record<string, number>>;
}

/** A style's servers with its first client, and its clients with its first server. */
function withOneDefaultEach({ servers, clients }: Truth): readonly (readonly [server: string, client: string])[] {
  const [first = ""] = Object.keys(servers);
  const [usual = "", ...others] = Object.keys(clients);
  return [
    ...Object.keys(servers).map((server) => [server, usual] as const),
    ...others.map((client) => [first, client] as const),
  ];
}

function everyPair({ servers, clients }: Truth): readonly (readonly [string, string])[] {
  return Object.keys(servers).flatMap((server) => Object.keys(clients).map((client) => [server, client] as const));
}

function armOf(style: string, server: string, client: string): Arm {
  return armFor({ stack: `${style}-${server}+${client}`, style, server, client, variant: "facade" });
}

const truths: Readonly<Record<string, Truth>> = {
  rest: {
    mean: Math.log(0.2),
    servers: { express: 0.3, fastify: 0.05, bare: -0.35 },
    clients: { undici: -0.1, fetch: 0.1 },
  },
  grpc: { mean: Math.log(0.3), servers: { "grpc-js": 0.2, bare: -0.2 }, clients: { "grpc-js": 0, bare: 0 } },
  graphql: { mean: Math.log(0.4), servers: { apollo: 0.1, yoga: -0.1 }, clients: { undici: 0 } },
};

type Noise = (round: number, stack: number) => number;

type BoundsOf = (arm: Pick<Arm, "server" | "client">) => NonNullable<Arm["bounds"]>;

function effectsWith(
  rounds: number,
  noise: Noise,
  pairs = withOneDefaultEach,
  boundsOf: BoundsOf = () => [],
): LibraryEffects {
  const rows = Object.entries(truths).flatMap(([style, truth]) =>
    pairs(truth).map(([server, client]) => ({
      arm: { ...armOf(style, server, client), bounds: boundsOf({ server, client }) },
      log: truth.mean + (truth.servers[server] ?? 0) + (truth.clients[client] ?? 0),
    })),
  );
  const turns = new Map(
    rows.map(({ arm, log }, stack) => [
      arm.id,
      Array.from({ length: rounds }, (_, round) => new Map([[0, Math.exp(log + noise(round, stack))]])),
    ]),
  );
  const arms = rows.map(({ arm }) => arm);
  return libraryEffects(arms, "latencyMs", (id) => turns.get(id) ?? [], 1) as LibraryEffects;
}

function ratio({ ratios }: LibraryEffects, choice: string, numerator: string, denominator: string): number {
  const found = ratios.find(
    (one) => one.choice === choice && one.numerator === numerator && one.denominator === denominator,
  );
  return Math.log(found?.ratio ?? Number.NaN);
}

function variance({ variances }: LibraryEffects, choice: string): number {
  return variances.find((one) => one.choice === choice)?.variance ?? Number.NaN;
}

/** Drifts of a whole round, which every stack shares. */
const drift: Noise = (round) => Math.sin(round);

describe.each([
  ["servers with one client and clients with one server", withOneDefaultEach],
  ["every pair", everyPair],
] as const)("known effects, measured over %s", (_, pairs) => {
  const effects = effectsWith(6, drift, pairs);

  it("are the ratios of libraries within their style, whatever all stacks of a round share", () => {
    expect(ratio(effects, "server", "express", "bare")).toBeCloseTo(0.65, 10);
    expect(ratio(effects, "server", "express", "fastify")).toBeCloseTo(0.25, 10);
    expect(ratio(effects, "server", "grpc-js", "bare")).toBeCloseTo(0.4, 10);
    expect(ratio(effects, "client", "fetch", "undici")).toBeCloseTo(0.2, 10);
  });

  it("are the ratios of styles at the mean of their libraries", () => {
    expect(ratio(effects, "style", "graphql", "rest")).toBeCloseTo(Math.log(2), 10);
    expect(ratio(effects, "style", "grpc", "rest")).toBeCloseTo(Math.log(1.5), 10);
  });

  it("are the variances of effects over each choice", () => {
    const servers = [0.3, 0.05, -0.35, 0.2, -0.2, 0.1, -0.1];
    expect(variance(effects, "server")).toBeCloseTo(servers.reduce((sum, effect) => sum + effect ** 2, 0) / 4, 10);
    expect(variance(effects, "client")).toBeCloseTo((0.1 ** 2 + 0.1 ** 2) / 2, 10);
  });
});

const bonus: Noise = (_round, stack) => (stack === 0 ? 0.4 : 0);

it("of a pair are what crossed libraries add beyond the sum of both, and are unknown where none are crossed", () => {
  // Of the six REST stacks, an effect of 0.4 on one leaves residuals whose squares sum to 0.4² · (1 − 2/3) · (1 − 1/2).
  const crossed = effectsWith(6, bonus, everyPair);
  expect(variance(crossed, "pair")).toBeCloseTo(0.4 ** 2 / 3 / (2 + 1), 10);
  expect(crossed.variances.find(({ choice }) => choice === "pair")?.degrees).toBe(3);
  expect(effectsWith(6, bonus).variances.map(({ choice }) => choice)).toEqual(["style", "server", "client"]);
});

function orderOf({ orders }: LibraryEffects, faster: string, slower: string): string | undefined {
  return orders.find((one) => one.faster === faster && one.slower === slower)?.order;
}

/** Two stacks of REST and one of the others. */
function fewStacks(truth: Truth): ReturnType<typeof withOneDefaultEach> {
  return withOneDefaultEach(truth).slice(0, truth === truths["rest"] ? 2 : 1);
}

describe("the order of two styles", () => {
  const effects = effectsWith(6, (round, stack) => 0.001 * Math.sin(7 * round + stack));

  it("holds in every pair of stacks, or depends on the libraries", () => {
    expect(orderOf(effects, "rest", "graphql")).toBe("every");
    expect(orderOf(effects, "rest", "grpc")).toBe("depends");
  });

  it("is unclear in noise", () => {
    const noisy = effectsWith(6, (round, stack) => 2 * Math.sin(7 * round + 3 * stack));
    expect(noisy.orders.map(({ order }) => order)).toEqual(["unclear", "unclear", "unclear"]);
  });

  it("of one stack each is left to their comparison", () => {
    expect(effectsWith(6, drift, fewStacks).orders.map(({ pairs }) => pairs)).toEqual([2, 2]);
  });
});

function isBare(library: string): boolean {
  return library === "bare";
}

describe("styles without server libraries", () => {
  it("are compared by the stacks with the fewest libraries, and styles without such a server not at all", () => {
    const effects = effectsWith(6, drift, everyPair, ({ server, client }) =>
      (["server", "client"] as const).filter((end) => isBare(end === "server" ? server : client)),
    );
    const stacks = effects.bounds.map(({ numeratorId, denominatorId }) => [numeratorId, denominatorId]);
    expect(stacks).toEqual([[armOf("grpc", "bare", "bare").id, armOf("rest", "bare", "undici").id]]);
    // gRPC's bare server is at ln 0.3 − 0.2; that of REST, with undici, at ln 0.2 − 0.35 − 0.1.
    expect(Math.log(effects.bounds[0]?.ratio ?? 0)).toBeCloseTo(Math.log(1.5) + 0.25, 2);
  });
});

const slight: Noise = (round, stack) => 0.01 * Math.sin(7 * round + 3 * stack);

/** All libraries of REST and gRPC, and one server of GraphQL. */
function oneServerOfGraphql(truth: Truth): ReturnType<typeof withOneDefaultEach> {
  return truth === truths["graphql"] ? withOneDefaultEach(truth).slice(0, 1) : withOneDefaultEach(truth);
}

describe("a style with one server library", () => {
  const effects = effectsWith(6, drift, oneServerOfGraphql);

  it("is named, and has ratios, but no part in how much the choice of a style matters", () => {
    expect(effects.inseparable).toEqual(["graphql"]);
    expect(ratio(effects, "style", "graphql", "rest")).toBeCloseTo(Math.log(2) + 0.1, 10);
    expect(variance(effects, "style")).toBeCloseTo(2 * (Math.log(1.5) / 2) ** 2, 10);
  });
});

describe("the choice that matters more", () => {
  it("is named where the variances differ clearly, and not otherwise", () => {
    expect(effectsWith(6, slight).matters).toBe("style");
    expect(effectsWith(6, (round, stack) => Math.sin(7 * round + 3 * stack)).matters).toBeNull();
    expect(effectsWith(5, slight).matters).toBeNull();
  });
});

const missing: Noise = (round, stack) => (round === 2 && stack === 1 ? Number.NaN : 0);

it("counts only rounds in which every stack has a value", () => {
  expect(effectsWith(6, missing).rounds).toBe(5);
});

it("needs a style with several libraries, and stacks that connect them", () => {
  const single = [armOf("rest", "express", "undici"), armOf("grpc", "grpc-js", "grpc-js")];
  expect(libraryEffects(single, "latencyMs", () => [new Map([[0, 1]])], 1)).toBeNull();
  const apart = [armOf("rest", "express", "undici"), armOf("rest", "fastify", "fetch")];
  expect(libraryEffects(apart, "latencyMs", () => [new Map([[0, 1]])], 1)).toBeNull();
});

function fitted(weights: readonly number[], logs: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (logs[index] as number), 0);
}

describe("the model", () => {
  const stacks = fc
    .record({ servers: fc.integer({ min: 1, max: 5 }), clients: fc.integer({ min: 1, max: 4 }) })
    .map(({ servers, clients }) =>
      Array.from({ length: servers * clients }, (_, index) => ({
        server: `s${index % servers}`,
        client: `c${Math.floor(index / servers)}`,
      })),
    );

  // statsmodels 0.15.0: ols("v ~ C(server, Sum) + C(client, Sum)").fit()
  it("is least squares with effects that sum to 0, also where some pairs are missing", () => {
    const some = ["a x", "b x", "c x", "a y", "c y"].map((names) => {
      const [server = "", client = ""] = names.split(" ");
      return { server, client };
    });
    const model = additiveModel(some);
    const logs = [1, 2.5, 0.5, 3, 1];
    const effects = [...(model?.servers ?? []), ...(model?.clients ?? [])].map(({ library, weights }) => [
      library,
      Number(fitted(weights, logs).toFixed(10)),
    ]);
    expect(fitted(model?.mean ?? [], logs)).toBeCloseTo(1.9583333333333344, 12);
    expect(Object.fromEntries(effects)).toEqual({
      a: 0.0416666667,
      b: 1.1666666667,
      c: -1.2083333333,
      x: -0.625,
      y: 0.625,
    });
    expect(model?.residuals.map((weights) => Number(fitted(weights, logs).toFixed(10)) + 0)).toEqual([
      -0.375, 0, 0.375, 0.375, -0.375,
    ]);
  });

  it("is every figure, taken apart: mean, server, client and residual sum to it, for any subset that connects them", () => {
    fc.assert(
      fc.property(
        stacks,
        fc.infiniteStream(fc.double({ min: -5, max: 5, noNaN: true })),
        fc.array(fc.nat()),
        (all, values, left) => {
          const some = all.filter((_, index) => !left.includes(index));
          if (some.length === 0) return;
          const model: AdditiveModel | undefined = additiveModel(some);
          if (model === undefined) return;
          const logs = some.map(() => values.next().value as number);
          some.forEach(({ server, client }, index) => {
            const ofServer = model.servers.find(({ library }) => library === server)?.weights ?? [];
            const ofClient = model.clients.find(({ library }) => library === client)?.weights ?? [];
            const parts = [model.mean, ofServer, ofClient, model.residuals[index] ?? []];
            const sum = parts.reduce((total, weights) => total + fitted(weights, logs), 0);
            expect(sum).toBeCloseTo(logs[index] as number, 8);
          });
        },
      ),
    );
  });
});

describe("a variance of effects", () => {
  it("is lowered by what noise adds", () => {
    // Two effects of ±1 with noise of ±0.5 in two rounds: 1 − 0.5 / 2 each.
    expect(
      effectVariance({
        effects: [
          [0.5, 1.5],
          [-0.5, -1.5],
        ],
        degrees: 1,
      }),
    ).toBeCloseTo(2 * (1 - 0.5 / 2), 12);
  });

  it("has an interval by the jackknife, which for a mean is Student's t", () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6];
    const interval = jackknifeInterval([{ effects: [values], degrees: 1 }], ([kind]) => {
      const [only = []] = kind?.effects ?? [];
      return only.reduce((sum, value) => sum + value, 0) / only.length;
    });
    // scipy 1.17.1: stats.t.interval(0.95, 7, loc=np.mean(x), scale=stats.sem(x))
    expect(interval?.low).toBeCloseTo(1.5773000431592457, 12);
    expect(interval?.high).toBeCloseTo(6.172699956840754, 12);
  });
});
