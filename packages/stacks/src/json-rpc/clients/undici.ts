// The JSON-RPC client on undici, without a library for JSON-RPC.
import { jsonRpcClient } from "@roundtrip/styles/json-rpc/client";
import { connectOver } from "../../shared/calls.ts";
import { undiciTransport } from "../../shared/undici/undici-transport.ts";

export const connect = connectOver(jsonRpcClient, undiciTransport);
