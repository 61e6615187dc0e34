// JSON-RPC 2.0: one path, methods by name, params in ProtoJSON.
import { isOneJsonValue, type Operation } from "@roundtrip/contract";
import type { Limitation, OperationView, Style } from "../basics/style.ts";
import { methodName, onlyParam, openRpcPath, rpcPath } from "./messages.ts";
import { lostNames, lostStreams } from "../shared/limitations.ts";

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

const oneResponse =
  "a JSON-RPC request has one response object, and the specification has no stream; over HTTP a server cannot send notifications";
const oneRequest = "a JSON-RPC request is one object; no further message can follow it";

export const limitations = [
  { feature: "serverStream", reason: oneResponse },
  { feature: "clientStream", reason: oneRequest },
  { feature: "bidiStream", reason: oneRequest },
] as const satisfies readonly Limitation[];

export const style: Style = {
  name: "json-rpc",
  title: "JSON-RPC",
  role: "style",
  libraries: ["@bufbuild/protobuf"],
  limitations,
  serverSettings: [],
  deviations: [],
  missingOperationReasons: [],
  autocannon: true,
  k6: { module: "http", message: ["result"], error: ["error"], codes: [["data", "code"]] },
  // JSON-RPC defines no health check, and calls need POST; this is the only GET request that is answered.
  endpoint: rpcPath,
  health: { protocol: "http", path: openRpcPath, headers: {} },
  // The address of a server includes the path of the page.
  documentPaths: [rpcPath, openRpcPath],
  inspection: { kind: "page", title: "JSON-RPC page", path: "" },
  view: viewOf,
  async documents(contract) {
    const { openRpcText } = await import("./openrpc.ts");
    return [{ fileName: "openrpc.json", text: openRpcText(contract) }];
  },
};
