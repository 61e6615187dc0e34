// Serves a contract as JSON-RPC 2.0 on node:http, without a library.
import { answerDirectly } from "@roundtrip/styles/json-rpc/server";
import { jsonRpcBy } from "../serve-json-rpc.ts";

export const serve = jsonRpcBy(answerDirectly);
