// Warns of stubs whose answers break the contract's rules. They are answered as they are: a client may be tested with what a server must not send.
import { create, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import { CallError, type Contract, isObject, memoize } from "@roundtrip/contract";
import { requestRules } from "@roundtrip/contract/service";
import { operationNamed } from "../basics/names.ts";
import type { Stub } from "./stub-schema.ts";
import { compileStub } from "./compiled-stub.ts";

/** More are counted only. */
const mostWarnings = 20;

/** Whether the JSON of a message has the field of a path such as `lines[0].unit_price`. */
function isWritten(json: JsonValue, path: string, type: DescMessage): boolean {
  const [, name = "", rest = ""] = /^(\w+)(?:\[[^\]]*\])?\.?(.*)$/.exec(path) ?? [];
  const field = type.fields.find((candidate) => candidate.name === name);
  if (field === undefined || !isObject(json)) return false;
  const value = json[field.jsonName] ?? json[field.name];
  if (value === undefined) return false;
  return (
    rest === "" || field.message === undefined || field.fieldKind !== "message" || isWritten(value, rest, field.message)
  );
}

function brokenBy(contract: Contract, type: DescMessage, message: Message): readonly { field: string; text: string }[] {
  try {
    requestRules(contract)(type, message);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown;
    return thrown.details.violations.map(({ field, description, reason }) => ({
      field,
      text: `${description} (${reason})`,
    }));
  }
}

/** What is broken in the answers of a stub: `response.stars: must be …`. Answers made of a call are not known before it. */
const brokenIn = memoize((contract: Contract) =>
  memoize((stub: Stub): readonly string[] => {
    const { operation, answers } = compileStub(contract, stub, []);
    const { input, output } = operation;
    const written = stub.answers ?? [stub];
    return answers.flatMap(({ looksAtRequest, build }, at) => {
      if (looksAtRequest) return [];
      const { messages = [], over } = build(create(input), new Map());
      const { response = {}, responses } = written[at] ?? {};
      return (over === undefined ? messages : [over(create(output))]).flatMap((message, position) => {
        const member = responses === undefined ? "response" : `responses[${position}]`;
        const path = stub.answers === undefined ? member : `answers[${at}].${member}`;
        return brokenBy(contract, output, message)
          .filter(({ field }) => over === undefined || isWritten(response, field, output))
          .map(({ field, text }) => `${path}${field && `.${field}`}: ${text}`);
      });
    });
  }),
);

/** A line for each rule that an answer of a stub breaks. */
export function stubWarnings(contract: Contract, stubs: readonly Stub[]): readonly string[] {
  const warnings = stubs.flatMap((stub, index) => {
    const { id } = operationNamed(contract, stub.operation);
    return brokenIn(contract)(stub).map((text) => `Warning: stub ${index + 1} (${id}): ${text}`);
  });
  const more = warnings.length - mostWarnings;
  return more > 0 ? [...warnings.slice(0, mostWarnings), `${more} more rules are broken`] : warnings;
}
