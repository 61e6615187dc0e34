// Ends of a call that note the metadata that comes to them, for the cases about it.
import { create } from "@bufbuild/protobuf";
import type { CallContext } from "../../call-context.ts";
import { ConformanceService, EchoResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import type { Metadata } from "../../metadata.ts";
import type { Handlers } from "../../service.ts";
import { someHandlersOf } from "./some-handlers-of.ts";

/** An echo that notes what came beside its requests, and sends what `answer` says beside its answers. */
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

/** Notes the metadata of answers, each time that it is told. */
export function listening(): { readonly received: Metadata[]; readonly onMetadata: (metadata: Metadata) => void } {
  const received: Metadata[] = [];
  return { received, onMetadata: (metadata) => void received.push(metadata) };
}
