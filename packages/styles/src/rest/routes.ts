// Compiles the routes of a contract's operations, once for all requests.
import type { DescField } from "@bufbuild/protobuf";
import { type Contract, fieldPaths, type FieldPaths, type HttpBinding, type Operation } from "@roundtrip/contract";
import { StyleError } from "../style-names.ts";
import type { ErrorForm, RestDialect } from "./dialects.ts";
import { answerHttpBody, type HttpBodyPlace, requestHttpBody, requestOctets } from "./raw-bodies.ts";
import { ignoringUnknown } from "./requests/leniency.ts";
import { type ReadRequest, requestReader } from "./requests/request-reader.ts";
import {
  type LocationOf,
  locationWriter,
  messageWriter,
  responseWriter,
  type WriteResponse,
} from "./response-codec.ts";
import { Router } from "./router.ts";
import { type StreamForm, streamForms } from "./streams/stream-form.ts";
import { jsonReader, jsonSubject, type ParseJson } from "../shared/proto-json/scalars.ts";

export interface Route {
  readonly operation: Operation;
  readonly hasBody: boolean;
  readonly parse: ParseJson;
  readonly read: ReadRequest;
  /** Reads a request with the preference `handling=lenient`. */
  readonly readLeniently: ReadRequest;
  readonly write: WriteResponse;
  /** The HttpBody that the body of a request is; undefined for JSON. */
  readonly rawRequest: HttpBodyPlace | undefined;
  /** The HttpBody that the body of an answer is; undefined for JSON. */
  readonly rawAnswer: HttpBodyPlace | undefined;
  /** The bytes field of a request stream; undefined for JSON streams. */
  readonly octets: DescField | undefined;
  /** The possible forms of a response stream, the default first. */
  readonly forms: readonly [StreamForm, ...StreamForm[]];
  /** Undefined for an operation that creates nothing. */
  readonly locate: LocationOf | undefined;
  readonly fields: FieldPaths;
  readonly dialect: RestDialect;
  /** The form of an error before the answer. */
  readonly errors: ErrorForm;
}

const asInContract: FieldPaths = { spelled: (error) => error, restored: (error) => error };

function routeOf(contract: Contract, dialect: RestDialect, operation: Operation, binding: HttpBinding): Route {
  const rawAnswer = answerHttpBody(operation, binding);
  const { errorType, metadataOf, writeError, writeStreamError, hasOwnStatuses, spellsViolations, form } = dialect;
  return {
    operation,
    hasBody: binding.body !== "",
    parse: jsonReader(jsonSubject(operation.input, binding.body)),
    read: requestReader(contract, operation, binding, dialect.leniency),
    readLeniently: requestReader(contract, operation, binding, ignoringUnknown(dialect.leniency)),
    write: hasOwnStatuses
      ? responseWriter(contract, operation, binding, form)
      : messageWriter(contract, operation, binding, form),
    rawRequest: requestHttpBody(operation, binding),
    rawAnswer,
    octets: requestOctets(operation, binding),
    forms: streamForms(contract, operation, binding, dialect),
    locate: hasOwnStatuses && rawAnswer === undefined ? locationWriter(contract, operation, binding) : undefined,
    fields: spellsViolations ? fieldPaths(operation.input, ({ jsonName }) => jsonName) : asInContract,
    dialect,
    errors: { errorType, metadataOf, write: operation.kind === "server_streaming" ? writeStreamError : writeError },
  };
}

/** A route that is compiled for its first request, because a large contract has many that are never called. */
export class LazyRoute {
  readonly operation: Operation;
  readonly binding: HttpBinding;
  /** Whether answers have the media type of an HttpBody. */
  readonly isRaw: boolean;
  readonly #compile: () => Route;
  #compiled: Route | undefined;

  constructor(operation: Operation, binding: HttpBinding, compile: () => Route) {
    this.operation = operation;
    this.binding = binding;
    this.isRaw = answerHttpBody(operation, binding) !== undefined;
    this.#compile = compile;
  }

  get route(): Route {
    return (this.#compiled ??= this.#compile());
  }
}

export interface Routes {
  readonly all: readonly LazyRoute[];
  readonly router: Router<LazyRoute>;
}

/** All routes of a contract. Throws a StyleError if two operations share one. */
export function routesOf(contract: Contract, dialect: RestDialect): Routes {
  const router = new Router<LazyRoute>();
  const all = contract.operations.flatMap((operation) =>
    operation.bindings.map(
      (binding) => new LazyRoute(operation, binding, () => routeOf(contract, dialect, operation, binding)),
    ),
  );
  for (const lazy of all) {
    const { operation, binding } = lazy;
    const taken = router.add(binding, lazy);
    if (taken === undefined) continue;
    const text = `${binding.method} ${binding.path.source}`;
    throw new StyleError("unusable-contract", `${text} is the route of both ${taken.operation.id} and ${operation.id}`);
  }
  return { all, router };
}
