// Spellings: a style with JSON requests accepts exactly the spellings of ProtoJSON.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ConformanceService,
  EchoRequestSchema,
  EchoResponseSchema,
} from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { ValuesSchema, type Values } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import { answerFault, answerText } from "../../case/answer-text.ts";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { expect, expectMessage } from "../../case/expectations.ts";
import { someHandlersOf } from "../../support/some-handlers-of.ts";
import { readSpellings, refusedSpellings, type Spelling } from "../../support/spelling.ts";

const { echo } = ConformanceService.method;

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
  const { answers, refusals } = await respelled(respellings, echo, create(EchoRequestSchema, { values }));
  return { received, answers, refusals };
}

async function expectRead(
  run: CaseRun,
  spelling: Spelling,
  spellings: readonly (readonly [text: string, values: MessageInitShape<typeof ValuesSchema>])[],
): Promise<void> {
  const { received, answers } = await sent(
    run,
    spelling,
    spellings.map(([text]) => text),
  );
  for (const [index, answer] of answers.entries()) {
    const [text, values] = spellings[index] ?? ["", {}];
    expect(answer.code === "OK", `${text} got ${answerText(answer)}`);
    const one = received[index];
    expect(one !== undefined, `${text} was not received`);
    if (one !== undefined) expectMessage(ValuesSchema, one, values);
  }
}

async function expectRefused(run: CaseRun, spelling: Spelling, spellings: readonly string[]): Promise<void> {
  const { received, answers, refusals } = await sent(run, spelling, spellings);
  for (const [index, answer] of answers.entries()) {
    const fault = answerFault(answer, refusals);
    if (fault !== undefined) throw new Error(`${spellings[index]} ${fault}`);
  }
  expect(received.length === 0, `${received.length} were received`);
}

/** The cases RT-16xx. */
export const spellingCases = casesIn("values", ["server", "misuse"], {
  ...Object.fromEntries(
    readSpellings.map(({ id, title, spelling, spellings }) => [
      `${id} ${title}: accepted`,
      (run: CaseRun) => expectRead(run, spelling, spellings),
    ]),
  ),
  ...Object.fromEntries(
    refusedSpellings.map(({ id, title, spelling, spellings }) => [
      `${id} ${title}: refused`,
      (run: CaseRun) => expectRefused(run, spelling, spellings),
    ]),
  ),
});
