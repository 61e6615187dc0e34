// Handlers of servers that cases start: they echo, note their calls, never answer, or implement a part of a service.
import { create, type DescService, type MessageInitShape } from "@bufbuild/protobuf";
import { type CallContext, type Handlers, handlersOf, type Metadata, type Methods } from "@roundtrip/contract";
import {
  HelloService,
  type SayHelloResponse,
  SayHelloResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import {
  ConformanceService,
  EchoResponseSchema,
  type LookRequestSchema,
  LookResponseSchema,
  PutTreeResponseSchema,
} from "../gen/roundtrip/conformance/v1/conformance_pb.ts";
import type { ValuesSchema } from "../gen/roundtrip/conformance/v1/values_pb.ts";
import type { CaseRun, CaseServer, CaseServerOptions } from "../case/case-run.ts";
import { expectMessage, inTurn } from "../case/expectations.ts";

/** Some typed methods of a generated service as handlers by operation id. */
export function someHandlersOf<S extends DescService>(service: S, methods: Partial<Methods<S>>): Handlers {
  // A method that is not there is left out of the handlers.
  return handlersOf(service, methods as Methods<S>);
}

export function servingSome(
  run: CaseRun,
  methods: Partial<Methods<typeof ConformanceService>>,
  settings?: CaseServerOptions,
): Promise<CaseServer> {
  return run.serveConformance(someHandlersOf(ConformanceService, methods), settings);
}

function greeted(message: string): SayHelloResponse {
  return create(SayHelloResponseSchema, { message });
}

/** A service of greetings. @param answer returns, or resolves to, the message */
export function greetingBy(answer: (name: string, context: CallContext) => string | Promise<string>): Handlers {
  return handlersOf(HelloService, {
    sayHello({ name }, context) {
      const message = answer(name, context);
      return typeof message === "string" ? greeted(message) : message.then(greeted);
    },
  });
}

// Handlers that return what they receive, for cases about values on the wire.

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

// Handlers and clients that record received metadata, for the cases about it.

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

// A handler that never answers, for cases about calls that end early.

/** The request that is answered at once: a call with a short deadline needs an open connection. */
export const firstCall = { name: "first" };

/** Serves a handler that answers only the first call, with promises for the start and the abort of the next one. */
export async function hanging(run: CaseRun, settings?: CaseServerOptions) {
  let hasBegun = false;
  const begun = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const handlers = greetingBy((name, { signal }) => {
    if (name === firstCall.name) return name;
    signal.addEventListener("abort", () => aborted.resolve());
    hasBegun = true;
    begun.resolve();
    return new Promise(() => {});
  });
  const server = await run.serve(handlers, settings);
  return { ...server, begun: begun.promise, aborted: aborted.promise, hasBegun: () => hasBegun };
}
