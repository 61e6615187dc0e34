// The line that ends a failed stream is never mistaken for a message, nor a message for it.
import { create, fromJson, type Message } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { expect, test } from "vitest";
import { caught, pairOf, restStack } from "./support/pair.ts";
import { compileContract } from "./support/compile-contract.ts";

const reports = compileContract(`
  syntax = "proto3";
  package reports.v1;
  import "google/api/annotations.proto";
  service Reports {
    rpc Watch(WatchRequest) returns (stream Report) {
      option (google.api.http) = {get: "/v1/reports"};
    }
    rpc Texts(WatchRequest) returns (stream Report) {
      option (google.api.http) = {get: "/v1/texts" response_body: "error"};
    }
  }
  message WatchRequest {}
  message Report { Problem error = 1; }
  message Problem { string code = 1; string detail = 2; }
`);

test.each(["Watch", "Texts"])("messages that look like errors are messages: %s", async (name) => {
  const operation = reports.operation(`reports.v1.Reports.${name}`);
  const report = fromJson(operation.output, { error: { code: "ABORTED", detail: "not really" } });
  async function* answers(): AsyncGenerator<Message> {
    yield report;
    throw new CallError("DATA_LOSS", "really");
  }
  const { client } = await pairOf(restStack, serviceOf(reports, new Map([[operation.id, answers]])));
  const answered = client.prepareStream(operation)([create(operation.input)]);
  const stream = answered[Symbol.asyncIterator]();
  expect((await stream.next()).value).toEqual(report);
  expect(await caught(stream.next())).toMatchObject({ code: "DATA_LOSS", message: "really" });
});
