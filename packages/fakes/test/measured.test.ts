// The fakes of two versions of a contract, which are compared with each other: they differ in what one contract lacks, and in nothing else.
import { create, toJson, type JsonObject } from "@bufbuild/protobuf";
import { ServerCall, type Contract } from "@roundtrip/contract";
import { describe, expect, it } from "vitest";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { versionFake } from "../src/measured.ts";

const before = `syntax = "proto3";
package shop.v1;
service Shop {
  rpc ListThings(ListThingsRequest) returns (ListThingsResponse);
  rpc WatchThings(ListThingsRequest) returns (stream Thing);
  rpc Close(ListThingsRequest) returns (Thing);
}
message Thing { string id = 1; string name = 2; repeated string tags = 3; }
message ListThingsRequest { int32 page_size = 1; }
message ListThingsResponse { repeated Thing things = 1; string next_page_token = 2; }
`;
const after = before
  .replace("string name = 2;", "repeated int64 prices = 4; string name = 2;")
  .replace(/ +rpc Close.*\n/, "");

const [old, newest] = [compileContract(before), compileContract(after)];

async function answers(contract: Contract, method: string): Promise<readonly JsonObject[]> {
  const service = versionFake(contract, undefined, newest);
  const operation = contract.operation(`shop.v1.Shop.${method}`);
  const request = create(operation.input, { pageSize: 3 });
  const asJson = (message: Parameters<typeof toJson>[1]): JsonObject => toJson(operation.output, message) as JsonObject;
  if (operation.kind === "unary") {
    return [asJson(await service.call(operation, request, new ServerCall()))];
  }
  const requests = (async function* () {
    yield request;
  })();
  const found: JsonObject[] = [];
  for await (const answer of service.stream(operation, requests, new ServerCall())) found.push(asJson(answer));
  return found;
}

/** Without the new field. */
function withoutPrices(json: readonly JsonObject[]): unknown {
  return JSON.parse(JSON.stringify(json), (key, value: unknown) => (key === "prices" ? undefined : value));
}

describe("the fakes of two versions of a contract", () => {
  it.each(["ListThings", "WatchThings"])("give the same answers but for what one lacks (%s)", async (method) => {
    const [ofOld, ofNewest] = [await answers(old, method), await answers(newest, method)];
    expect(JSON.stringify(ofNewest)).toContain("prices");
    expect(ofOld).toEqual(withoutPrices(ofNewest));
  });

  it("answer equal requests alike, and nothing that the newest lacks", async () => {
    expect(await answers(newest, "ListThings")).toEqual(await answers(newest, "ListThings"));
    await expect(answers(old, "Close")).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
  });
});
