// What gRPC's own tools get from a server beside the contract: whether it serves, and what.
import { create, createFileRegistry, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
  SourceCodeInfoSchema,
} from "@bufbuild/protobuf/wkt";
import { type Client, contractFromImage, type Service } from "@roundtrip/contract";
import {
  file_grpc_health_v1_health,
  Health,
  HealthCheckRequestSchema,
  type HealthCheckResponse,
  HealthCheckResponseSchema,
  HealthListRequestSchema,
  type HealthListResponse,
  HealthCheckResponse_ServingStatus as Status,
} from "@roundtrip/contract/gen/grpc/health/v1/health_pb";
import {
  file_grpc_reflection_v1_reflection,
  ServerReflection,
  ServerReflectionRequestSchema,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { bearerAuthentication, requestId, staticTokens } from "@roundtrip/service";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findBuf } from "../../cli/src/contract/run-buf.ts";
import { caught, clientOf, grpcStack, pairOf, greeting } from "./support/pair.ts";

const files = [file_grpc_health_v1_health.proto, file_grpc_reflection_v1_reflection.proto];
const standard = contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: files })));

const partNames = Array.from({ length: 16 }, (_, index) => `part${index}`);

/** A file that imports sixteen others of some 400 KB, and a service in it. */
function largeImage(): FileDescriptorSet {
  const parts = partNames.map((name) => ({
    name: `large/${name}.proto`,
    package: `large.${name}`,
    syntax: "proto3",
    messageType: Array.from({ length: 400 }, (_, index) => ({ name: `${"Message".repeat(140)}${index}` })),
  }));
  const whole = {
    name: "large/all.proto",
    package: "large",
    syntax: "proto3",
    dependency: parts.map(({ name }) => name),
    messageType: [{ name: "Nothing" }],
    service: [{ name: "Large", method: [{ name: "Do", inputType: ".large.Nothing", outputType: ".large.Nothing" }] }],
  };
  return create(FileDescriptorSetSchema, { file: [...parts, whole] });
}

/** The set with a long comment in its last file. */
function commented({ file }: FileDescriptorSet): Uint8Array {
  const location = [{ path: [4, 0], span: [0, 0, 1], leadingComments: "A comment. ".repeat(500_000) }];
  const sourceCodeInfo = create(SourceCodeInfoSchema, { location });
  const last = { ...(file.at(-1) ?? create(FileDescriptorProtoSchema)), sourceCodeInfo };
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [...file.slice(0, -1), last] }));
}

/** A client of the standard services of a server. */
function standardClient(url: string): Promise<Client> {
  return clientOf(grpcStack, serviceOf(standard, new Map()), { url });
}

async function served(service: Service): Promise<Client> {
  const { server } = await pairOf(grpcStack, service);
  return standardClient(server.url);
}

const reflection = standard.operation(`${ServerReflection.typeName}.ServerReflectionInfo`);

type Question = NonNullable<MessageInitShape<typeof ServerReflectionRequestSchema>["messageRequest"]>;

/** What the server answers, question by question, on one stream. */
async function reflected(client: Client, ...questions: readonly Question[]): Promise<ServerReflectionResponse[]> {
  const requests = questions.map((messageRequest) => create(ServerReflectionRequestSchema, { messageRequest }));
  return (await Array.fromAsync(client.prepareStream(reflection)(requests))) as ServerReflectionResponse[];
}

function filesIn(response: ServerReflectionResponse | undefined): readonly FileDescriptorProto[] {
  const { case: kind, value } = response?.messageResponse ?? { case: undefined, value: undefined };
  if (kind !== "fileDescriptorResponse") throw new Error(`the answer is ${kind}`);
  return value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
}

function namesIn(response: ServerReflectionResponse | undefined): readonly string[] {
  return filesIn(response).map(({ name }) => name);
}

test("reflection lists the contract's services and gRPC's own", async () => {
  const [answer] = await reflected(await served(greeting), { case: "listServices", value: "*" });
  expect(answer?.messageResponse.value).toMatchObject({
    service: [
      { name: "grpc.health.v1.Health" },
      { name: "grpc.reflection.v1.ServerReflection" },
      { name: "roundtrip.v1.CustomerService" },
      { name: "roundtrip.v1.HelloService" },
      { name: "roundtrip.v1.InvoiceService" },
      { name: "roundtrip.v1.MatrixService" },
      { name: "roundtrip.v1.PayloadService" },
      { name: "roundtrip.v1.ProductService" },
    ],
  });
});

test("a symbol is answered with its file and everything that the file imports, each once", async () => {
  const [first, second, third] = await reflected(
    await served(greeting),
    { case: "fileContainingSymbol", value: "roundtrip.v1.HelloService.SayHello" },
    { case: "fileContainingSymbol", value: "roundtrip.v1.Customer" },
    { case: "fileByFilename", value: "google/api/http.proto" },
  );
  const names = namesIn(first);
  expect(names[0]).toBe("roundtrip/v1/hello.proto");
  expect(names).toContain("buf/validate/validate.proto");
  expect(new Set(names).size).toBe(names.length);
  expect(namesIn(second)).not.toContain("buf/validate/validate.proto");
  expect(namesIn(third)).toEqual(["google/api/http.proto"]);
  const [file, ...imported] = filesIn(first);
  const registry = createFileRegistry(file ?? create(FileDescriptorProtoSchema), (wanted) =>
    imported.find(({ name }) => name === wanted),
  );
  expect(registry.getService("roundtrip.v1.HelloService")?.methods.map(({ name }) => name)).toEqual(["SayHello"]);
});

test("files of a large contract come without comments, and no answer is larger than clients accept", async () => {
  const large = contractFromImage(commented(largeImage()));
  const client = await served(serviceOf(large, new Map()));
  const [first, missing] = await reflected(
    client,
    { case: "fileByFilename", value: "large/all.proto" },
    { case: "fileByFilename", value: "large/part12.proto" },
  );
  for (const answer of [first, missing]) {
    expect(toBinary(ServerReflectionResponseSchema, answer as ServerReflectionResponse).length).toBeLessThan(2 ** 21);
  }
  const names = namesIn(first);
  expect(names[0]).toBe("large/all.proto");
  expect(names.length).toBeLessThan(15);
  // A client asks for what is missing.
  expect(namesIn(missing)).toEqual(["large/part12.proto"]);
  const [whole] = filesIn(first);
  expect(whole?.sourceCodeInfo).toBeUndefined();
});

test("an unknown symbol is NOT_FOUND, and the stream continues", async () => {
  const answers = await reflected(
    await served(greeting),
    { case: "fileContainingSymbol", value: "roundtrip.v1.Nobody" },
    { case: "fileContainingSymbol", value: "roundtrip.v1.HelloService.Nothing" },
    { case: "fileByFilename", value: "../../etc/passwd" },
    { case: "fileContainingExtension", value: { containingType: "roundtrip.v1.Customer", extensionNumber: 1 } },
    { case: "allExtensionNumbersOfType", value: "roundtrip.v1.Nobody" },
    { case: "allExtensionNumbersOfType", value: "roundtrip.v1.Customer" },
  );
  const codes = answers.map(
    ({ messageResponse: { value } }) => value !== undefined && "errorCode" in value && value.errorCode,
  );
  expect(codes).toEqual([5, 5, 5, 5, 5, false]);
});

test("a tool that knows nothing of the contract calls it by reflection, in the newer form and the older", async () => {
  const { server } = await pairOf(grpcStack, greeting);
  const [buf, ...first] = findBuf();
  for (const form of ["grpc-v1", "grpc-v1alpha"]) {
    const args = ["curl", "--protocol", "grpc", "--http2-prior-knowledge", "--reflect-protocol", form];
    const call = [`${server.url}/roundtrip.v1.HelloService/SayHello`, "-d", '{"name":"World"}'];
    // oxlint-disable-next-line no-await-in-loop
    const { stdout } = await promisify(execFile)(buf, [...first, ...args, ...call]);
    expect(JSON.parse(stdout)).toEqual({ message: "Hello, World!" });
  }
});

function check(client: Client, service: string): Promise<HealthCheckResponse> {
  const operation = standard.operation(`${Health.typeName}.Check`);
  return client.prepare(operation)(create(HealthCheckRequestSchema, { service })) as Promise<HealthCheckResponse>;
}

test("a service that asks for a token shows its contract only with one, and its health without", async () => {
  const client = await served(requestId()(bearerAuthentication(staticTokens(["secret"]))(greeting)));
  const messageRequest = { case: "listServices", value: "*" } as const;
  const question = [create(ServerReflectionRequestSchema, { messageRequest })];
  expect((await caught(Array.fromAsync(client.prepareStream(reflection)(question)))).code).toBe("UNAUTHENTICATED");
  const metadata = new Map([["authorization", "Bearer secret"]]);
  const [answer] = await Array.fromAsync(client.prepareStream(reflection)(question, { metadata }));
  expect(answer).toMatchObject({ messageResponse: { case: "listServicesResponse" } });
  expect((await check(client, "")).status).toBe(Status.SERVING);
});

test("the server and each of its services are healthy; a service that is not there is NOT_FOUND", async () => {
  const client = await served(greeting);
  expect((await check(client, "")).status).toBe(Status.SERVING);
  expect((await check(client, "roundtrip.v1.HelloService")).status).toBe(Status.SERVING);
  expect((await caught(check(client, "roundtrip.v1.Nobody"))).code).toBe("NOT_FOUND");
  const list = client.prepare(standard.operation(`${Health.typeName}.List`));
  const { statuses } = (await list(create(HealthListRequestSchema))) as HealthListResponse;
  const services = ["Customer", "Hello", "Invoice", "Matrix", "Payload", "Product"].map(
    (name) => `roundtrip.v1.${name}Service`,
  );
  expect(Object.keys(statuses).toSorted()).toEqual(["", ...services]);
});

test("a watcher of the server's health receives that it stops, and does not keep it from stopping", async () => {
  const { server } = await pairOf(grpcStack, greeting, { serve: { shutdownGraceMs: 60_000 } });
  const client = await standardClient(server.url);
  const watch = client.prepareStream(standard.operation(`${Health.typeName}.Watch`));
  const begin = (service: string): AsyncIterator<unknown> =>
    watch([create(HealthCheckRequestSchema, { service })])[Symbol.asyncIterator]();
  const known = begin("");
  const unknown = begin("roundtrip.v1.Nobody");
  expect(await known.next()).toMatchObject({ value: { status: Status.SERVING } });
  expect(await unknown.next()).toMatchObject({ value: { status: Status.SERVICE_UNKNOWN } });
  const closed = server.close();
  expect(await known.next()).toMatchObject({ value: { status: Status.NOT_SERVING } });
  expect(await known.next()).toMatchObject({ done: true });
  expect(await unknown.next()).toMatchObject({ done: true });
  await closed;
});

test("a contract that has such a service itself serves its own", async () => {
  const id = `${Health.typeName}.Check`;
  const own = new Map([[id, () => create(HealthCheckResponseSchema, { status: Status.NOT_SERVING })]]);
  const { client } = await pairOf(grpcStack, serviceOf(standard, own));
  expect((await check(client, "")).status).toBe(Status.NOT_SERVING);
});
