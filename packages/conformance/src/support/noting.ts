// Handlers and clients that record received metadata, for the cases about it.
import { create } from "@bufbuild/protobuf";
import type { CallContext, Metadata, Handlers } from "@roundtrip/contract";
import { ConformanceService, EchoResponseSchema } from "../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { someHandlersOf } from "./some-handlers-of.ts";

/** An echo handler that records the metadata of its requests. `answer` sets the metadata of its answers. */
export function noting(answer: (context: CallContext) => void = () => {}): {
  readonly handlers: Handlers;
  readonly came: readonly Metadata[];
} {
  const came: Metadata[] = [];
  const handlers = someHandlersOf(ConformanceService, {
    echo({ values }, context) {
      came.push(context.metadata);
      answer(context);
      return create(EchoResponseSchema, { values });
    },
  });
  return { handlers, came };
}

/** Records the metadata of answers. */
export function listening(): { readonly received: Metadata[]; readonly onMetadata: (metadata: Metadata) => void } {
  const received: Metadata[] = [];
  return { received, onMetadata: (metadata) => void received.push(metadata) };
}
