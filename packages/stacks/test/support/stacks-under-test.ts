// Which stack the tests of a style run on: its default, unless `REST_STACK`, `JSON_RPC_STACK` and so on name another.
export const restStack = process.env["REST_STACK"] ?? "rest-express";
export const graphqlStack = process.env["GRAPHQL_STACK"] ?? "graphql-apollo";
export const grpcStack = process.env["GRPC_STACK"] ?? "grpc-js";
export const jsonRpcStack = process.env["JSON_RPC_STACK"] ?? "json-rpc-2";
export const soapStack = process.env["SOAP_STACK"] ?? "soap-node-http";
