// Handlers and clients that record received metadata, for the cases about it.
import { create } from "@bufbuild/protobuf";
import type { CallContext, Metadata } from "@roundtrip/contract";
import { ConformanceService, EchoResponseSchema } from "../gen/roundtrip/conformance/v1/conformance_pb.ts";
import type { CaseRun, CaseServerOptions } from "../case/case-run.ts";
import { someHandlersOf } from "./some-handlers-of.ts";

/**
 * Serves an echo that records the metadata of its requests.
 * @param answer sets the metadata of its answers
 */
export async function noting(
  run: CaseRun,
  answer: (context: CallContext) => void = () => {},
  settings?: CaseServerOptions,
) {
  const came: Metadata[] = [];
  const handlers = someHandlersOf(ConformanceService, {
    echo({ values }, context) {
      came.push(context.metadata);
      answer(context);
      return create(EchoResponseSchema, { values });
    },
  });
  return { ...(await run.serveConformance(handlers, settings)), came };
}

/** Records the metadata of answers. */
export function listening(): { readonly received: Metadata[]; readonly onMetadata: (metadata: Metadata) => void } {
  const received: Metadata[] = [];
  return { received, onMetadata: (metadata) => void received.push(metadata) };
}
