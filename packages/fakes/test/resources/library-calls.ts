// Calls to a fake of the library contract, by method names and in JSON.
import { fromJson, toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { ServerCall } from "@roundtrip/contract";
import { expect } from "vitest";
import { generatedService } from "../../src/generated/generated-service.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { library } from "./library.ts";

export const contract = compileContract(library);

export type Call = (method: string, request?: JsonObject) => Promise<JsonObject>;

/** A session of its own. */
export function session(seed = 1): Call {
  const service = generatedService(contract, seed);
  return async (method, request = {}) => {
    const operation = contract.operations.find(({ method: { name } }) => name === method);
    if (operation === undefined) throw new Error(`no method ${method}`);
    const answer = await service.call(operation, fromJson(operation.input, request), new ServerCall());
    return toJson(operation.output, answer) as JsonObject;
  };
}

/** Matches a CallError with this code and these details. */
export function failing(code: string, details: object = {}): object {
  return expect.objectContaining({ code, details: expect.objectContaining(details) as object }) as object;
}

/** A list of messages in an answer; empty if the field is missing. */
export function list(value: JsonValue | undefined): readonly JsonObject[] {
  return (value ?? []) as unknown as readonly JsonObject[];
}
