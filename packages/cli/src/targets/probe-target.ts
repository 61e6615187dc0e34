// Makes one call to a target first, to check that it is reachable and serves the contract.
import { create } from "@bufbuild/protobuf";
import { CallError, type Client, type Contract, type Operation } from "@roundtrip/contract";
import { bearerClient, shownUrl, type Target } from "@roundtrip/runner";
import { connectDefaults, knownStack, loadConnect } from "@roundtrip/stacks";
import { loadStyle } from "@roundtrip/styles";
import { CliError } from "../basics/cli-error.ts";

const untrusted = /self-signed certificate|unable to (verify the first|get (local )?issuer) certificate/;
const fromTheLibrary = /\berror:[0-9A-F]{8}:SSL routines:[^:]*:([^:\n]+)/;

/** @param message the client's error. @param ofUntrusted the fault of an untrusted certificate. @returns undefined if it is not about TLS. */
export function tlsFault(message: string, ofUntrusted: string): string | undefined {
  if (untrusted.test(message)) return ofUntrusted;
  if (/certificate has expired/.test(message)) return "its certificate has expired";
  if (/certificate is not yet valid/.test(message)) return "its certificate is not valid yet";
  if (/does not match certificate's altnames/.test(message)) return "its certificate is one for other names";
  const [, why] = fromTheLibrary.exec(message) ?? [];
  if (why === "wrong version number") return "it does not speak TLS; its URL may begin with http://";
  return why === undefined ? undefined : `no TLS connection: ${why}`;
}

/** @param message the client's error. @returns undefined if it connected, or may have. */
function connectFault(message: string): string | undefined {
  if (/\bECONNREFUSED\b/.test(message)) return "connection refused; is the server running?";
  if (/\b(ENOTFOUND|EAI_AGAIN|Name resolution failed)\b/.test(message)) return "its host name cannot be resolved";
  return /\b(EHOSTUNREACH|ENETUNREACH)\b/.test(message) ? "there is no route to the host" : undefined;
}

const probeTimeoutMs = 5_000;

const advice: Readonly<Record<string, string>> = {
  DEADLINE_EXCEEDED: `nothing answers within ${probeTimeoutMs / 1000} s`,
  UNAUTHENTICATED:
    "it wants to know who calls: name the environment variable of a bearer token: --target STYLE=URL,token-env=NAME",
};

// The error for a missing customer is an answer of the contract too.
const answers: readonly string[] = ["NOT_FOUND", "INVALID_ARGUMENT", "PERMISSION_DENIED", "UNAUTHENTICATED"];

/** An operation without side effects that every server of the contract answers. */
function harmless(contract: Contract): Operation | undefined {
  const reads = contract.operations.filter(({ kind, sideEffects }) => kind === "unary" && sideEffects === "none");
  // Clients refuse an empty request for a path with variables, without calling the server.
  const sent = reads.filter(({ bindings: [{ path }] }) => path.variables.length === 0);
  const likely = sent.length > 0 ? sent : reads;
  return likely.find(({ input }) => input.fields.length === 1) ?? likely[0];
}

/** Whether a server of the contract sent the error, rather than a web server without such a path. */
function isAnswer({ code, details }: CallError): boolean {
  return answers.includes(code) && (details.reason !== "" || details.violations.length > 0);
}

/** Limits the time to connect, which may be endless with a server of another protocol: a client's deadline begins with the call. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new CallError("DEADLINE_EXCEEDED", "")), probeTimeoutMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function call(operation: Operation, connect: () => Promise<Client>): Promise<void> {
  const client = await connect();
  try {
    await client.prepare(operation)(create(operation.input), { timeoutMs: probeTimeoutMs });
  } finally {
    await client.close();
  }
}

/** Returns a function that opens clients of the target. Rejects with a CliError `unavailable` unless it answers one call of the contract. */
export async function probeTarget(
  contract: Contract,
  { stack, url, ca, tokenVariable }: Target,
): Promise<() => Promise<Client>> {
  const open = await loadConnect(stack);
  const connect = async (): Promise<Client> =>
    bearerClient(await open(contract, { ...connectDefaults, url, ca }), tokenVariable);
  const operation = harmless(contract);
  if (operation === undefined) return connect;
  try {
    await inTime(call(operation, connect));
  } catch (thrown) {
    const error = CallError.from(thrown);
    if (isAnswer(error)) return connect;
    const notConnected = connectFault(error.message);
    if (notConnected !== undefined) {
      throw new CliError("unavailable", `cannot connect to ${shownUrl(url)}: ${notConnected}`, { cause: thrown });
    }
    const ofUntrusted =
      ca === undefined
        ? "its certificate is not trusted; name the file of its certificate authority: --target STYLE=URL,ca=FILE"
        : "its certificate does not come from the certificate authority that ca names";
    const why =
      tlsFault(error.message, ofUntrusted) ??
      advice[error.code] ??
      `${error.code}: ${error.message.replaceAll("\n", " ")}`;
    const { title } = await loadStyle(knownStack(stack).style);
    const message = `${shownUrl(url)} does not answer as a ${title} server of this contract: ${why}`;
    throw new CliError("unavailable", message, { cause: thrown });
  }
  return connect;
}
