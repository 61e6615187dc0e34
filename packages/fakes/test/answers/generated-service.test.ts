// Made-up answers depend only on the seed and the request, and obey every rule of the contract.
import { create, toJson, type DescMessage, type Message } from "@bufbuild/protobuf";
import { createValidator, type Validator } from "@bufbuild/protovalidate";
import { builtInContract, ServerCall, type Contract, type Operation } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomCases } from "../../../../.ci/seed-properties.ts";
import { messageArbitrary } from "../../../../bench/fuzz/arbitraries/message.ts";
import { contractOfFile } from "../../../../bench/fuzz/arbitraries/made-up-contract.ts";
import { madeUpFile } from "../../../../bench/fuzz/arbitraries/made-up-file.ts";
import { AnswerMaker } from "../../src/answers/answer-maker.ts";
import { Draw } from "../../src/answers/draw.ts";
import { generatedService } from "../../src/generated/generated-service.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { everyRule } from "./every-rule.ts";

const rules = compileContract(everyRule);

async function answers(contract: Contract, seed: number, operation: Operation, request: Message): Promise<Message[]> {
  const service = generatedService(contract, seed);
  if (operation.kind === "unary") return [await service.call(operation, request, new ServerCall())];
  async function* requests(): AsyncGenerator<Message> {
    yield request;
  }
  return Array.fromAsync(service.stream(operation, requests(), new ServerCall()));
}

const validators = new Map<Contract, Validator>();
const makers = new Map<Contract, AnswerMaker>();

/** The rules that messages break, each as `path: rule`. */
function brokenRules(contract: Contract, desc: DescMessage, message: Message): readonly string[] {
  let validator = validators.get(contract);
  if (validator === undefined) validators.set(contract, (validator = createValidator({ registry: contract.registry })));
  const result = validator.validate(desc, message);
  if (result.kind === "valid") return [];
  if (result.kind === "error") throw result.error;
  return result.violations.map((one) => one.toString());
}

/** The comparable parts of a failed call. */
function refused(thrown: unknown): string {
  return (thrown as Error).message;
}

function madeUp(contract: Contract, desc: DescMessage, seed: number): Message {
  let maker = makers.get(contract);
  if (maker === undefined) makers.set(contract, (maker = new AnswerMaker(contract, 1)));
  return maker.message(desc, new Draw([seed, 0, 0, 0]));
}

describe("an answer", () => {
  it.each(["Numbers", "Texts", "Others", "Collections", "Groups", "Expressions"])("obeys every rule: %s", (name) => {
    const { output } = rules.operation(`test.v1.Rules.${name}`);
    for (let seed = 0; seed < 60; seed++) {
      expect(brokenRules(rules, output, madeUp(rules, output, seed)), `seed ${seed}`).toEqual([]);
    }
  });

  it.each([
    ["of this project", builtInContract()],
    ["of the conformance suite", conformanceContract()],
  ])("obeys the rules of the contract %s, and can be written as JSON", (_, contract) => {
    for (const { input, output } of contract.operations) {
      for (const desc of [input, output]) {
        for (let seed = 0; seed < 20; seed++) {
          const message = madeUp(contract, desc, seed);
          expect(brokenRules(contract, desc, message)).toEqual([]);
          expect(() => toJson(desc, message, { registry: contract.registry })).not.toThrow();
        }
      }
    }
  });

  it("can be made for every type of any contract, and written as JSON", () => {
    fc.assert(
      fc.property(madeUpFile, fc.integer(), (file, seed) => {
        const contract = contractOfFile(file);
        for (const { output } of contract.operations) {
          const message = madeUp(contract, output, seed);
          expect(() => toJson(output, message, { registry: contract.registry })).not.toThrow();
        }
      }),
      { numRuns: randomCases(40) },
    );
  });

  it("has no field in a mask that JSON cannot write there", () => {
    const contract = compileContract(`syntax = "proto3";
      package odd.v1;
      import "google/protobuf/field_mask.proto";
      service Things { rpc Get(Thing) returns (Answer); }
      message Answer { Thing thing = 1; google.protobuf.FieldMask mask = 2; }
      message Thing { string __proto__ = 1; string userID = 2; string line_1 = 3; string size = 4; }`);
    const { output } = contract.operation("odd.v1.Things.Get");
    const json = toJson(output, madeUp(contract, output, 1), { registry: contract.registry });
    expect(json).toMatchObject({ mask: "size" });
  });

  it("depends on the seed and the request, not on earlier calls", async () => {
    const contract = conformanceContract();
    const others = contract.operations.flatMap((operation) => [operation, operation]);
    const source = { registry: contract.registry, maxDepth: 2, valuesOf: () => undefined };
    const calls = fc.constantFrom(...contract.operations).chain((operation) =>
      fc.record({
        operation: fc.constant(operation),
        request: messageArbitrary(operation.input, source),
        seed: fc.nat(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(calls, async ({ operation, request, seed }) => {
        const first = await answers(contract, seed, operation, request).catch(refused);
        for (const other of others) await answers(contract, seed, other, create(other.input)).catch(refused);
        expect(await answers(contract, seed, operation, request).catch(refused)).toEqual(first);
      }),
      { numRuns: randomCases(30) },
    );
  });

  it("differs by seed, request and operation", async () => {
    const texts = rules.operation("test.v1.Rules.Texts");
    const request = (about: string): Message => create(texts.input, { about });
    const [first] = await answers(rules, 1, texts, request("a"));
    expect((await answers(rules, 2, texts, request("a")))[0]).not.toEqual(first);
    expect((await answers(rules, 1, texts, request("b")))[0]).not.toEqual(first);
    const others = rules.operation("test.v1.Rules.OtherTexts");
    expect((await answers(rules, 1, others, request("a")))[0]).not.toEqual(first);
  });

  it("repeats fields of the request, unless they are invalid in an answer", async () => {
    const operation = rules.operation("test.v1.Rules.Echo");
    const [kept] = await answers(rules, 1, operation, create(operation.input, { code: "ABC", number: 7, kept: "so" }));
    expect(kept).toMatchObject({ code: "ABC", number: 7, kept: "so", more: expect.stringMatching(/./) as string });
    const found = rules.operation("test.v1.Rules.Find");
    const [place] = await answers(rules, 1, found, create(found.input, { x: 3, y: 4 }));
    expect(place).toMatchObject({ where: { x: 3, y: 4 }, what: expect.stringMatching(/./) as string });
    const [changed] = await answers(rules, 1, operation, create(operation.input, { code: "not a code" }));
    expect(brokenRules(rules, operation.output, changed as Message)).toEqual([]);
  });
});

describe("a recursive type", () => {
  it("is an error that names the way around if its rules require endless recursion", () => {
    const { output } = rules.operation("test.v1.Rules.Endless");
    expect(() => madeUp(rules, output, 1)).toThrow(
      "no test.v1.Twice is possible: test.v1.Twice.left requires test.v1.Twice; make one of these fields optional",
    );
  });

  it("ends, and stays small", () => {
    const { output } = rules.operation("test.v1.Rules.Groups");
    for (let seed = 0; seed < 20; seed++) {
      expect(JSON.stringify(toJson(output, madeUp(rules, output, seed))).length).toBeLessThan(20_000);
    }
  });
});
