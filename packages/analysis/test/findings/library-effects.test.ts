// What is said of servers, clients and styles: the largest difference of each that is clear, and which have none.
import { expect, it } from "vitest";
import type { Evidence } from "../../src/findings/evidence.ts";
import { libraryFindings } from "../../src/findings/library-effects.ts";
import type { ChoiceVariance, EffectRatio, LibraryEffects } from "../../src/libraries/library-effects.ts";
import type { Arm } from "../../src/run/run-facts.ts";
import { armFor } from "../synthetic-run.ts";

const arms: readonly Arm[] = [
  armFor({
    stack: "rest-express",
    style: "rest",
    server: "express",
    client: "undici",
    stackTitle: "REST",
    variant: "single",
  }),
  armFor({
    stack: "rest-hono",
    style: "rest",
    server: "hono",
    client: "undici",
    stackTitle: "REST (hono)",
    variant: "single",
  }),
  armFor({
    stack: "grpc-js",
    style: "grpc",
    server: "grpc-js",
    client: "grpc-js",
    stackTitle: "gRPC",
    variant: "single",
  }),
];

function ratioOf(given: Partial<EffectRatio>): EffectRatio {
  const about = { choice: "server", style: "rest", numerator: "express", denominator: "hono" } as const;
  return { ...about, ratio: 2.1, low: 1.9, high: 2.3, basis: "max-t", hodgesLehmann: 2.1, rounds: 6, ...given };
}

const ofStyles = { choice: "style", numerator: "grpc", denominator: "rest", ratio: 1.3, low: 1.1, high: 1.6 } as const;

function sentencesOf(
  ratios: readonly EffectRatio[],
  given: Partial<LibraryEffects> = {},
  fitted: readonly Arm[] = arms,
) {
  const [first] = fitted;
  if (first === undefined) throw new Error("there is an arm");
  const { study, task } = first;
  const effects: LibraryEffects = {
    study,
    task,
    metric: "latencyMs",
    armIds: fitted.map(({ id }) => id),
    rounds: 6,
    ratios,
    bounds: [],
    variances: [],
    inseparable: [],
    matters: null,
    orders: [],
    ...given,
  };
  const measured = { arms: fitted, libraryEffects: [effects] } as unknown as Evidence["measured"];
  return libraryFindings(study, task, { measured } as Evidence).map(({ sentence, strength }) => [strength, sentence]);
}

it("the largest clear difference of each choice is named", () => {
  const [[strength, sentence] = []] = sentencesOf([ratioOf({}), ratioOf(ofStyles)]);
  expect(strength).toBe("clear");
  expect(sentence).toMatch(/^Over the libraries measured here, the choice of server library changes .* by up to 2\.1/);
  expect(sentence).toMatch(/and that of style by up to 1\.3[^:]*\.$/);
});

function varianceOf(factor: number): number {
  return Math.log(factor) ** 2;
}

/** @param low of the factor; undefined where noise may explain all of it. */
function ofChoice(choice: ChoiceVariance["choice"], factor: number, low?: number): ChoiceVariance {
  const least = low === undefined ? -0.1 : varianceOf(low);
  return { choice, variance: varianceOf(factor), low: least, high: varianceOf(factor + 0.1), degrees: 3 };
}

it("the usual change by each choice comes first where it is clear, and says which choice matters more", () => {
  const variances = [ofChoice("style", 1.5, 1.4), ofChoice("server", 1.3, 1.2), ofChoice("client", 1.4)];
  const given = { variances, matters: "style", inseparable: ["soap"] } as const;
  const [[strength, sentence] = []] = sentencesOf([ratioOf({})], given);
  expect(strength).toBe("clear");
  expect(sentence).toMatch(
    /^Usually, the choice of style changes one .* by 1\.50 × \(95 % interval 1\.40 to 1\.60\) and that of server library by 1\.30 × \(1\.20 to 1\.40\): the style matters more than the server library\. soap is not among these styles: /,
  );
});

it("a difference whose interval includes none is not given as one", () => {
  const [[strength, sentence] = []] = sentencesOf([ratioOf({ low: 0.9 }), ratioOf(ofStyles)]);
  expect(strength).toBe("clear");
  expect(sentence).toMatch(
    /the choice of style changes .* by up to 1\.3.*no clear difference was found between server libraries\.$/,
  );
  expect(sentence).not.toContain("hono");
});

it("where nothing is clear, the finding is inconclusive and gives no figures", () => {
  const [[strength, sentence] = []] = sentencesOf([
    ratioOf({ low: null, high: null }),
    ratioOf({ ...ofStyles, low: 0.2 }),
  ]);
  expect(strength).toBe("inconclusive");
  expect(sentence).toMatch(/no clear difference was found between server libraries and styles\.$/);
  expect(sentence).not.toMatch(/\d ×/);
});

const [rest, , grpc] = arms.map(({ id }) => id) as [string, string, string];
const ofBounds = { numeratorId: grpc, denominatorId: rest, basis: "max-t", hodgesLehmann: 1.6, rounds: 6 } as const;

it("styles without server libraries have a sentence of their own, with the interval", () => {
  const bounds = [{ ...ofBounds, ratio: 1.6, low: 1.3, high: 2 }];
  const [, [strength, sentence] = []] = sentencesOf([ratioOf({})], { bounds });
  expect(strength).toBe("clear");
  expect(sentence).toMatch(
    /^Without server libraries, for one .*: grpc-js takes 1\.60 × the time of rest-express \(95 % interval 1\.30 to 2\.00\)\.$/,
  );
});

it("the order of two styles without server libraries is unclear if the interval includes none", () => {
  const bounds = [{ ...ofBounds, ratio: 1.1, low: 0.9, high: 1.3 }];
  const [, [strength, sentence] = []] = sentencesOf([ratioOf({})], { bounds });
  expect(strength).toBe("inconclusive");
  expect(sentence).toMatch(/: the order is unclear for rest-express and grpc-js\.$/);
  const [, [, ofTwo] = []] = sentencesOf([ratioOf({})], { bounds: [...bounds, ...bounds] });
  expect(ofTwo).toMatch(/: the order of no two of 2 pairs of styles is clear\.$/);
});

const orderOf = { faster: "rest", slower: "grpc", pairs: 2, fasterIn: 2, slowerIn: 0 } as const;

it("orders that hold in each pair of stacks are named, those that depend on libraries too, and unclear ones", () => {
  const orders = [
    { ...orderOf, order: "every" },
    { ...orderOf, order: "depends", fasterIn: 1, slowerIn: 1 },
    { ...orderOf, order: "unclear", fasterIn: 1 },
  ] as const;
  const [, [, sentence] = []] = sentencesOf([ratioOf({})], { orders });
  expect(sentence).toMatch(
    /REST is faster than gRPC in each of 2 pairs of stacks and which of REST and gRPC \(1 pair of stacks against 1\) is faster depends on the libraries; in some pairs of stacks the order of REST and gRPC is unclear\.$/,
  );
});

it("a style whose one server library may be what makes it slow is left out of the styles, by name", () => {
  const [[, sentence] = []] = sentencesOf([ratioOf({}), ratioOf(ofStyles)], { inseparable: ["grpc"] });
  expect(sentence).toMatch(
    /against hono; [^;]*\)\. gRPC is not among these styles: measured with one server library, a style cannot be separated from its library\.$/,
  );
});

it("a style is judged without server libraries where that was measured, whatever the mean over its libraries", () => {
  const bounds = [{ ...ofBounds, ratio: 1.6, low: 1.3, high: 2 }];
  const [[, sentence] = []] = sentencesOf([ratioOf({}), ratioOf(ofStyles)], { bounds });
  expect(sentence).toMatch(
    /and that of style, without server libraries, by up to 1\.60 × \(gRPC against REST; 1\.30 to 2\.00\)\.$/,
  );
});

it("a server on the modules of Node.js alone is no library to choose", () => {
  const bound = armFor({
    stack: "rest-node-http",
    style: "rest",
    server: "node-http",
    client: "undici",
    stackTitle: "REST (node-http)",
    variant: "single",
    bounds: ["server"],
  });
  const [[, sentence] = []] = sentencesOf(
    [ratioOf({}), ratioOf({ denominator: "node-http", ratio: 3, low: 2, high: 4 })],
    {},
    [...arms, bound],
  );
  expect(sentence).toMatch(/by up to 2\.10 × \(REST, express against hono;/);
});
