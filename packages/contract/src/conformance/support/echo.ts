// Handlers that give back what they are given, for cases about what a style does to values on their way.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ConformanceService,
  EchoResponseSchema,
  LookResponseSchema,
  PutTreeResponseSchema,
  type LookRequestSchema,
} from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import type { ValuesSchema } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import type { Handlers } from "../../service.ts";
import { someHandlersOf } from "./some-handlers-of.ts";
import type { CaseRun } from "../case-run.ts";
import { expectMessage } from "../expectations.ts";

const { echo, look } = ConformanceService.method;

type Values = MessageInitShape<typeof ValuesSchema>;
type Look = MessageInitShape<typeof LookRequestSchema>;

/** Gives back values and questions; stores a tree under the name that it is given. */
export const echoing: Handlers = someHandlersOf(ConformanceService, {
  echo: ({ values }) => create(EchoResponseSchema, { values }),
  look: (request) => create(LookResponseSchema, { request }),
  putTree: ({ name, tree, dryRun }) =>
    create(PutTreeResponseSchema, {
      tree: { label: `${dryRun ? "not " : ""}stored as ${name}`, branches: tree?.branches ?? [] },
    }),
});

/** Each of these values, sent in a request body, comes back as it was sent. */
export async function expectEchoed(run: CaseRun, ...all: readonly Values[]): Promise<void> {
  const { call } = await run.serveConformance(echoing);
  for (const values of all) {
    // oxlint-disable-next-line no-await-in-loop
    expectMessage(EchoResponseSchema, await call(echo, { values }), { values });
  }
}

/** Each of these questions, sent in what a style has for reading, comes back as it was asked. */
export async function expectLooked(run: CaseRun, ...all: readonly Look[]): Promise<void> {
  const { call } = await run.serveConformance(echoing);
  for (const request of all) {
    // oxlint-disable-next-line no-await-in-loop
    expectMessage(LookResponseSchema, await call(look, request), { request });
  }
}
