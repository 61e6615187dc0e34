// Names whose collections callers choose, and that may be below another one: `files/**` as in Firestore.
import { toJson } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { exampleRequests } from "../../src/parts.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { callsTo } from "../support/calls-to.ts";
import { failing, list } from "./library.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.v1;
import "google/api/annotations.proto";
import "google/protobuf/empty.proto";
service Store {
  rpc GetDocument(GetDocumentRequest) returns (Document) { option (google.api.http) = {get: "/v1/{name=bases/*/documents/*/**}"}; }
  rpc ListDocuments(ListDocumentsRequest) returns (ListDocumentsResponse) { option (google.api.http) = {get: "/v1/{parent=bases/*/documents/*/**}/{collection_id}:list"}; }
  rpc CreateDocument(CreateDocumentRequest) returns (Document) { option (google.api.http) = {post: "/v1/{parent=bases/*/documents/**}/{collection_id}" body: "document"}; }
  rpc UpdateDocument(UpdateDocumentRequest) returns (Document) { option (google.api.http) = {patch: "/v1/{document.name=bases/*/documents/*/**}" body: "document"}; }
  rpc DeleteDocument(GetDocumentRequest) returns (google.protobuf.Empty) { option (google.api.http) = {delete: "/v1/{name=bases/*/documents/*/**}"}; }
}
message Document { string name = 1; string text = 2; }
message GetDocumentRequest { string name = 1; }
message ListDocumentsRequest { string parent = 1; string collection_id = 2; }
message ListDocumentsResponse { repeated Document documents = 1; }
message CreateDocumentRequest { string parent = 1; string collection_id = 2; string document_id = 3; Document document = 4; }
message UpdateDocumentRequest { Document document = 1; }
`);

it("is found by the name that its collection and id make, at the top and below another one", async () => {
  const call = callsTo(contract);
  const parent = "bases/b/documents";
  const ada = { name: `${parent}/users/ada`, text: "Ada" };
  const created = { parent, collectionId: "users", documentId: "ada", document: { text: "Ada" } };
  expect(await call("CreateDocument", created)).toEqual(ada);
  expect(await call("GetDocument", { name: ada.name })).toEqual(ada);
  const post = { parent: ada.name, collectionId: "posts", documentId: "1", document: { text: "Hi" } };
  expect(await call("CreateDocument", post)).toEqual({ name: `${ada.name}/posts/1`, text: "Hi" });
  const below = list((await call("ListDocuments", { parent: ada.name, collectionId: "posts" }))["documents"]);
  expect(below).toContainEqual({ name: `${ada.name}/posts/1`, text: "Hi" });
  await expect(call("GetDocument", { name: `${parent}/users` })).rejects.toThrow(failing("NOT_FOUND"));
});

it("has example requests that a fake answers", async () => {
  const example = exampleRequests(contract);
  for (const operation of contract.operations) {
    const request = toJson(operation.input, example(operation));
    // oxlint-disable-next-line no-await-in-loop -- each with resources of its own
    await expect(callsTo(contract)(operation.id, request as never)).resolves.toBeDefined();
  }
});
