// Which stack the tests of a style run on: its default, unless `REST_STACK`, `JSON_RPC_STACK` and so on name another.
import { allStacks, coveringStacks, type KnownStack } from "../../src/index.ts";

export const restStack = process.env["REST_STACK"] ?? "rest-express";
export const graphqlStack = process.env["GRAPHQL_STACK"] ?? "graphql-apollo";
export const grpcStack = process.env["GRPC_STACK"] ?? "grpc-js";
export const jsonRpcStack = process.env["JSON_RPC_STACK"] ?? "json-rpc-2";
export const soapStack = process.env["SOAP_STACK"] ?? "soap-node-http";

/** The default stack of each style. */
export function defaultStacks(): readonly KnownStack[] {
  return allStacks().filter(({ isDefault }) => isDefault);
}

/** The stacks for tests of every server and client: the default ones, or with `ROUNDTRIP_STACKS=all` as many as have every server and every client. */
export function stacksUnderTest(): readonly KnownStack[] {
  return process.env["ROUNDTRIP_STACKS"] === "all" ? coveringStacks() : defaultStacks();
}
