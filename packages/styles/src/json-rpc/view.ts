// One operation as a user of JSON-RPC writes it, and what JSON-RPC loses of it.
import { isOneJsonValue, type Operation } from "@roundtrip/contract";
import type { OperationView } from "../basics/style.ts";
import { lostNames } from "../shared/lost-names.ts";
import { lostStreams } from "../shared/streams.ts";
import { methodName } from "./method-name.ts";
import { onlyParam } from "./params.ts";

/** For example `roundtrip.v1.CustomerService.GetCustomer({id, readMask})`. */
export function viewOf(operation: Operation): OperationView {
  const { input, kind } = operation;
  if (kind !== "unary") return { signature: "", lost: lostStreams(operation) };
  const names = isOneJsonValue(input) ? [onlyParam] : input.fields.map(({ jsonName }) => jsonName);
  return {
    signature: `${methodName(operation)}(${names.length === 0 ? "" : `{${names.join(", ")}}`})`,
    lost: lostNames(operation),
  };
}
