// Compiles the routes of a contract's operations, once for all requests.
import type { DescField } from "@bufbuild/protobuf";
import { fieldPaths, type Contract, type FieldPaths, type HttpBinding, type Operation } from "@roundtrip/contract";
import { StyleError } from "../../basics/style-error.ts";
import { locationWriter, type LocationOf } from "../answers/created.ts";
import { jsonReader, jsonSubject, type ParseJson } from "../../shared/proto-json/exact-json.ts";
import { carefulRequestReader, requestReader, type ReadRequest } from "../requests/request-reader.ts";
import { requestOctets } from "../streams/octets.ts";
import { responseWriter, type WriteResponse } from "../answers/response-codec.ts";
import { Router } from "./router.ts";
import { streamForms, type StreamForm } from "../streams/stream-form.ts";

export interface Route {
  readonly operation: Operation;
  readonly hasBody: boolean;
  readonly parse: ParseJson;
  readonly read: ReadRequest;
  /** Reads a request with the preference `handling=lenient`. */
  readonly readLeniently: ReadRequest;
  readonly write: WriteResponse;
  /** The bytes field of a request stream; undefined for JSON streams. */
  readonly octets: DescField | undefined;
  /** The possible forms of a response stream, the default first. */
  readonly forms: readonly [StreamForm, ...StreamForm[]];
  /** Undefined for an operation that creates nothing. */
  readonly locate: LocationOf | undefined;
  readonly fields: FieldPaths;
}

function routeOf(contract: Contract, operation: Operation, binding: HttpBinding): Route {
  return {
    operation,
    hasBody: binding.body !== "",
    parse: jsonReader(jsonSubject(operation.input, binding.body)),
    read: requestReader(contract, operation, binding),
    readLeniently: carefulRequestReader(contract, operation, binding, "ignored"),
    write: responseWriter(contract, operation, binding),
    octets: requestOctets(operation, binding),
    forms: streamForms(contract, operation, binding),
    locate: locationWriter(contract, operation, binding),
    fields: fieldPaths(operation.input, ({ jsonName }) => jsonName),
  };
}

export interface Routes {
  readonly all: readonly { readonly binding: HttpBinding; readonly route: Route }[];
  readonly router: Router<Route>;
}

/** All routes of a contract. Throws a StyleError if two operations share one. */
export function routesOf(contract: Contract): Routes {
  const router = new Router<Route>();
  const all = contract.operations.flatMap((operation) =>
    operation.bindings.map((binding) => ({ binding, route: routeOf(contract, operation, binding) })),
  );
  for (const { binding, route } of all) {
    const taken = router.add(binding, route);
    if (taken === undefined) continue;
    const text = `${binding.method} ${binding.path.source}`;
    throw new StyleError(
      "unusable-contract",
      `${text} is the route of both ${taken.operation.id} and ${route.operation.id}`,
    );
  }
  return { all, router };
}
