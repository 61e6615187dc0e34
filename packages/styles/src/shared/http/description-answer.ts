// Descriptions of a service over HTTP, as documents and pages.
import { CallError, type Contract, type ExampleOf, type ServerCall, type Service } from "@roundtrip/contract";
import type { Style } from "../../basics/style.ts";
import {
  type AnswerHeaders,
  type WholeAnswer,
  HttpError,
  type ReceivedRequest,
  incomingCall,
  metadataHeaders,
} from "./http-service.ts";

/** Makes one of a style's descriptions. @param origin where the caller reaches the server. @param metadata of the interceptors' answer. */
export type Describe = (
  about: DescribedServer,
  origin: string,
  metadata: AnswerHeaders | undefined,
) => Promise<WholeAnswer>;

/** What a style sends as one of its descriptions. */
export interface ServedDescription {
  readonly describe: Describe;
  readonly refuse: (thrown: unknown, call: ServerCall | undefined) => WholeAnswer;
}

export interface DescriptionOptions {
  /** Undefined without TLS. */
  readonly tls: object | undefined;
  /** Undefined for a port of its own. */
  readonly sharedPort: { readonly documentPaths: () => readonly string[] } | undefined;
  /** Makes the example requests of a page. Called when it is opened. */
  readonly examplesOf: (contract: Contract) => Promise<ExampleOf>;
}

export interface DescribedServer extends DescriptionOptions {
  readonly service: Service;
}

/** A description shows the service, so only callers that its interceptors accept may read it. Never rejects. */
export async function descriptionAnswer(
  about: DescribedServer,
  request: ReceivedRequest,
  { describe, refuse }: ServedDescription,
): Promise<WholeAnswer> {
  const { service, tls } = about;
  let call: ServerCall | undefined;
  try {
    call = incomingCall(request);
    const { checkMayDescribe } = await import("../description-guard.ts");
    await checkMayDescribe(service, call);
    const scheme = tls === undefined ? "http" : "https";
    return await describe(about, `${scheme}://${request.headers.host ?? "localhost"}`, metadataHeaders(call));
  } catch (thrown) {
    return refuse(thrown, call);
  } finally {
    call?.finish();
  }
}

/** 404 for a path of nothing, with where the pages and documents of all styles on the port are. */
export function nothingAt(
  path: string,
  { documentPaths }: Pick<Style, "documentPaths">,
  { sharedPort }: Pick<DescriptionOptions, "sharedPort">,
): HttpError {
  const paths = sharedPort?.documentPaths() ?? documentPaths;
  return new HttpError(404, new CallError("UNIMPLEMENTED", `there is nothing at ${path}; see ${paths.join(", ")}`));
}
