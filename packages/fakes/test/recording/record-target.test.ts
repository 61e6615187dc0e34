// Answers of a real target are replayed over any style, without the target.
import { create, type Message } from "@bufbuild/protobuf";
import {
  builtInContract,
  builtInImage,
  CallError,
  type Client,
  contractFromImage,
  keepUnknownFields,
  type Operation,
} from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { realService, bearerAuthentication, staticTokens } from "@roundtrip/service";
import { connectDefaults, loadConnect, loadServe, serveDefaults } from "@roundtrip/stacks";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { memoryClient } from "@roundtrip/stacks/memory";
import { recordTarget, requireReachable } from "../../src/recording/record-target.ts";
import { replaying } from "../../src/recording/replay.ts";
import { startFake } from "../../src/fake/start-fake.ts";
import { parseStubs, writeStubs } from "../../src/stubs/read-stubs.ts";
import type { Stub } from "../../src/stubs/stub-schema.ts";
import { secretiveContract } from "../support/secretive-contract.ts";

const contract = builtInContract();
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const setName = contract.operation("roundtrip.v1.CustomerService.SetCustomerName");
const download = contract.operation("roundtrip.v1.PayloadService.Download");
const upload = contract.operation("roundtrip.v1.PayloadService.Upload");

type Init = Readonly<Record<string, unknown>>;

/** The outcome of a call in a comparable form. */
async function outcome(client: Client, operation: Operation, ...inits: readonly Init[]): Promise<unknown> {
  const requests = inits.map((init) => create(operation.input, init));
  try {
    if (operation.kind !== "unary") return await Array.fromAsync(client.prepareStream(operation)(requests));
    return await client.prepare(operation)(requests[0] as Message);
  } catch (thrown) {
    const { code, message, details } = thrown as CallError;
    return { code, message, details };
  }
}

/** A recorder in front of the real service. */
function recorder() {
  const real = realService(contract);
  const target = recordTarget(memoryClient(() => real));
  return { target, client: memoryClient(() => target) };
}

function replayed(stubs: readonly Stub[]): Client {
  const service = replaying(contract, stubs)(realService(contract));
  return memoryClient(() => service);
}

describe("a recording", () => {
  it.each(["a\u0000b", "\u001B[31mred", "a\rb\r\nc\n", " a\u0085\u2028\u202E ", "{{request.id}}"])(
    "replays an error with the message %j",
    async (message) => {
      const failing = serviceOf(
        contract,
        new Map([[getCustomer.id, () => Promise.reject(new CallError("ABORTED", message))]]),
      );
      const target = recordTarget(memoryClient(() => failing));
      const live = await outcome(
        memoryClient(() => target),
        getCustomer,
        { id: 1 },
      );
      expect(live).toMatchObject({ code: "ABORTED", message });
      const stubs = parseStubs(writeStubs(target.recording.stubs), "recording.yaml", contract);
      expect(await outcome(replayed(stubs), getCustomer, { id: 1 })).toEqual(live);
    },
  );

  it("replays the target's answers, errors and streams included", async () => {
    const { target, client } = recorder();
    const script: readonly (readonly [Operation, ...Init[]])[] = [
      [getCustomer, { id: 1 }],
      [getCustomer, { id: 1, readMask: { paths: ["name"] } }],
      [getCustomer, { id: 4711 }],
      [getCustomer, { id: -1 }],
      [setName, { id: 1, name: "Ada" }],
      [getCustomer, { id: 1 }],
      [download, { sizeBytes: 10, chunkBytes: 4 }],
      [upload, { data: new Uint8Array(3) }, { data: new Uint8Array(4) }],
    ];
    const heard: unknown[] = [];
    for (const [operation, ...inits] of script) heard.push(await outcome(client, operation, ...inits));
    const again = replayed(parseStubs(writeStubs(target.recording.stubs), "recording.yaml", contract));
    const heardAgain: unknown[] = [];
    for (const [operation, ...inits] of script) heardAgain.push(await outcome(again, operation, ...inits));
    expect(heardAgain).toEqual(heard);
    expect(target.recording.omitted).toBe(0);
  });

  it("is a readable stub file", async () => {
    const { target, client } = recorder();
    await outcome(client, getCustomer, { id: 2, readMask: { paths: ["name"] } });
    await outcome(client, getCustomer, { id: 4711 });
    expect(writeStubs(target.recording.stubs)).toBe(`- operation: roundtrip.v1.CustomerService.GetCustomer
  when:
    id: 2
    readMask: name
  response:
    name: Customer number 2
- operation: roundtrip.v1.CustomerService.GetCustomer
  when:
    id: 4711
    readMask: null
  error:
    code: NOT_FOUND
    message: there is no customer 4711
    details:
      reason: CUSTOMER_NOT_FOUND
      domain: roundtrip.dev
      metadata:
        id: "4711"
`);
  });

  it("does not make up unrecorded answers", async () => {
    const { target, client } = recorder();
    await outcome(client, getCustomer, { id: 1 });
    const again = replayed(target.recording.stubs);
    expect(await outcome(again, getCustomer, { id: 2 })).toMatchObject({
      code: "FAILED_PRECONDITION",
      message: `the recording has no call of ${getCustomer.id} with {"id":2}, but has 1 other request of it`,
      details: { reason: "NOT_RECORDED" },
    });
    expect(await outcome(again, download, { sizeBytes: 3 })).toMatchObject({
      code: "FAILED_PRECONDITION",
      message: `the recording has no call of ${download.id} with {"sizeBytes":3}, and no other call of it`,
    });
  });

  it("restarts in every session", async () => {
    const { target, client } = recorder();
    await outcome(client, getCustomer, { id: 1 });
    await outcome(client, setName, { id: 1, name: "Ada" });
    const after = await outcome(client, getCustomer, { id: 1 });
    const replay = replaying(contract, target.recording.stubs);
    const behind = () => replay(realService(contract));
    await using fake = await startFake(contract, { stacks: [], behind });
    const [first, second] = [await fake.session("1").connect("memory"), await fake.session("2").connect("memory")];
    await outcome(first, getCustomer, { id: 1 });
    expect(await outcome(first, getCustomer, { id: 1 })).toEqual(after);
    expect(await outcome(second, getCustomer, { id: 1 })).not.toEqual(after);
  });

  it("keeps a repeated answer once", async () => {
    const { target, client } = recorder();
    for (let time = 0; time < 5; time += 1) await outcome(client, getCustomer, { id: 1 });
    expect(target.recording.stubs).toMatchObject([{ response: { id: 1 } }]);
  });

  it("stays within the size that can be read", async () => {
    const { target, client } = recorder();
    for (let sizeBytes = 1_000_000; sizeBytes < 1_000_006; sizeBytes += 1) {
      await outcome(client, download, { sizeBytes, chunkBytes: 500_000 });
    }
    expect(target.recording.omitted).toBe(3);
    expect(() => parseStubs(writeStubs(target.recording.stubs), "recording.yaml", contract)).not.toThrow();
  });

  it("contains no fields that the contract hides", async () => {
    const secretive = secretiveContract();
    const signIn = secretive.operation("acme.v1.Door.SignIn");
    await using fake = await startFake(secretive, { stacks: [] });
    const target = recordTarget(await fake.connect("memory"));
    const secret = { text: "hush", label: "seen" };
    const request = { user: "ada", password: "hush", pin: 4711, secret, secrets: [secret] };
    await outcome(
      memoryClient(() => target),
      signIn,
      request,
    );
    const text = writeStubs(target.recording.stubs);
    expect(text).toContain("ada");
    expect(text).not.toMatch(/hush|4711/);
    const again = memoryClient(() => replaying(secretive, parseStubs(text, "recording.yaml", secretive))(target));
    expect(await outcome(again, signIn, request)).toMatchObject({ token: "[redacted]" });
  });
});

describe("a recorded target", () => {
  it("receives its caller's metadata, and its credentials are not recorded", async () => {
    const guarded = bearerAuthentication(staticTokens(["hush-hush"]))(realService(contract));
    const server = await (await loadServe("grpc-js"))(guarded, serveDefaults);
    const remote = await (await loadConnect("grpc-js"))(contract, { ...connectDefaults, url: server.url });
    const target = recordTarget(remote);
    await using fake = await startFake(contract, { stacks: ["rest-express"], behind: () => target });
    try {
      const client = await fake.session("one").connect("rest-express");
      const init: Init = { id: 1 };
      const request = create(getCustomer.input, init);
      await expect(client.prepare(getCustomer)(request)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
      const metadata = new Map([["authorization", "Bearer hush-hush"]]);
      expect(await client.prepare(getCustomer)(request, { metadata })).toMatchObject({ id: 1 });
      expect(target.recording.stubs).toMatchObject([
        { operation: getCustomer.id, answers: [{ error: { code: "UNAUTHENTICATED" } }, { response: { id: 1 } }] },
      ]);
      expect(`${writeStubs(target.recording.stubs)}${JSON.stringify(fake.log.records)}`).not.toContain("hush");
    } finally {
      await remote.close();
      await server.close();
    }
  });

  it.each(["grpc-js", "grpc-node-http2", "grpc-connect-node"])(
    "receives fields that the contract lacks over %s",
    async (stack) => {
      const init: Init = { id: 1 };
      const newer = contractFromImage(builtInImage());
      keepUnknownFields(newer);
      const received: unknown[] = [];
      const handler = (request: Message): Message => {
        received.push(request.$unknown);
        return create(getCustomer.output, init);
      };
      const server = await (
        await loadServe("grpc-js")
      )(serviceOf(newer, new Map([[getCustomer.id, handler]])), serveDefaults);
      const remote = await (await loadConnect("grpc-js"))(contract, { ...connectDefaults, url: server.url });
      await using fake = await startFake(contract, { stacks: [stack], behind: () => recordTarget(remote) });
      try {
        const client = await fake.connect(stack);
        const unknown = [{ no: 99, wireType: 0, data: Uint8Array.of(7) }];
        await client.prepare(getCustomer)(Object.assign(create(getCustomer.input, init), { $unknown: unknown }));
        expect(received).toEqual([unknown]);
      } finally {
        await remote.close();
        await server.close();
      }
    },
  );

  it("fails with UNAVAILABLE if it is gone, which is not recorded", async () => {
    const connect = await loadConnect("rest-express");
    const remote = await connect(contract, { ...connectDefaults, url: "http://127.0.0.1:1" });
    const target = recordTarget(remote);
    expect(
      await outcome(
        memoryClient(() => target),
        getCustomer,
        { id: 1 },
      ),
    ).toMatchObject({ code: "UNAVAILABLE" });
    expect(target.recording.stubs).toEqual([]);
    await remote.close();
  });
});

describe("an unreachable target", () => {
  it("is reported at once", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { readonly port: number };
    await expect(requireReachable(`http://127.0.0.1:${port}`)).resolves.toBeUndefined();
    await new Promise((resolve) => server.close(resolve));
    await expect(requireReachable(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      name: "FakeError",
      code: "unreachable",
      message: `no server answers at http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
    });
  });

  it.each(["", "nowhere", "ftp://127.0.0.1"])("is reported for an invalid address: %s", async (url) => {
    await expect(requireReachable(url)).rejects.toMatchObject({ code: "unreachable" });
  });
});
