// Reads a contract from a server by reflection, v1 or v1alpha. The server may be anybody's: what it sends is limited in number, size and time.
import { create, fromBinary, fromJsonString, type MessageShape, toBinary, toJsonString } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { CallError, contractFromImage, contractOfServices, type Client, type Contract } from "@roundtrip/contract";
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
  type ServerReflectionResponseSchema,
} from "@roundtrip/contract/gen/grpc/reflection/v1/reflection_pb";
import { requireReachable } from "@roundtrip/fakes";
import { allStacks, connectDefaults, loadConnect } from "@roundtrip/stacks";
import { getCACertificates } from "node:tls";
import { CliError } from "../basics/cli-error.ts";
import { stackOf } from "../targets/known-targets.ts";
import { tlsFault } from "../targets/probe-target.ts";

const timeoutMs = 30_000;
const mostServices = 1_000;
const mostFiles = 4_000;
const mostBytes = 64 * 1024 * 1024;

/** Services that servers have beside their contract. */
const beside = /^grpc\.(?:reflection|health|channelz)\./;

/** The reflection service under its older name, with the same messages. */
function alphaReflection(): Contract {
  const { proto } = ServerReflection.file;
  const text = toJsonString(FileDescriptorProtoSchema, proto);
  const alpha = fromJsonString(
    FileDescriptorProtoSchema,
    text.replaceAll("grpc.reflection.v1", "grpc.reflection.v1alpha"),
  );
  return contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [alpha] })));
}

type Asked = MessageShape<typeof ServerReflectionRequestSchema>["messageRequest"];
type Answer = MessageShape<typeof ServerReflectionResponseSchema>["messageResponse"];

/** Asks all of these on one stream. Resolves to as many answers. Rejects with a CallError. */
type Ask = (asked: readonly Asked[]) => Promise<readonly Answer[]>;

function asking(client: Client, signal: AbortSignal): Ask {
  const [operation] = client.contract.operations;
  if (operation === undefined) throw new Error("reflection has one operation");
  const invoke = client.prepareStream(operation);
  return async (asked) => {
    const requests = asked.map((messageRequest) => create(operation.input, { messageRequest }));
    const answers: Answer[] = [];
    if (requests.length === 0) return answers;
    for await (const answer of invoke(requests, { signal })) {
      answers.push((answer as MessageShape<typeof ServerReflectionResponseSchema>).messageResponse);
      if (answers.length === requests.length) break;
    }
    if (answers.length < requests.length) throw new CallError("DATA_LOSS", "the stream ended before all answers");
    return answers;
  };
}

/** The files of one server, as far as it has sent them. */
class ReflectedFiles {
  readonly #files = new Map<string, FileDescriptorProto>();
  #bytes = 0;

  /** Throws an Error for an answer without files, for bytes that are no file, and above the limits. */
  take({ case: kind, value }: Answer, what: string): void {
    if (kind === "errorResponse") throw new Error(`it does not have ${what}: ${value.errorMessage}`);
    if (kind !== "fileDescriptorResponse") throw new Error(`it answered ${kind ?? "nothing"} when asked for ${what}`);
    for (const bytes of value.fileDescriptorProto) {
      this.#bytes += bytes.length;
      const file = fromBinary(FileDescriptorProtoSchema, bytes);
      if (!this.#files.has(file.name)) this.#files.set(file.name, file);
      if (this.#files.size > mostFiles || this.#bytes > mostBytes)
        throw new Error(`its contract is larger than ${mostFiles} files or ${mostBytes / 2 ** 20} MiB`);
    }
  }

  /** Imported files that are not there, by one that imports them. */
  get missing(): ReadonlyMap<string, string> {
    const found = [...this.#files.values()].flatMap(({ name, dependency }) =>
      dependency.filter((imported) => !this.#files.has(imported)).map((imported) => [imported, name] as const),
    );
    return new Map(found);
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** The name of the file that declares a service; undefined if none does. */
  declaring(service: string): string | undefined {
    const isDeclaring = ({ package: scope, service: declared }: FileDescriptorProto): boolean =>
      declared.some(({ name }) => (scope === "" ? name : `${scope}.${name}`) === service);
    return [...this.#files.values()].find(isDeclaring)?.name;
  }

  /** Each file behind those that it imports. */
  get sorted(): readonly FileDescriptorProto[] {
    const sorted = new Set<FileDescriptorProto>();
    const seen = new Set<string>();
    const add = (file: FileDescriptorProto): void => {
      if (seen.has(file.name)) return;
      seen.add(file.name);
      for (const name of file.dependency) add(this.#files.get(name) as FileDescriptorProto);
      sorted.add(file);
    };
    for (const file of this.#files.values()) add(file);
    return [...sorted];
  }
}

export interface ReflectedContract {
  /** A `google.protobuf.FileDescriptorSet`. */
  readonly image: Uint8Array;
  /** Names of the files that declare the services that the server lists. */
  readonly own: ReadonlySet<string>;
}

async function readAll(ask: Ask): Promise<ReflectedContract> {
  const [listed] = await ask([{ case: "listServices", value: "" }]);
  if (listed?.case !== "listServicesResponse") throw new Error("it does not list its services");
  const services = listed.value.service.map(({ name }) => name).filter((name) => !beside.test(name));
  if (services.length === 0) throw new Error("it lists no service beside reflection and health checks");
  if (services.length > mostServices) throw new Error(`it lists more than ${mostServices} services`);
  const files = new ReflectedFiles();
  const answers = await ask(services.map((value) => ({ case: "fileContainingSymbol", value })));
  answers.forEach((answer, at) => files.take(answer, services[at] ?? ""));
  for (let { missing } = files; missing.size > 0; { missing } = files) {
    const names = [...missing.keys()];
    // oxlint-disable-next-line no-await-in-loop -- files name further ones
    const imported = await ask(names.map((value) => ({ case: "fileByFilename", value })));
    imported.forEach((answer, at) => {
      const name = names[at] ?? "";
      const what = `${name}, which ${missing.get(name)} imports`;
      files.take(answer, what);
      if (!files.has(name)) throw new Error(`it sent other files when asked for ${what}`);
    });
  }
  const own = services.map((service) => {
    const name = files.declaring(service);
    if (name === undefined) throw new Error(`it sent no file that declares ${service}`);
    return name;
  });
  const set = create(FileDescriptorSetSchema, { file: [...files.sorted] });
  return { image: toBinary(FileDescriptorSetSchema, set), own: new Set(own) };
}

const untrusted =
  "its certificate is not trusted; name the file of its certificate authority in the variable NODE_EXTRA_CA_CERTS";

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof CallError)) return (thrown as Error).message;
  const { code, message } = thrown;
  if (code === "UNIMPLEMENTED") return "the server has no reflection; give its .proto files or a descriptor set";
  return tlsFault(message, untrusted) ?? `${code}: ${message}`;
}

/** @param url of the server, `http` or `https`. Rejects with a CliError `unavailable`, in one line that names the address. */
export async function reflectedContract(address: string, url: string): Promise<ReflectedContract> {
  await requireReachable(url);
  const signal = AbortSignal.timeout(timeoutMs);
  // gRPC's library does not read NODE_EXTRA_CA_CERTS.
  const ca = url.startsWith("https:") ? getCACertificates().join("\n") : undefined;
  const connect = await loadConnect(stackOf("grpc", allStacks()));
  const read = async (contract: Contract): Promise<ReflectedContract> => {
    const client = await connect(contract, { ...connectDefaults, url, ca, maxMessageBytes: mostBytes });
    try {
      return await readAll(asking(client, signal));
    } finally {
      await client.close();
    }
  };
  try {
    return await read(contractOfServices(ServerReflection)).catch((thrown: unknown) => {
      if (thrown instanceof CallError && thrown.code === "UNIMPLEMENTED") return read(alphaReflection());
      throw thrown;
    });
  } catch (cause) {
    const why = signal.aborted ? `not done after ${timeoutMs / 1_000} s` : reasonOf(cause).replaceAll(/\s+/g, " ");
    throw new CliError("unavailable", `no contract from ${address}: ${why}`, { cause });
  }
}
