// The types of a style and of its parts: how a contract is spelled on the wire and what its users expect, without the libraries that serve and call it.
import type { Message } from "@bufbuild/protobuf";
import type { CallError, Contract, Operation, PlainSetting } from "@roundtrip/contract";

/** A feature that a style, server or client does not support, with the reason. */
export interface Limitation {
  readonly feature:
    | "together"
    | "metadata"
    | "serverStream"
    | "clientStream"
    | "bidiStream"
    | "tlsResumption"
    | "anyPort"
    | "traceMethod"
    | "bodyOfGet";
  readonly reason: string;
}

/** A conformance case that a style, server or client fails, with the reason. */
export interface Deviation {
  /** For example `RT-0155`. */
  readonly caseId: string;
  readonly reason: string;
}

/** One operation as a user of the style would write it, and the parts that the style cannot carry. */
export interface OperationView {
  /** For example `GET /v1/customers/{id}?readMask=`, or `query { customer(id: Int!): Customer }`. */
  readonly signature: string;
  /** Why the style cannot carry the operation, or parts of it; empty if it carries all. */
  readonly lost: readonly string[];
}

/** The most losses of an operation in a page or a list of operations: each of a thousand may use all of ten thousand types. */
const maxListedLosses = 200;

/** The first losses, and how many more there are. */
export function listedLosses(losses: readonly string[]): readonly string[] {
  const more = losses.length - maxListedLosses;
  return more > 0 ? [...losses.slice(0, maxListedLosses), `and ${more} more, which describe lists`] : losses;
}

/** A document that the style's users expect beside the contract, generated from it. */
export interface StyleDocument {
  /** The same for every contract. */
  readonly fileName: string;
  readonly text: string;
}

/** How k6 makes the calls of a style: with its gRPC module or its HTTP module. */
export type K6Calls =
  | { readonly module: "grpc" }
  | {
      readonly module: "http";
      /** The path of the message in an answer, `*` for the first member; empty if the body is the message. */
      readonly message: readonly string[];
      /** The path of the error in an answer with a status of success; empty if the status marks the error, and the body is the error. */
      readonly error: readonly string[];
      /** Where the error may have the canonical code, by its name or number: the first path with a value counts. */
      readonly codes: readonly (readonly string[])[];
    };

/** How monitoring checks that a server is healthy: gRPC's health protocol, or a GET that is answered with 200. */
export type HealthProbe =
  | { readonly protocol: "grpc" }
  | { readonly protocol: "http"; readonly path: string; readonly headers: Readonly<Record<string, string>> };

/** How people see the operations of a running server: a page for a browser, or a command that lists them. */
export type Inspection =
  | {
      readonly kind: "page";
      readonly title: string;
      /** Appended to the server's URL. */
      readonly path: string;
    }
  | {
      readonly kind: "command";
      /** What the command does, and what else does the same. */
      readonly hint: string;
      command(url: string): string;
    };

/** What `index.ts` of a style exports as `style`. Importing it loads neither its codecs nor its documents. */
export interface Style {
  /** The folder's name: `rest`, `graphql`, `grpc`; `floor` for the floor. */
  readonly name: string;
  /** The name in tables and plots, for example `gRPC`; no two styles have the same. */
  readonly title: string;
  /** `style`s are compared with each other; the `floor` is their lower bound, and `in-process` that of calls without a network. */
  readonly role: "style" | "floor" | "in-process";
  /** The npm packages that encode its messages. Every run records their versions. */
  readonly libraries: readonly string[];
  readonly limitations: readonly Limitation[];
  /** Settings that every server of the style has, besides those of its library. */
  readonly serverSettings: readonly PlainSetting[];
  /** Conformance cases that fail because of the style, with every library. */
  readonly deviations: readonly Deviation[];
  /** Reasons by which a server says that it does not have an operation, besides the code UNIMPLEMENTED. */
  readonly missingOperationReasons: readonly string[];
  /** Whether autocannon, an HTTP/1.1 client, can call it; otherwise the reason why not. */
  readonly autocannon: true | string;
  /** How k6 calls it; otherwise why it cannot: it does not speak the protocol, writes text where requests are binary, or has no reader of XML. */
  readonly k6: K6Calls | "protocol" | "binary" | "xml";
  /** The path of the only address that calls are sent to; empty for a path of each operation. */
  readonly endpoint: string;
  /** Undefined if no monitoring calls it. */
  readonly health: HealthProbe | undefined;
  /** Undefined if there is nothing to show. */
  readonly inspection: Inspection | undefined;
  /** Where a server has its pages and documents of the contract. */
  readonly documentPaths: readonly string[];
  view(operation: Operation, contract: Contract): OperationView;
  documents(contract: Contract): Promise<readonly StyleDocument[]>;
}

// Calls in logged requests: which operations somebody called, by the access log of a server or by a recording of a browser.

export interface LoggedRequest {
  /** In capitals. */
  readonly method: string;
  /** Path and query, as received. */
  readonly target: string;
  /** Of the body, in lower case without parameters; empty if the log does not have it. */
  readonly mediaType: string;
  /** Undefined if the log does not have it. */
  readonly body: Uint8Array | undefined;
}

export interface LoggedCall {
  readonly operation: Operation;
  /** What the log has of it; undefined for nothing. */
  readonly request: Message | undefined;
  readonly isWhole: boolean;
}

/**
 * Resolves to the calls of a request: none if its path belongs to no operation of the style. Rejects with a CallError for a request to the style that
 * cannot be read.
 */
export type ReadLoggedRequest = (request: LoggedRequest) => Promise<readonly LoggedCall[]>;

/** What `logged-calls.ts` of a style exports as `loggedCalls`. */
export type LoggedCalls = (contract: Contract) => ReadLoggedRequest;

// Requests that are refused before they reach an operation: the error in the answer, and what the request was likely meant for.

/** What exists and is most like what a request asks for. */
export interface NearestOperation {
  /** The operation's id. */
  readonly operation: string;
  /** How the style addresses it: `GET /v1/customers/{id}`. */
  readonly address: string;
}

/** What `refusals.ts` of a style exports as `refusals`. */
export interface Refusals {
  /** The error in an answer that no operation gave; undefined for one without. */
  readonly errorIn: (answer: { readonly status: number; readonly body: string }) => CallError | undefined;
  /** Undefined if nothing is similar. A request that names an operation rightly, with a fault elsewhere, gets that one. */
  readonly nearest: (
    request: { readonly method: string; readonly url: string },
    contract: Contract,
  ) => NearestOperation | undefined;
}
