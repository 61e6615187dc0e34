// Calls a fake of a contract that a test brings along, by method names and in JSON.
import { fromJson, toJson, type JsonObject } from "@bufbuild/protobuf";
import { type Contract, ServerCall, type Service } from "@roundtrip/contract";
import { generatedService } from "../../src/generated/generated-service.ts";

export type Call = (method: string, request?: JsonObject) => Promise<JsonObject>;

/** A session of its own. A method's name may have its service before it: `Things.Get`. */
export function callsTo(contract: Contract, seed = 1, service: Service = generatedService(contract, seed)): Call {
  return async (name, request = {}) => {
    const operation = contract.operations.find(({ id }) => id === name || id.endsWith(`.${name}`));
    if (operation === undefined) throw new Error(`no method ${name}`);
    const json = { registry: contract.registry };
    const answer = await service.call(operation, fromJson(operation.input, request, json), new ServerCall());
    return toJson(operation.output, answer, json) as JsonObject;
  };
}
