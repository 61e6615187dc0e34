// What a style is: how a contract is spelled on the wire and what its users expect, apart from the libraries that serve and call it.
import type { Contract, ErrorDetails, Operation } from "@roundtrip/contract";

/** Something that a style, or a library that serves or calls it, cannot carry, and why. */
export interface Limitation {
  readonly feature: "together" | "metadata" | "serverStream" | "clientStream" | "bidiStream" | "tlsResumption";
  readonly reason: string;
}

/** A conformance case that a style, or a library that serves or calls it, fails, and why. */
export interface Deviation {
  /** For example `RT-0155`. */
  readonly caseId: string;
  readonly reason: string;
}

/** One operation as a user of the style would write it down, and what of it is lost. */
export interface OperationView {
  /** For example `GET /v1/customers/{id}?readMask=`, or `query { customer(id: Int!): Customer }`. */
  readonly signature: string;
  /** Why the style cannot carry the operation, or parts of it; empty when nothing is lost. */
  readonly lost: readonly string[];
}

/** A document that the style's users expect beside the contract, generated from it. */
export interface StyleDocument {
  /** The same for every contract. */
  readonly fileName: string;
  readonly text: string;
}

/** How k6 makes the calls of a style: by its gRPC module, or by its HTTP module. */
export type K6Calls =
  | { readonly module: "grpc" }
  | {
      readonly module: "http";
      /** Where an answer has its message: member by member, `*` for the first; empty where it is the body. */
      readonly message: readonly string[];
      /** Where an answer that is one in spite of its status has its error; empty where the status tells, and the body is the error. */
      readonly error: readonly string[];
      /** Where the error has its canonical code. */
      readonly code: readonly string[];
    };

/** What a watchman asks to know whether a server is well: gRPC's health protocol, or a GET that is answered with 200. */
export type HealthProbe =
  | { readonly protocol: "grpc" }
  | { readonly protocol: "http"; readonly path: string; readonly headers: Readonly<Record<string, string>> };

/** How somebody sees what a running server offers: a page that a browser opens, or a command that lists its operations. */
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
  /** The folder's name: `rest`, `graphql`, `grpc`; `floor` for what spells nothing. */
  readonly name: string;
  /** The name in tables and plots, for example `gRPC`; no two styles have the same. */
  readonly title: string;
  /** `style`s are compared; a `floor` is what they are held against. */
  readonly role: "style" | "floor";
  /** The npm packages that spell its messages: their versions are recorded with every run. */
  readonly libraries: readonly string[];
  /** What follows from the style, whatever the library. */
  readonly limitations: readonly Limitation[];
  /** The conformance cases that fail because of the style, whatever the library. */
  readonly deviations: readonly Deviation[];
  /** Error details by which a server says that it does not have an operation, besides the code UNIMPLEMENTED. */
  readonly missingOperationErrors: readonly Pick<ErrorDetails, "domain" | "reason">[];
  /** Whether autocannon, which speaks HTTP/1.1 and nothing else, can call it; otherwise why not. */
  readonly autocannon: true | string;
  /** How k6 calls it; otherwise why it cannot. */
  readonly k6: K6Calls | string;
  /** Undefined where nothing asks. */
  readonly health: HealthProbe | undefined;
  /** Undefined where there is nothing to see. */
  readonly inspection: Inspection | undefined;
  view(operation: Operation, contract: Contract): OperationView;
  documents(contract: Contract): Promise<readonly StyleDocument[]>;
}
