// Contracts by reflection, by URL and from npm packages: the same as from files, and one line for what cannot be had.
import { create, fromJsonString, toBinary, toJsonString, type MessageInitShape } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema, type FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { builtInContract, builtInImage, contractFromImage, type StreamHandler } from "@roundtrip/contract";
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponseSchema,
} from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { allStacks, loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { loopbackCertificate } from "@roundtrip/stacks/certificate";
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Outcome, run as runAlone, folderWith, listening } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { thingShop } from "./support/thing-shop.ts";

const contract = builtInContract();
const cwd = folderWith({
  "node_modules/@shop/protos/package.json": "{}",
  "node_modules/@shop/protos/proto/shop/v1/shop.proto": thingShop,
  "node_modules/empty/package.json": "{}",
  "inside/empty": "",
  "built-in.binpb": builtInImage(),
});

const servers = new Set(
  allStacks().flatMap(({ style, server, name }) => (style === "grpc" && !name.includes("+") ? [server && name] : [])),
);
const addressOf = (url: string): string => url.replace(/^http/, "grpc");

/** What `check` finds between a contract and the built-in one. */
function changesOf(address: string): Promise<Outcome> {
  return run(["check", "--contract", address, "--against", "./built-in.binpb"], { cwd });
}

const unchanged = {
  status: 0,
  stderr: "",
  stdout: expect.stringMatching(/^Nothing that callers can see has changed since /) as string,
};

/** The status and the text of a failure, which has one line. */
async function refusal(outcome: Promise<Outcome>): Promise<readonly [number, string]> {
  const { status, stdout, stderr } = await outcome;
  const [, text] = /^roundtrip: ([^\n]*)\n$/.exec(stderr) ?? [];
  return stdout === "" && text !== undefined ? [status, text] : [status, `${stdout}${stderr}`];
}

const matching = (message: string | RegExp): string => expect.stringMatching(message) as string;

describe("by reflection", () => {
  test.each([...servers])("a server over %s gives the contract that it serves", async (stack) => {
    const server = await (await loadServe(stack))(serviceOf(contract, new Map()), serveDefaults);
    expect(await changesOf(addressOf(server.url))).toEqual(unchanged);
    await server.close();
  });

  test("over TLS, if the certificate is trusted", async () => {
    const tls = await loopbackCertificate();
    writeFileSync(join(cwd, "ca.pem"), tls.ca);
    const server = await (await loadServe("grpc-js"))(serviceOf(contract, new Map()), { ...serveDefaults, tls });
    const address = addressOf(server.url);
    expect(address).toMatch(/^grpcs:/);
    const args = ["check", "--contract", address, "--against", "./built-in.binpb"];
    expect(await runAlone(args, { cwd, env: { NODE_EXTRA_CA_CERTS: join(cwd, "ca.pem") } })).toEqual(unchanged);
    expect(await refusal(runAlone(args, { cwd }))).toEqual([
      69,
      matching(/no contract from grpcs:\/\/127[\d.:]+: its certificate is not trusted; name /),
    ]);
    await server.close();
  });
});

type Answer = MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"];
type Script = (request: ServerReflectionRequest["messageRequest"]) => Answer;

const alphaFile = fromJsonString(
  FileDescriptorProtoSchema,
  toJsonString(FileDescriptorProtoSchema, ServerReflection.file.proto).replaceAll(
    /reflection([./])v1/g,
    "reflection$1v1alpha",
  ),
);

/** A server whose reflection answers by a script. */
async function scripted(script: Script, version: "v1" | "v1alpha" = "v1"): Promise<RunningServer> {
  const file = [ServerReflection.file.proto, alphaFile];
  const both = contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })));
  const operation = both.operation(`grpc.reflection.${version}.ServerReflection.ServerReflectionInfo`);
  const handler: StreamHandler = async function* (requests) {
    for await (const request of requests) {
      const { messageRequest } = request as unknown as ServerReflectionRequest;
      yield create(operation.output, { messageResponse: script(messageRequest) });
    }
  };
  return (await loadServe("grpc-js"))(serviceOf(both, new Map([[operation.id, handler]])), serveDefaults);
}

const listing = (...names: readonly string[]): Answer => ({
  case: "listServicesResponse",
  value: { service: names.map((name) => ({ name })) },
});

const sending = (...files: readonly FileDescriptorProto[]): Answer => ({
  case: "fileDescriptorResponse",
  value: { fileDescriptorProto: files.map((file) => toBinary(FileDescriptorProtoSchema, file)) },
});

const fileOf = (name: string, ...dependency: readonly string[]): FileDescriptorProto =>
  create(FileDescriptorProtoSchema, { name, dependency: [...dependency], syntax: "proto3" });

const shop = create(FileDescriptorProtoSchema, {
  name: "shop.proto",
  dependency: ["thing.proto"],
  syntax: "proto3",
  package: "shop",
  service: [{ name: "Shop", method: [{ name: "Get", inputType: ".shop.Thing", outputType: ".shop.Thing" }] }],
});
const thing = create(FileDescriptorProtoSchema, {
  name: "thing.proto",
  syntax: "proto3",
  package: "shop",
  messageType: [{ name: "Thing" }],
});

/** A server that sends one file an answer. */
const honest: Script = ({ case: asked, value }) => {
  if (asked === "listServices") return listing("grpc.reflection.v1alpha.ServerReflection", "shop.Shop");
  return sending(asked === "fileContainingSymbol" || value === "shop.proto" ? shop : thing);
};

const described = (url: string): Promise<Outcome> => run(["describe", "--contract", addressOf(url)], { cwd });

test.each(["v1", "v1alpha"] as const)("a server with %s alone, which sends each file on request", async (version) => {
  const server = await scripted(honest, version);
  expect(await described(server.url)).toMatchObject({
    status: 0,
    stderr: "",
    stdout: expect.stringContaining("shop.Shop.Get") as string,
  });
  await server.close();
});

const withFile =
  (answer: Script): Script =>
  (request) =>
    request.case === "fileByFilename" ? answer(request) : honest(request);

const hostile: Readonly<Record<string, readonly [script: Script, why: string | RegExp]>> = {
  "lists nothing else": [
    () => listing("grpc.health.v1.Health"),
    "it lists no service beside reflection and health checks",
  ],
  "lists no services": [() => sending(), "it does not list its services"],
  "lists thousands of services": [
    () => listing(...Array.from({ length: 1_001 }, (_, index) => `a.S${index}`)),
    "it lists more than 1000 services",
  ],
  "does not know its service": [
    ({ case: asked }) =>
      asked === "listServices"
        ? listing("shop.Shop")
        : { case: "errorResponse", value: { errorCode: 5, errorMessage: "not\nhere" } },
    "it does not have shop.Shop: not here",
  ],
  "sends another file than its service's": [
    ({ case: asked }) => (asked === "listServices" ? listing("shop.Shop") : sending(thing)),
    "it sent no file that declares shop.Shop",
  ],
  "lacks an import": [
    withFile(() => ({ case: "errorResponse", value: { errorCode: 5, errorMessage: "gone" } })),
    "it does not have thing.proto, which shop.proto imports: gone",
  ],
  "sends other files for ever": [
    withFile(() => sending(fileOf(`${Math.random()}.proto`))),
    "it sent other files when asked for thing.proto, which shop.proto imports",
  ],
  "sends thousands of files": [
    withFile(() => sending(...Array.from({ length: 4_001 }, (_, index) => fileOf(`${index}.proto`)))),
    "its contract is larger than 4000 files or 64 MiB",
  ],
  "imports without end": [
    // Hundreds of others with each file: few answers reach the limit.
    withFile(({ value }) => {
      const others = Array.from({ length: 400 }, (_, index) => fileOf(`${index}${value as string}`));
      return sending(fileOf(value as string, `a${value as string}`), ...others);
    }),
    "its contract is larger than 4000 files or 64 MiB",
  ],
  "sends bytes that are no file": [
    withFile(() => ({ case: "fileDescriptorResponse", value: { fileDescriptorProto: [new Uint8Array([255])] } })),
    /.+/,
  ],
  "answers something else": [withFile(() => listing()), /it answered listServicesResponse when asked for thing\.proto/],
};

test.each(Object.entries(hostile))("a server that %s is refused in one line", async (_name, [script, why]) => {
  const server = await scripted(script);
  const [status, text] = await refusal(described(server.url));
  expect([status, text]).toEqual([69, matching(/^no contract from grpc:\/\/127\.0\.0\.1:\d+: ./)]);
  expect(text).toMatch(why);
  await server.close();
});

test("files that import each other are no contract", async () => {
  const server = await scripted(
    withFile(() => sending(create(FileDescriptorProtoSchema, { ...thing, dependency: ["shop.proto"] }))),
  );
  const { status, stderr } = await described(server.url);
  expect([status, stderr]).toEqual([64, expect.stringMatching(/^roundtrip: grpc:\S+ is not a contract[^\n]*\n$/)]);
  await server.close();
});

describe("by URL", () => {
  let url = "";
  const answers: Readonly<Record<string, RequestListener>> = {
    "/set": (_request, response) => response.end(builtInImage()),
    "/json": (_request, response) =>
      response.end(toJsonString(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [thing, shop] }))),
    "/moved": (_request, response) => response.writeHead(302, { location: "/set" }).end(),
    "/page": (_request, response) => response.end("<html></html>"),
    "/": (_request, response) => response.end("<html></html>"),
    "/large": (_request, response) => {
      response.on("error", () => undefined);
      for (let piece = 0; piece < 65; piece += 1) response.write(Buffer.alloc(1024 * 1024, 10));
      response.end();
    },
    "/cut": (_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("x", () => response.destroy());
    },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url?.split("?")[0] ?? ""];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  beforeAll(async () => {
    url = await listening(server);
  });
  afterAll(() => void server.close());

  test.each(["/set", "/moved", "/set?token=secret"])("%s is a descriptor set", async (path) => {
    expect(await changesOf(`${url}${path}`)).toEqual(unchanged);
  });

  test("JSON is a descriptor set too", async () => {
    expect(await run(["describe", "--contract", `${url}/json`], { cwd })).toMatchObject({ status: 0, stderr: "" });
  });

  test.each([
    ["/nothing?token=secret", 69, "/nothing: it answers with HTTP status 404"],
    ["/large", 69, "/large: it is larger than 64 MiB"],
    ["/cut", 69, /^no contract from http:\/\/127\S+\/cut: ./],
    ["/page", 64, /^http:\S+\/page is not a descriptor set: [^;]+$/],
    ["", 64, /^http:\S+ is not a descriptor set: .+; by reflection: grpc:\/\/127.0.0.1:\d+$/],
    ["/set,proto", 64, "/set is a descriptor set, which needs no imports: leave proto out"],
  ])("%s is refused in one line", async (path, status, message) => {
    const outcome = refusal(run(["describe", "--contract", `${url}${path}`], { cwd }));
    expect(await outcome).toEqual([status, matching(message)]);
  });
});

describe("from an npm package", () => {
  test.each(["npm:@shop/protos", "npm:@shop/protos/proto", "npm:@shop/protos/proto/shop/v1/shop.proto"])(
    "%s",
    async (name) => {
      for (const folder of [cwd, join(cwd, "inside")]) {
        // oxlint-disable-next-line no-await-in-loop
        expect(await run(["describe", "--contract", name], { cwd: folder })).toMatchObject({
          status: 0,
          stderr: "",
          stdout: expect.stringContaining("shop.v1.Shop.GetThing") as string,
        });
      }
    },
  );

  test.each([
    ["npm:absent", 69, "npm:absent: the package is not installed here; npm install --save-dev absent"],
    ["npm:empty", 64, "there are no .proto files in node_modules/empty"],
    ["npm:", 64, "npm:: give npm:PACKAGE or npm:PACKAGE/FOLDER"],
    ["npm:a@1.0.0", 64, "npm:a@1.0.0: give npm:PACKAGE or npm:PACKAGE/FOLDER"],
    ["npm:../inside", 64, "npm:../inside: give npm:PACKAGE or npm:PACKAGE/FOLDER"],
  ])("%s is refused in one line", async (name, status, message) => {
    expect(await refusal(run(["describe", "--contract", name], { cwd }))).toEqual([status, matching(message)]);
  });
});

const unreachable =
  /^(?:after \(--contract\): )?no server answers at http:\/\/127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1$/;

test.each([
  "bench --rounds 1",
  "check --against built-in.binpb",
  "conform",
  "describe",
  "export k6 --out script",
  "fake",
  "serve",
  "tasks access.log --out tasks.yaml",
  "types --out gen",
])("%s says which server cannot be reached", async (command) => {
  writeFileSync(join(cwd, "access.log"), "");
  const outcome = refusal(run([...command.split(" "), "--contract", "grpc://127.0.0.1:1"], { cwd }));
  expect(await outcome).toEqual([69, matching(unreachable)]);
});

test.each([
  ["grpc://127.0.0.1:1/path", "grpc://127.0.0.1:1 is a server: its address has no path"],
  [
    "grpc://ada:secret@127.0.0.1:1",
    "the address of grpc://127.0.0.1:1 has a user name or password, which is not sent: remove it",
  ],
  ["https://", "https:// is not an address: grpc://HOST:PORT or https://HOST/PATH"],
])("the address %s is wrong usage", async (address, message) => {
  expect(await refusal(run(["describe", "--contract", address], { cwd }))).toEqual([64, matching(message)]);
});

test("check compares with a server, and knows that an address has no revisions", async () => {
  const server = await (await loadServe("grpc-js"))(serviceOf(contract, new Map()), serveDefaults);
  const address = addressOf(server.url);
  const against = await run(["check", "--contract", "built-in.binpb", "--against", address], { cwd });
  expect(against).toEqual(unchanged);
  expect(await refusal(run(["check", "--contract", address, "--against", "HEAD"], { cwd }))).toEqual([
    64,
    `--against HEAD: ${address} has no revisions; give --against a path or an address`,
  ]);
  await server.close();
});
