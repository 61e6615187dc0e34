// Whatever walks the types of a contract ends soon and without overflow, however they contain each other: rings of thousands, all with all, and layers with
// exponentially many paths. `pnpm fuzz contracts` runs every command on more.
import { create, toBinary } from "@bufbuild/protobuf";
import { checkContracts, loadJudge } from "../../packages/changes/src/index.ts";
import { judgeNames } from "../../packages/changes/src/names.ts";
import { CallError, codecFault, maxTypePath, type Operation, typesIn } from "@roundtrip/contract";
import { impossibleMessage } from "@roundtrip/contract/field-rules";
import { startFake } from "@roundtrip/fakes";
import type { StackError } from "@roundtrip/stacks";
import { loadStyle } from "@roundtrip/styles";
import { describe, expect, test } from "vitest";
import { compileContract } from "../../packages/stacks/test/support/compile-contract.ts";
import { filledMessage, maxFilledFields } from "../../packages/conformance/src/any-contract/filled-message.ts";
import { chainOfCycles, clique, contractOfGraph, layers, ring } from "./support/type-graph.ts";
import { usualStyleStacks } from "../fuzz/style-stacks.ts";

const graphs = [
  { name: "a ring of 900 types", graph: ring(900) },
  { name: "a ring of 3,000 types", graph: ring(3_000) },
  { name: "60 types that all contain each other", graph: clique(60) },
  { name: "90 cycles behind each other", graph: chainOfCycles(45) },
  { name: "60 layers of three types", graph: layers(60, 3) },
];

const judges = await Promise.all(judgeNames().map(loadJudge));
const styles = await Promise.all(["rest", "graphql", "json-rpc", "soap"].map(loadStyle));
const tooWide = /more fields than one document may ask for$/;
const pageOf: Readonly<Record<string, string>> = { rest: "/docs", graphql: "", "json-rpc": "", soap: "" };

describe.each(graphs)("$name", ({ graph }) => {
  const contract = contractOfGraph(graph);
  const [get, put] = contract.operations as [Operation, Operation];

  test.each(styles)("has documents and views in $title", async (style) => {
    const [document] = await style.documents(contract);
    const last = `M${graph.length - 1}`;
    expect(document?.text).toContain(last);
    for (const operation of [get, put]) expect(style.view(operation, contract).signature).not.toBe("");
  });

  test.runIf(codecFault(contract) === undefined)("is called and described by servers of every style", async () => {
    await using fake = await startFake(contract, { stacks: [...usualStyleStacks] });
    for (const stack of usualStyleStacks) {
      const client = await fake.connect(stack);
      for (const operation of [get, put]) {
        const request = create(operation.input, { value: "sent" });
        const outcome = await client
          .prepare(operation)(request)
          .catch((thrown: unknown) => String(thrown));
        // No document of GraphQL can ask for all of layers with exponentially many paths.
        const isSent = typeof outcome === "string" ? tooWide.test(outcome) : "value" in outcome;
        expect(isSent, `${operation.id} over ${stack}: ${JSON.stringify(outcome)}`).toBe(true);
      }
      const [style = ""] = Object.keys(pageOf).filter((name) => stack.startsWith(`${name}-`));
      const url = fake.urls[stack];
      if (style === "" || url === undefined) continue;
      const page = await fetch(`${url}${pageOf[style]}`, { headers: { accept: "text/html" } });
      expect([stack, page.status, (await page.text()).includes(get.id)]).toEqual([stack, 200, true]);
    }
  });

  test("has changes that are judged for every style", () => {
    const changes = checkContracts(contract, contractOfGraph(graph, { text: "worth" }), judges);
    expect(changes.filter(({ kind }) => kind === "field-renamed")).toHaveLength(typesIn([get.output]).size);
  });

  test.runIf(codecFault(contract) === undefined)("has messages for conformance cases, of a limited size", () => {
    const message = filledMessage(get.output, { depth: 3, choice: "first", extensions: new Map() });
    expect(toBinary(get.output, message).length).toBeLessThan(20 * maxFilledFields);
  });
});

describe.each([
  { name: "a type that requires itself", graph: ring(1) },
  { name: "two types that require each other", graph: ring(2) },
  { name: "a ring of 900 types that require each other", graph: ring(900) },
])("$name", ({ graph }) => {
  const contract = contractOfGraph(graph, { areRequired: true });
  const [get] = contract.operations as [Operation];

  test("is named with the way from one type to the next", () => {
    const text = impossibleMessage(get.output) ?? "";
    expect(text).toMatch(/^no graph\.v1\.M0 is possible: graph\.v1\.M0\.f0 requires graph\.v1\.M/);
    expect(text.length).toBeLessThan(500);
  });

  test("is FAILED_PRECONDITION from a fake, over every style", async () => {
    await using fake = await startFake(contract, { stacks: ["grpc-js", "rest-express"] });
    const calls = ["memory", "grpc-js", "rest-express"].map(async (stack) => {
      const client = await fake.connect(stack);
      return client.prepare(get)(create(get.input));
    });
    for (const call of await Promise.allSettled(calls)) {
      expect(call.status === "rejected" && CallError.from(call.reason).code).toMatch(/INVALID_ARGUMENT|FAILED_PRECOND/);
    }
  });
});

test.each([
  { size: maxTypePath, fault: undefined },
  { size: maxTypePath + 1, fault: "unusable-contract" },
])("a ring of $size types is served, or refused with one line", async ({ size, fault }) => {
  const starting = startFake(contractOfGraph(ring(size)), { stacks: ["rest-express"] });
  const [started] = await Promise.allSettled([starting]);
  if (started.status === "fulfilled") await started.value.close();
  expect(started.status === "rejected" ? (started.reason as StackError).code : undefined).toBe(fault);
});

test("types that can be satisfied are possible", () => {
  expect(impossibleMessage((contractOfGraph(ring(3)).operations[0] as Operation).output)).toBeUndefined();
  const layered = contractOfGraph(layers(10, 2), { areRequired: true });
  expect(impossibleMessage((layered.operations[0] as Operation).output)).toBeUndefined();
});

describe("messages for conformance cases", () => {
  const filling = { depth: 3, choice: "first", extensions: new Map() } as const;

  test("leave out a field of which no message is possible", () => {
    const { operations } = compileContract(`syntax = "proto2"; package half.v1;
      message Fine { optional string value = 1; optional Endless endless = 2; }
      message Endless { required Endless next = 1; }
      service Half { rpc Get(Fine) returns (Fine); }`);
    const { output } = operations[0] as Operation;
    expect(toBinary(output, filledMessage(output, filling)).length).toBeGreaterThan(0);
  });

  test("do not exist of a type that requires more levels than they have", () => {
    const { output } = contractOfGraph(layers(20, 2), { areRequired: true }).operations[0] as Operation;
    expect(() => filledMessage(output, filling)).toThrow("is required too many levels deep");
  });
});
