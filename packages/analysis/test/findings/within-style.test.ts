// What the verdict says of several stacks of one style.
import { expect, test } from "vitest";
import { analyse } from "../../src/analyse/analyse.ts";
import type { Arm } from "../../src/run/run-facts.ts";
import { armFor, syntheticRun } from "../synthetic-run.ts";

function rest(server: string, client: string): Arm {
  const stack = `${server}+${client}`;
  return armFor({ stack, title: stack, style: "rest", server, client, variant: "single" });
}

const latenciesMs: Readonly<Record<string, number>> = {
  "express+undici": 0.2,
  "fastify+fetch": 0.6,
  "fastify+undici": 0.3,
};

test("a stack that shares neither library with its style's first one is compared with what lies between them", () => {
  const arms = [rest("express", "undici"), rest("fastify", "fetch"), rest("fastify", "undici")];
  const shape = { rounds: 6, blocksPerRound: 2, tasksPerBlock: 5 };
  const { facts, samples } = syntheticRun(arms, shape, ({ stack }, round) => {
    const length = latenciesMs[stack] ?? 0;
    return length * (1 + 0.01 * Math.sin(length * 70 + round * round * 3));
  });
  const found = analyse(facts, samples).findings.filter(({ code }) => code === "within-style");
  expect(found.map(({ sentence, strength }) => `[${strength}] ${sentence}`)).toEqual([
    expect.stringMatching(
      /^\[clear\] Against fastify\+undici, .* takes \d\.\d\d × as long over fastify\+fetch \(95 % interval/,
    ),
    expect.stringMatching(
      /^\[clear\] Against express\+undici, .* takes 1\.\d\d × as long over fastify\+undici \(95 % interval/,
    ),
  ]);
});
