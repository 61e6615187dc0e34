// Params by name: the fields of a request message in ProtoJSON.
import { create, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { CallError, isObject, isOneJsonValue, type Contract, type Operation } from "@roundtrip/contract";
import { badJson } from "../shared/proto-json/bad-request.ts";
import { faultIn } from "../shared/proto-json/fault-in.ts";
import { messageFromJson } from "../shared/proto-json/message-from-json.ts";
import { messageToJson, needsRegistry } from "../shared/proto-json/message-to-json.ts";

/** The name of the only parameter if a message is not an object in JSON; google.protobuf.Any has the same name for it. */
export const onlyParam = "value";

/** Throws an Error for values that JSON cannot express. */
export type WriteParams = (request: Message) => JsonObject;

export function paramsWriter({ registry }: Contract, { input }: Operation): WriteParams {
  const write = messageToJson(input, needsRegistry(input) ? { registry } : undefined);
  if (isOneJsonValue(input)) return (request) => ({ [onlyParam]: write(request) });
  return (request) => write(request) as JsonObject;
}

/** Reads params; undefined is an empty message. Throws INVALID_ARGUMENT that names the field. */
export type ReadParams = (params: JsonValue | undefined) => Message;

export function paramsReader({ registry }: Contract, { input }: Operation): ReadParams {
  const options = { registry };
  const readMessage: (json: JsonValue) => Message = messageFromJson(input, options);
  const read = (json: JsonValue): Message => {
    try {
      return readMessage(json);
    } catch (thrown) {
      throw badJson(faultIn(input, json, options) ?? { path: undefined, thrown });
    }
  };
  const isAlone = isOneJsonValue(input);
  return (params) => {
    if (params === undefined) return create(input);
    if (!isObject(params)) throw new CallError("INVALID_ARGUMENT", "params must be an object: parameters have names");
    if (!isAlone) return read(params);
    const unknown = Object.keys(params).find((name) => name !== onlyParam);
    if (unknown !== undefined) throw badJson({ path: unknown, thrown: new Error(`key "${unknown}" is unknown`) });
    const value = params[onlyParam];
    return value === undefined ? create(input) : read(value);
  };
}
