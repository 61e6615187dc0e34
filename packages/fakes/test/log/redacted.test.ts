// Fields that the contract hides appear in no log.
import { create, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { CallError, ServerCall } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { expect, it } from "vitest";
import { CallLog } from "../../src/log/call-log.ts";
import { logging } from "../../src/log/logged-call.ts";
import { secretiveContract } from "../support/secretive-contract.ts";

const contract = secretiveContract();
const signIn = contract.operation("acme.v1.Door.SignIn");

/** The logged request and its answer with a token. */
async function shownOf(request: JsonObject) {
  const { registry } = contract;
  const log = new CallLog(contract);
  const answer = fromJson(signIn.output, { token: "hush" });
  const service = logging(log, "")(serviceOf(contract, new Map([[signIn.id, () => answer]])));
  await service.call(signIn, fromJson(signIn.input, request, { registry }), new ServerCall());
  const [record] = log.records;
  expect(JSON.stringify(record)).not.toContain("hush");
  return record;
}

it("masks texts, and removes other hidden values", async () => {
  const record = await shownOf({ user: "ada", password: "hush", pin: 4711, hidden: { label: "hush" } });
  expect(record?.requests).toEqual([{ user: "ada", password: "[redacted]" }]);
  expect(record?.responses).toEqual([{ token: "[redacted]" }]);
});

it("masks them at any depth", async () => {
  const inner = { text: "hush", label: "seen", next: { text: "hush" } };
  const masked = { text: "[redacted]", label: "seen", next: { text: "[redacted]" } };
  const record = await shownOf({ secret: inner, secrets: [inner, inner], byName: { one: inner } });
  expect(record?.requests).toEqual([{ secret: masked, secrets: [masked, masked], byName: { one: masked } }]);
});

it("masks them in messages of any type", async () => {
  const type = "type.googleapis.com/acme.v1.Secret";
  const record = await shownOf({ any: { "@type": type, text: "hush", label: "seen" } });
  expect(record?.requests).toEqual([{ any: { "@type": type, text: "[redacted]", label: "seen" } }]);
});

it("counts the bytes of the original message", async () => {
  expect(await shownOf({ password: "hush-hush" })).toMatchObject({ requestBytes: 11 });
});

/** Fails with hidden values in the error. */
function refuse(): never {
  throw new CallError("INVALID_ARGUMENT", "not so", {
    metadata: { password: "hush", user: "ada" },
    violations: [
      { field: "password", description: "hush is too short", reason: "length" },
      { field: "secrets[1].next.text", description: "hush is too long", reason: "length" },
      { field: "user", description: "ada is no user", reason: "unknown" },
      { field: "nothing.of.it", description: "is not there", reason: "unknown" },
    ],
  });
}

it("masks hidden fields in error details", async () => {
  const log = new CallLog(contract);
  const service = logging(log, "")(serviceOf(contract, new Map([[signIn.id, refuse]])));
  await expect((async () => service.call(signIn, create(signIn.input), new ServerCall()))()).rejects.toThrow("not so");
  const [record] = log.records;
  expect(JSON.stringify(record)).not.toContain("hush");
  expect(record?.details).toEqual({
    metadata: { password: "[redacted]", user: "ada" },
    violations: [
      { field: "password", description: "[redacted]", reason: "length" },
      { field: "secrets[1].next.text", description: "[redacted]", reason: "length" },
      { field: "user", description: "ada is no user", reason: "unknown" },
      { field: "nothing.of.it", description: "is not there", reason: "unknown" },
    ],
  });
});
