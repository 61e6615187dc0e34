// The study of linked data: every variant over every style answers the same, with as many calls as its formula says, at the client and at the service.
import type { JsonObject } from "@bufbuild/protobuf";
import { builtInContract, type Service } from "@roundtrip/contract";
import { armsOf, type PlannedArm } from "@roundtrip/runner/parts";
import { InvoiceStore, realService } from "@roundtrip/service";
import { loadStack } from "@roundtrip/stacks";
import { expect, it } from "vitest";
import { verifyAnswers } from "../../packages/runner/src/rounds/verify-answers.ts";
import { prepared } from "../../packages/runner/test/support/executions.ts";
import { defaultStacks, pairOf } from "../../packages/stacks/test/support/pair.ts";
import { linkedIds, productsOfInvoices, study } from "../studies/linked.ts";

const contract = builtInContract();

/** The service, and the methods that were called. */
function counted(): { readonly service: Service; readonly calls: string[] } {
  const calls: string[] = [];
  const real = realService(contract);
  const call: Service["call"] = (operation, ...others) => {
    calls.push(operation.method.name);
    return real.call(operation, ...others);
  };
  return { service: { ...real, call }, calls };
}

/** The arms of the study over any style, without a network. */
const everyStyle = {
  ...study,
  tasks: study.tasks.map(({ styles = [], ...task }) => ({
    ...task,
    ...(styles.length === 1 && { styles }),
    links: [],
  })),
};

it("knows the products of the invoices", () => {
  const store = new InvoiceStore();
  const { invoices } = linkedIds({ invoices: productsOfInvoices.length, levels: 3 });
  expect(invoices.map((id) => store.get(id).lines.map(({ productId }) => productId))).toEqual(productsOfInvoices);
});

/** Calls of a variant: I invoices, P products of as many lines, and levels of links to invoices, lines and products. */
function callsOf(variant: string, invoices: number, levels: number): number {
  const products = linkedIds({ invoices, levels }).products.length;
  const [lines, names] = [Number(levels >= 2), Number(levels >= 3)];
  if (variant === "fine" || variant === "fine-parallel") return 2 + lines * invoices + names * products;
  if (variant === "batched") return 2 + lines + names;
  // Lists have the lines of their invoices.
  return variant === "listed" ? 2 + names : 1;
}

/** Calls that wait for each other. @param atOnce the calls that the client can make side by side */
function sequenceOf(variant: string, invoices: number, levels: number, atOnce: number): number {
  const products = linkedIds({ invoices, levels }).products.length;
  const inTurns = (calls: number): number => Math.max(Math.min(1, calls), Math.ceil(calls / atOnce));
  if (variant === "fine-parallel") return inTurns(2) + (levels >= 2 ? inTurns(invoices) : 0) + inTurns(products);
  if (variant === "batched") return Math.max(1, levels);
  if (variant === "listed") return levels >= 3 ? 2 : 1;
  return callsOf(variant, invoices, levels);
}

function workOf({ factors }: PlannedArm): { readonly invoices: number; readonly levels: number } {
  return { invoices: Number(factors["invoices"] ?? 5), levels: Number(factors["levels"] ?? 3) };
}

it("answers the same in every variant over every style, with the calls of the formulas", async () => {
  const stacks = await Promise.all(
    defaultStacks()
      .filter(({ style }) => style !== "floor")
      .map(({ name }) => loadStack(name)),
  );
  const sideBySide = new Set(
    stacks.filter(({ callsAtOnce }) => callsAtOnce === "side-by-side").map(({ name }) => name),
  );
  const arms = armsOf([everyStyle], stacks);
  const answers = new Map<string, JsonObject>();
  for (const [stack, ofStack] of Map.groupBy(arms, (arm) => arm.configuration.id)) {
    const { service, calls } = counted();
    const [{ configuration } = { configuration: undefined }] = ofStack;
    const options = { serve: { settings: configuration?.server ?? {} } };
    // oxlint-disable-next-line no-await-in-loop -- one stack after the other
    const { client } = await pairOf(configuration?.stack ?? "", service, options);
    for (const arm of ofStack) {
      const { invoices, levels } = workOf(arm);
      const { execution } = prepared(client, arm.plan);
      calls.length = 0;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      answers.set(arm.id, await execution.answer());
      const expected = callsOf(arm.variant, invoices, levels);
      expect({ id: arm.id, calls: arm.callsPerTask }).toEqual({ id: arm.id, calls: expected });
      const products = linkedIds({ invoices, levels }).products.length;
      const read = /edgeLoads=(?:each|once)/.test(stack) ? products : 1;
      const atService = arm.variant === "query" ? 2 + (levels >= 3 ? read : 0) : expected;
      expect({ id: arm.id, calls: calls.length }).toEqual({ id: arm.id, calls: atService });
      const atOnce = sideBySide.has(arm.stack) ? Number.POSITIVE_INFINITY : 6;
      const inSequence = arm.callsInSequence ?? arm.callsPerTask;
      expect({ id: arm.id, inSequence }).toEqual({
        id: arm.id,
        inSequence: sequenceOf(arm.variant, invoices, levels, atOnce),
      });
    }
  }
  expect(new Set(arms.map(({ style }) => style)).size).toBe(stacks.length);
  expect(answers.size).toBe(arms.length);
  verifyAnswers(arms, answers);
});
