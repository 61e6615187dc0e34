// What depends on the module with which k6 makes the calls of a style; the script has the rest (`modules` in calls.js).
import type { Contract } from "@roundtrip/contract";
import type { K6Calls } from "@roundtrip/styles";
import { grpcWriter, httpWriter, type StepWriter } from "./k6-requests.ts";
import type { RequestTable } from "./request-table.ts";

interface K6Module {
  /** The end of the names of variables with addresses. */
  readonly variable: string;
  /** What addresses begin with, before host and port. */
  readonly scheme: string;
  readonly order: number;
  /** The port of servers in a cluster, and Kubernetes' name for their protocol. */
  readonly port: number;
  readonly appProtocol: string;
  readonly stepWriter: (contract: Contract, stack: string, table: RequestTable) => Promise<StepWriter>;
}

export const k6Modules: Readonly<Record<K6Calls["module"], K6Module>> = {
  grpc: {
    variable: "TARGET",
    scheme: "",
    order: 0,
    port: 50_051,
    appProtocol: "kubernetes.io/h2c",
    stepWriter: (contract, _stack, table) => Promise.resolve(grpcWriter(contract, table)),
  },
  http: { variable: "URL", scheme: "http://", order: 1, port: 8080, appProtocol: "http", stepWriter: httpWriter },
};
