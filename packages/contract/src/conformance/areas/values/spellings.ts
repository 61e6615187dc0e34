// Spellings: a style with JSON requests accepts exactly the spellings of ProtoJSON.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ConformanceService,
  EchoRequestSchema,
  EchoResponseSchema,
} from "../../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { ValuesSchema, type Values } from "../../../gen/roundtrip/conformance/v1/values_pb.ts";
import type { CaseRun, MisuseOutcome } from "../../case-run.ts";
import { casesIn, type Level } from "../../case.ts";
import { expect, expectMessage } from "../../expectations.ts";
import { someHandlersOf } from "../../support/some-handlers-of.ts";
import { readSpellings, refusedSpellings, type Spelling } from "../../support/spelling.ts";

const { echo } = ConformanceService.method;

function codeIn({ answer: { httpStatus, code } }: MisuseOutcome): string {
  return `${code ?? "no code"} with HTTP ${httpStatus ?? "nothing"}`;
}

/** Sends values in the spellings, and returns what the handler received and the answers. */
async function sent(run: CaseRun, { values, from }: Spelling, spellings: readonly string[]) {
  const received: (Values | undefined)[] = [];
  const handlers = someHandlersOf(ConformanceService, {
    echo: ({ values: one }) => {
      received.push(one);
      return create(EchoResponseSchema, {});
    },
  });
  const { respelled } = await run.serveConformance(handlers);
  const name = from.slice(0, from.indexOf(":") + 1);
  const respellings = spellings.map((spelling) => ({ from, to: name + spelling }));
  const outcomes = await respelled(respellings, echo, create(EchoRequestSchema, { values }));
  return { received, outcomes };
}

async function expectRead(
  run: CaseRun,
  spelling: Spelling,
  spellings: readonly (readonly [text: string, values: MessageInitShape<typeof ValuesSchema>])[],
): Promise<void> {
  const { received, outcomes } = await sent(
    run,
    spelling,
    spellings.map(([text]) => text),
  );
  for (const [index, outcome] of outcomes.entries()) {
    const [text, values] = spellings[index] ?? ["", {}];
    const got = codeIn(outcome);
    expect(outcome.answer.code === "OK", `${text} got ${got}`);
    const one = received[index];
    expect(one !== undefined, `${text} was not received`);
    if (one !== undefined) expectMessage(ValuesSchema, one, values);
  }
}

async function expectRefused(run: CaseRun, spelling: Spelling, spellings: readonly string[]): Promise<void> {
  const { received, outcomes } = await sent(run, spelling, spellings);
  for (const [index, outcome] of outcomes.entries()) {
    const { httpStatus, code } = outcome.answer;
    // GraphQL may report an error in one field beside the answers of others.
    const isStatus = httpStatus === 400 || (outcome.protocol === "graphql" && httpStatus === 200);
    expect(isStatus && code === "INVALID_ARGUMENT", `${spellings[index]} got ${codeIn(outcome)}`);
  }
  expect(received.length === 0, `${received.length} were received`);
}

const level: Level = "MUST";
const needs = ["server", "misuse"] as const;

/** The cases RT-16xx. */
export const spellingCases = casesIn("values", [
  ...readSpellings.map(({ id, title, spelling, spellings }) => ({
    id,
    level,
    title: `${title}: accepted`,
    needs,
    run: (run: CaseRun) => expectRead(run, spelling, spellings),
  })),
  ...refusedSpellings.map(({ id, title, spelling, spellings }) => ({
    id,
    level,
    title: `${title}: refused`,
    needs,
    run: (run: CaseRun) => expectRefused(run, spelling, spellings),
  })),
]);
