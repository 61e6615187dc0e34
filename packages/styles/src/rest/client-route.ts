// One operation as a client calls it: its request, and its answer.
import { jsonMediaType } from "../shared/proto-json/json-text.ts";
import { create, type Message } from "@bufbuild/protobuf";
import {
  type CallOptions,
  ClientSideError,
  type Contract,
  fieldPaths,
  type FieldPaths,
  type HttpBinding,
  type Operation,
} from "@roundtrip/contract";
import { withGatewayMetadata } from "./dialects.ts";
import { errorOf } from "./errors.ts";
import { answerHttpBody, anyType, contentTypeIn, type HttpBodyPlace, setRawBody } from "./raw-bodies.ts";
import { requestWriter, type WriteRequest } from "./requests/request-writer.ts";
import { answersNothing, createdResource, type ReadResponse, responseReader } from "./response-codec.ts";
import { foreignAnswer, reportMetadata, type HttpResponse } from "../shared/http/client.ts";

// The metadata of an answer, which grpc-gateway sends under other names.

/** Reports the metadata of an answer in any dialect. */
export function reportGatewayMetadata(
  options: CallOptions | undefined,
  { headers }: Pick<HttpResponse, "headers">,
): void {
  if (options?.onMetadata !== undefined) reportMetadata(options, { headers: withGatewayMetadata(headers) });
}

// A client's route for an operation, compiled once: writes requests and reads responses.

export interface ClientRoute {
  readonly binding: HttpBinding;
  readonly method: string;
  readonly write: WriteRequest;
  readonly fields: FieldPaths;
  /** The media types that the client accepts for a whole answer. */
  readonly accept: string;
  /** The HttpBody that the body of an answer is; undefined for JSON. */
  readonly rawAnswer: HttpBodyPlace | undefined;
  /** For example `GET /v1/customers/{id}`. */
  readonly name: string;
  /** Reads the message of a response. Throws the CallError in the response, or UNKNOWN if the response does not match the contract. */
  readonly read: (response: HttpResponse) => Message;
}

/** The success statuses. Other dialects answer 200 instead of 201, and 200 with an empty object instead of 204. */
function expectedOf(contract: Contract, operation: Operation): readonly number[] {
  if (answersNothing(operation)) return [204, 200];
  return createdResource(contract, operation, operation.bindings[0]) === undefined ? [200] : [201, 200];
}

const emptyObject = /^\s*(?:\{\s*\}\s*)?$/;

/** Reads an answer of no content. Throws an Error for any content but an empty JSON object. */
function emptyReader({ output }: Operation): ReadResponse {
  return (body) => {
    if (!emptyObject.test(Buffer.from(body).toString("latin1"))) throw new Error("the answer has content");
    return create(output);
  };
}

function bodyReader(contract: Contract, operation: Operation, binding: HttpBinding): ReadResponse {
  // An answer to HEAD has no body (RFC 9110, section 9.3.2).
  if (binding.method === "HEAD") return () => create(operation.output);
  return answersNothing(operation) ? emptyReader(operation) : responseReader(contract, operation, binding);
}

/** A request that cannot be written is the client's own error. */
function writing(write: WriteRequest): WriteRequest {
  return (request) => {
    try {
      return write(request);
    } catch (thrown) {
      throw ClientSideError.of(thrown);
    }
  };
}

export function clientRoute(contract: Contract, operation: Operation): ClientRoute {
  const [binding] = operation.bindings;
  const readBody = bodyReader(contract, operation, binding);
  const rawAnswer = binding.method === "HEAD" ? undefined : answerHttpBody(operation, binding);
  const expected = expectedOf(contract, operation);
  const fields = fieldPaths(operation.input, ({ jsonName }) => jsonName);
  const name = `${binding.method} ${binding.path.source}`;
  return {
    binding,
    // `*` in a contract's custom method means any method.
    method: binding.method === "*" ? "POST" : binding.method,
    write: writing(requestWriter(contract, operation, binding)),
    fields,
    accept: rawAnswer === undefined ? jsonMediaType : anyType,
    rawAnswer,
    name,
    read: (response) => {
      if (response.status >= 400) throw fields.restored(errorOf(response));
      if (!expected.includes(response.status)) throw foreignAnswer(response, name, undefined);
      if (rawAnswer !== undefined) {
        const message = create(operation.output);
        setRawBody(message, rawAnswer, { type: contentTypeIn(response), bytes: response.body });
        return message;
      }
      try {
        return readBody(response.body);
      } catch (thrown) {
        throw foreignAnswer(response, name, thrown);
      }
    },
  };
}
