// The cases that a stack is known to fail, each with the reason. The suite fails if such a case passes.
import type { KnownDeviation } from "./run-conformance.ts";

const graphql = "graphql-apollo";

/** All known deviations. Each is a defect to remove if possible. */
export const knownDeviations: readonly KnownDeviation[] = [
  { stack: graphql, caseId: "RT-0155", reason: "a GraphQL enum has only the values in its schema" },
  { stack: graphql, caseId: "RT-0182", reason: "a GraphQL query names each level that it asks for" },
  { stack: graphql, caseId: "RT-0194", reason: "a GraphQL answer has null for null and for absent values" },
  {
    stack: graphql,
    caseId: "RT-1603",
    reason: "signed 32-bit integers are GraphQL's own Int, which accepts numbers only",
  },
  {
    stack: "grpc-js",
    caseId: "RT-1214",
    reason: "@grpc/grpc-js answers a malformed grpc-timeout itself, as INTERNAL, before a service can",
  },
];
