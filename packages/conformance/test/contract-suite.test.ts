// Cases for any contract: messages have every field set, and a field that does not arrive fails the case unless it is declared lost.
import { clone, create, equals, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { expect, it } from "vitest";
import {
  conformanceContract,
  contractSuite,
  runConformance,
  type CaseResult,
  type ConformanceSubject,
} from "../src/index.ts";
import { filledMessage, requiredOnly } from "../src/any-contract/filled-message.ts";
import { extensionsIn, ServerCall, type Client, type Operation, type Service } from "@roundtrip/contract";

const contract = conformanceContract();
const extensions = extensionsIn(contract.registry);

async function* each(messages: Iterable<Message> | AsyncIterable<Message>): AsyncGenerator<Message> {
  yield* messages;
}

/** What stands between a caller and the service. */
type Style = (message: Message, operation: Operation, direction: "request" | "answer") => Message;

/** A client without a network that passes every message through the style. */
function clientOf(service: Service, style: Style): Client {
  return {
    contract,
    prepare: (operation) => async (request) =>
      style(await service.call(operation, style(request, operation, "request"), new ServerCall()), operation, "answer"),
    prepareStream: (operation) =>
      async function* (requests) {
        const sent = (async function* () {
          for await (const request of each(requests)) yield style(request, operation, "request");
        })();
        for await (const answer of service.stream(operation, sent, new ServerCall()))
          yield style(answer, operation, "answer");
      },
    prepareTogether: () => () => Promise.reject(new Error("not here")),
    close: () => Promise.resolve(),
  };
}

async function resultsWith(style: Style, lost: readonly string[] = []): Promise<readonly CaseResult[]> {
  const suite = contractSuite(contract);
  const subject: ConformanceSubject = {
    name: "made-up",
    limitations: [],
    deviations: [],
    offersMisuse: false,
    connect: () => Promise.resolve(clientOf(suite.service, style)),
    serve: () => Promise.reject(new Error("not here")),
    close: () => Promise.resolve(),
  };
  const options = { contract, subject, deviations: [], caseLimitMs: 5_000, onResult: () => undefined };
  return runConformance({ ...options, cases: suite.cases(() => lost) });
}

const whole: Style = (message) => message;

/** Loses all of each request. */
const nothing: Style = (message, { input }, direction) => (direction === "request" ? create(input) : message);

/** Loses one field of one type. */
const without =
  (typeName: string, name: string, where: "request" | "answer"): Style =>
  (message, { input, output }, direction) => {
    const desc = direction === "request" ? input : output;
    if (desc.typeName !== typeName || direction !== where) return message;
    const copy = reflect(desc, clone(desc, message));
    for (const field of desc.fields) if (field.name === name) copy.clear(field);
    return copy.message;
  };

it("passes for a style that loses nothing, with one case for each operation", async () => {
  const results = await resultsWith(whole);
  expect(results.map(({ caseId }) => caseId)).toEqual(
    contract.operations.map((_, index) => `OP-${String(index + 1).padStart(4, "0")}`),
  );
  expect(results.filter(({ status }) => status !== "pass")).toEqual([]);
});

const [first] = contract.operations;
const lostField = first?.input.fields[0]?.name ?? "";
const lossy = without(first?.input.typeName ?? "", lostField, "request");

it("fails with the path of the lost field", async () => {
  const [result] = await resultsWith(lossy);
  expect(result).toMatchObject({ status: "fail", detail: expect.stringMatching(/^request\..*: got nothing|^request/) });
});

it("accepts declared losses, but requires the required fields", async () => {
  const [result] = await resultsWith(lossy, [`${lostField}: nobody has a word for it`]);
  expect(result?.status).toBe("pass");
  expect((await resultsWith(nothing)).filter(({ status }) => status === "fail").length).toBeGreaterThan(1);
});

it("fills every field, with two messages if there is a choice", () => {
  for (const { input } of contract.operations) {
    const message = filledMessage(input, { depth: 3, choice: "first", extensions });
    const reflected = reflect(input, message);
    for (const member of input.members) {
      const isSet = member.kind === "oneof" ? reflected.oneofCase(member) !== undefined : reflected.isSet(member);
      expect([member.toString(), isSet]).toEqual([member.toString(), true]);
    }
    const other = filledMessage(input, { depth: 3, choice: "last", extensions });
    const isChoosing = input.oneofs.some(({ fields }) => fields.length > 1);
    expect(isChoosing && equals(input, message, other)).toBe(false);
    expect(equals(input, requiredOnly(input), create(input))).toBe(true);
  }
});
