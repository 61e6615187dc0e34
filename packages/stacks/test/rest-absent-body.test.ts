// A line of a stream over REST whose body is one field that the request does not have.
import { create, type Message } from "@bufbuild/protobuf";
import type { StreamHandler } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { expect, test } from "vitest";
import { compileContract } from "./support/compile-contract.ts";
import { pairOf, restStack } from "./support/pair.ts";

const meetings = compileContract(`
  syntax = "proto3";
  package meetings.v1;
  import "google/api/annotations.proto";
  service Meetings {
    rpc Last(stream Meeting) returns (Meeting) { option (google.api.http) = {post: "/meetings", body: "place"}; }
  }
  message Place { string name = 1; }
  message Meeting { oneof where { Place place = 1; string link = 2; } }
`);
const last = meetings.operation("meetings.v1.Meetings.Last");

async function* echoLast(requests: AsyncIterable<Message>) {
  let heard = create(last.output);
  for await (const request of requests) heard = request;
  yield heard;
}

test("is null, which chooses no member of a oneof: another may be chosen beside it", async () => {
  const service = serviceOf(meetings, new Map<string, StreamHandler>([[last.id, echoLast]]));
  const { client } = await pairOf(restStack, service);
  for (const where of [{ case: "place", value: { name: "" } }, { case: "link", value: "" }, undefined]) {
    const meeting = create(last.input, where === undefined ? {} : { where });
    const answers: Message[] = [];
    for await (const answer of client.prepareStream(last)([meeting])) answers.push(answer);
    expect(answers).toStrictEqual([meeting]);
  }
});
