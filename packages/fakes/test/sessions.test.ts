// Assigns calls to sessions.
import { create } from "@bufbuild/protobuf";
import { builtInContract, handlersOf, only, ServerCall, withMetadata } from "@roundtrip/contract";
import {
  HelloService,
  SayHelloRequestSchema,
  SayHelloResponseSchema,
} from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { describe, expect, it } from "vitest";
import { type FakeSession, maxSessions, nothingOwn, sessionsOf } from "../src/fake/sessions.ts";
import { memoryClient } from "../src/memory/memory-client.ts";
import { CallLog } from "../src/log/call-log.ts";
import { sessionMetadataName } from "../src/basics/names.ts";

const contract = builtInContract();
const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");

/** Each answers with its name and its number of calls. */
function sessions() {
  const made: string[] = [];
  const gone: string[] = [];
  const make = (name: string): FakeSession => {
    made.push(name);
    let calls = 0;
    const answer = () => {
      calls += 1;
      return create(SayHelloResponseSchema, { message: `${name} ${calls}` });
    };
    const service = serviceOf(contract, handlersOf(HelloService, { sayHello: answer }));
    return {
      name,
      service,
      log: new CallLog(contract),
      own: nothingOwn,
      use: () => undefined,
      reset: () => (calls = 0),
    };
  };
  const all = sessionsOf(contract, make, ({ name }) => gone.push(name));
  const client = memoryClient(() => all.service);
  const call = async (session: string | undefined): Promise<string> => {
    const named = session === undefined ? client : withMetadata(client, new Map([[sessionMetadataName, session]]));
    const answer = await named.prepare(sayHello)(create(SayHelloRequestSchema, { name: "World" }));
    return (answer as unknown as { readonly message: string }).message;
  };
  return { all, made, gone, call };
}

describe("sessions", () => {
  it("answer each call in the session that it names", async () => {
    const { call } = sessions();
    expect(await call("a")).toBe("a 1");
    expect(await call("b")).toBe("b 1");
    expect(await call("a")).toBe("a 2");
  });

  it("share the session with the empty name among calls without a name", async () => {
    const { all, call } = sessions();
    expect(await call(undefined)).toBe(" 1");
    expect(await call("")).toBe(" 2");
    expect(all.names).toEqual([""]);
  });

  it("are created when their name first occurs", async () => {
    const { made, call } = sessions();
    expect(made).toEqual([]);
    await call("a");
    await call("a");
    expect(made).toEqual(["a"]);
  });

  it("remove the least recently used one when there are too many", async () => {
    const { all, gone, call } = sessions();
    for (let number = 1; number <= maxSessions; number += 1) await call(String(number));
    await call("1");
    await call("one more");
    expect(gone).toEqual(["2"]);
    expect(all.names).toHaveLength(maxSessions);
    expect(await call("1")).toBe("1 3");
    expect(await call("2")).toBe("2 1");
  });

  it("reject a name that is too long", async () => {
    const { all, call } = sessions();
    await expect(call("x".repeat(257))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const [download] = contract.operations.filter(({ kind }) => kind === "server_streaming");
    const longName = new ServerCall(undefined, new Map([[sessionMetadataName, "x".repeat(257)]]));
    const chunks = all.service.stream(download ?? sayHello, only(create(SayHelloRequestSchema)), longName);
    await expect(Array.fromAsync(chunks)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(all.names).toEqual([]);
  });
});
