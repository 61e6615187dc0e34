// Handlers that return what they receive, for cases about values on the wire.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ConformanceService,
  EchoResponseSchema,
  LookResponseSchema,
  PutTreeResponseSchema,
  type LookRequestSchema,
} from "../gen/roundtrip/conformance/v1/conformance_pb.ts";
import type { ValuesSchema } from "../gen/roundtrip/conformance/v1/values_pb.ts";
import type { Handlers } from "@roundtrip/contract";
import { someHandlersOf } from "./some-handlers-of.ts";
import type { CaseRun } from "../case/case-run.ts";
import { expectMessage, inTurn } from "../case/expectations.ts";

const { echo, look } = ConformanceService.method;

type Values = MessageInitShape<typeof ValuesSchema>;
type Look = MessageInitShape<typeof LookRequestSchema>;

/** Returns values and requests unchanged; the answer for a tree includes its resource name. */
export const echoing: Handlers = someHandlersOf(ConformanceService, {
  echo: ({ values }) => create(EchoResponseSchema, { values }),
  look: (request) => create(LookResponseSchema, { request }),
  putTree: ({ name, tree, dryRun }) =>
    create(PutTreeResponseSchema, {
      tree: { label: `${dryRun ? "not " : ""}stored as ${name}`, branches: tree?.branches ?? [] },
    }),
});

/** Expects each of these values, sent in a request body, to come back unchanged. */
export function echoed(...all: readonly Values[]): (run: CaseRun) => Promise<void> {
  return async (run) => {
    const { call } = await run.serveConformance(echoing);
    await inTurn(all, async (values) => expectMessage(EchoResponseSchema, await call(echo, { values }), { values }));
  };
}

/** Expects each of these read requests to come back unchanged. */
export function looked(...all: readonly Look[]): (run: CaseRun) => Promise<void> {
  return async (run) => {
    const { call } = await run.serveConformance(echoing);
    await inTurn(all, async (request) => expectMessage(LookResponseSchema, await call(look, request), { request }));
  };
}
