// Long-running operations: a fake starts them, and they end with the message that the contract names.
import { describe, expect, it } from "vitest";
import { exampleRequests } from "../src/parts.ts";
import { toJson, type JsonObject } from "@bufbuild/protobuf";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { failing } from "./resources/library.ts";
import { callsTo } from "./support/calls-to.ts";

function source(operations: string): string {
  return `
syntax = "proto3";
package acme.v1;
import "google/api/annotations.proto";
${operations}
import "google/protobuf/empty.proto";
service Clusters {
  rpc GetCluster(GetClusterRequest) returns (Cluster) { option (google.api.http) = {get: "/v1/{name=projects/*/clusters/*}"}; }
  rpc ListClusters(ListClustersRequest) returns (ListClustersResponse) { option (google.api.http) = {get: "/v1/{parent=projects/*}/clusters"}; }
  rpc CreateCluster(CreateClusterRequest) returns (google.longrunning.Operation) {
    option (google.api.http) = {post: "/v1/{parent=projects/*}/clusters" body: "cluster"};
    option (google.longrunning.operation_info) = {response_type: "Cluster" metadata_type: "acme.v1.Progress"};
  }
  rpc DeleteCluster(GetClusterRequest) returns (google.longrunning.Operation) {
    option (google.api.http) = {delete: "/v1/{name=projects/*/clusters/*}"};
    option (google.longrunning.operation_info) = {response_type: "google.protobuf.Empty" metadata_type: "Progress"};
  }
  rpc ExportClusters(ListClustersRequest) returns (google.longrunning.Operation) {
    option (google.longrunning.operation_info) = {response_type: "ExportClustersResponse" metadata_type: "Progress"};
  }
}
message Cluster { string name = 1; string title = 2; }
message Progress { string target = 1; int32 percent = 2; }
message GetClusterRequest { string name = 1; }
message ListClustersRequest { string parent = 1; }
message ListClustersResponse { repeated Cluster clusters = 1; }
message CreateClusterRequest { string parent = 1; string cluster_id = 2; Cluster cluster = 3; string request_id = 4; }
message ExportClustersResponse { int32 count = 1; }
`;
}

const contract = compileContract(source('import "google/longrunning/operations.proto";'));

const create = { parent: "projects/p", clusterId: "a", cluster: { title: "A" } };

describe("an operation", () => {
  it("runs at first, has metadata, and has ended with its response when it is next read", async () => {
    const call = callsTo(contract);
    const started = await call("CreateCluster", create);
    expect(started).toMatchObject({
      name: "operations/create-cluster-1",
      metadata: { "@type": "type.googleapis.com/acme.v1.Progress" },
    });
    expect(started).not.toHaveProperty("done");
    const name = started["name"] as string;
    const ended = await call("GetOperation", { name });
    const cluster = { name: "projects/p/clusters/a", title: "A" };
    expect(ended).toEqual({
      name,
      metadata: started["metadata"],
      done: true,
      response: { "@type": "type.googleapis.com/acme.v1.Cluster", ...cluster },
    });
    expect(await call("GetOperation", { name })).toEqual(ended);
    expect(await call("GetCluster", { name: cluster.name })).toEqual(cluster);
  });

  it("is of a made-up answer, or of nothing, as the contract says", async () => {
    const call = callsTo(contract);
    const { name = "" } = await call("ExportClusters", { parent: "projects/p" });
    const exported = await call("WaitOperation", { name });
    expect(exported).toMatchObject({ done: true, response: { count: expect.any(Number) as number } });
    const deleting = await call("DeleteCluster", { name: "projects/project-1/clusters/cluster-1" });
    const deleted = await call("GetOperation", { name: deleting["name"] ?? "" });
    expect(deleted["response"]).toEqual({ "@type": "type.googleapis.com/google.protobuf.Empty" });
    const get = call("GetCluster", { name: "projects/project-1/clusters/cluster-1" });
    await expect(get).rejects.toThrow(failing("NOT_FOUND"));
  });

  it("is started once by concurrent requests with one id", async () => {
    const call = callsTo(contract);
    const parent = "projects/p";
    const clusters = async () => (await call("ListClusters", { parent }))["clusters"];
    const { length } = (await clusters()) as readonly unknown[];
    const named = { parent, requestId: "r-1" };
    const [first, second] = await Promise.all([call("CreateCluster", named), call("CreateCluster", named)]);
    expect(second).toEqual(first);
    expect(await call("CreateCluster", named)).toEqual(first);
    expect(await clusters()).toHaveLength(length + 1);
  });

  it("is tried anew by requests with the id of one that fails", async () => {
    const call = callsTo(contract);
    await call("CreateCluster", create);
    const again = { ...create, requestId: "r-1" };
    const failed = await Promise.allSettled([call("CreateCluster", again), call("CreateCluster", again)]);
    const exists = { reason: { code: "ALREADY_EXISTS" } };
    expect(failed).toMatchObject([exists, exists]);
    await call("DeleteCluster", { name: "projects/p/clusters/a" });
    expect(await call("CreateCluster", again)).toHaveProperty("name");
  });

  it("does not exist if its method fails", async () => {
    const call = callsTo(contract);
    await call("CreateCluster", create);
    await expect(call("CreateCluster", create)).rejects.toThrow(failing("ALREADY_EXISTS"));
    const { operations } = await call("ListOperations", { name: "operations" });
    expect((operations as JsonObject[]).filter(({ name }) => (name as string).includes("create"))).toHaveLength(1);
  });

  it("is cancelled, listed and deleted", async () => {
    const call = callsTo(contract);
    const { name = "" } = await call("CreateCluster", create);
    expect(await call("CancelOperation", { name })).toEqual({});
    expect(await call("GetOperation", { name })).toMatchObject({ done: true, error: { code: 1 } });
    const page = await call("ListOperations", { name: "operations", pageSize: 3 });
    expect(page["operations"]).toHaveLength(3);
    const rest = await call("ListOperations", { name: "operations", pageToken: page["nextPageToken"] ?? "" });
    expect(rest["operations"]).toEqual([expect.objectContaining({ name })]);
    await call("DeleteOperation", { name });
    await expect(call("GetOperation", { name })).rejects.toThrow(failing("NOT_FOUND"));
  });

  it("has ended at once if the contract has no method to read it", async () => {
    // The declarations alone, as a contract has them that is served without the service of operations.
    const plain = contract.operations.filter(({ method }) => method.parent.name === "Clusters");
    const call = callsTo({ ...contract, operations: plain });
    expect(await call("CreateCluster", create)).toMatchObject({ done: true, response: { title: "A" } });
  });
});

it("has example requests that are answered", async () => {
  const call = callsTo(contract);
  const example = exampleRequests(contract);
  for (const operation of contract.operations) {
    const request = toJson(operation.input, example(operation), { registry: contract.registry }) as JsonObject;
    // oxlint-disable-next-line no-await-in-loop -- one after the other: they change the same resources
    await expect(call(operation.id, request)).resolves.toBeDefined();
  }
});

it("names an operation below its resource where the contract reads it there", async () => {
  const own = compileContract(
    source('import "google/longrunning/operations.proto";').replace(
      "service Clusters {",
      `service Clusters {
  rpc GetOperation(google.longrunning.GetOperationRequest) returns (google.longrunning.Operation) {
    option (google.api.http) = {get: "/v1/{name=projects/*/operations/*}"};
  }`,
    ),
  );
  const call = callsTo(own);
  const { name = "" } = await call("CreateCluster", create);
  expect(name).toBe("projects/p/operations/create-cluster-1");
  expect(await call("Clusters.GetOperation", { name })).toMatchObject({ done: true });
});
