// How a task's calls are made over each style, and what is to be known of their answers: a status 200 is no answer yet.
import http from "k6/http";
import grpc from "k6/net/grpc";

const canonicalCodes = [
  ["OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS"],
  ["PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED"],
  ["INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"],
].flat();
/** What a status means that some gateway gives, without a code in its body. */
const codesOfStatus = { 502: "UNAVAILABLE", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED" };
/** k6's number for a request that took too long. */
const timedOut = 1050;
const timeout = "30s";

// None of k6's own opinions on which status is good.
http.setResponseCallback(null);

/** A server of the plan, as this virtual user reaches it. Only to be made in the init context. */
export function serverAt({ kind, variable, usual, path }) {
  const given = __ENV[variable] || usual;
  // As this project's own clients take it: an address without a path is a server's, and one with a path is where calls go.
  const address = given.replace(/^(https?:\/\/[^/?]+)\/?(?=\?|$)/, `$1${path}`).replace(/\/$/, "");
  if (kind !== "grpc") return { kind, variable, address };
  const client = new grpc.Client();
  client.loadProtoset("./contract.binpb");
  return { kind, variable, address, client, isConnected: false };
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** A value with a JSON Merge Patch (RFC 7396) applied, as merge-patch.ts does it. */
function patched(from, patch) {
  if (!isObject(patch)) return patch;
  const to = new Map(Object.entries(isObject(from) ? from : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) to.delete(name);
    else to.set(name, patched(to.get(name), value));
  }
  return Object.fromEntries(to);
}

/** The requests of the plan as they are sent: those that are told by others made whole, bodies as text. */
export function wholeRequests(planned) {
  return planned.map((request) => {
    const whole = request.like === undefined ? request : patched(planned[request.like], request.but);
    return typeof whole.body === "object" ? { ...whole, body: JSON.stringify(whole.body) } : whole;
  });
}

/** Steps of the plan made ready: each keeps the request that was last asked for, of those that its tasks make in turn. */
export function readySteps({ kind, address }, steps, requestAt) {
  const ready = ({ method, path, headers, body, message }) =>
    kind === "grpc"
      ? { method, message }
      : {
          method,
          url: `${address}${path}`,
          body: body === "" ? null : body,
          params: { headers, redirects: 0, responseType: "text", timeout },
        };
  return steps.map(({ requests: inTurn, times }) => {
    let known;
    let place = -1;
    const requestOf = (task) => {
      if (task % inTurn.length !== place) {
        place = task % inTurn.length;
        known = ready(requestAt(inTurn[place]));
      }
      return known;
    };
    return { times, requestOf };
  });
}

/** Connects a gRPC client, once for each virtual user. Says whether it did: calls of a client that is not connected fail by themselves. */
function connect(server) {
  if (server.kind !== "grpc" || server.isConnected) return false;
  const plaintext = !server.address.startsWith("https://");
  try {
    server.client.connect(server.address.replace(/^https?:\/\//, ""), { plaintext, timeout: "5s" });
    server.isConnected = true;
  } catch (fault) {
    console.warn(String(fault));
  }
  return server.isConnected;
}

function send({ kind, client }, { method, url, body, params, message }) {
  return kind === "grpc" ? client.invoke(method, message, { timeout }) : http.request(method, url, body, params);
}

function sendMeanwhile({ kind, client }, { method, url, body, params, message }) {
  return kind === "grpc"
    ? client.asyncInvoke(method, message, { timeout })
    : http.asyncRequest(method, url, body, params);
}

/** The body as JSON; an empty object where it is none. */
function jsonOf(body) {
  try {
    return JSON.parse(body) || {};
  } catch {
    return {};
  }
}

/** REST tells an error by its status and names its code in the body; GraphQL tells it in the body alone, and with status 200. */
function httpOutcome(kind, { status, error_code: fault, body }) {
  if (status === 0) return fault === timedOut ? "DEADLINE_EXCEEDED" : "UNAVAILABLE";
  const isDone = status >= 200 && status < 300;
  if (isDone && kind !== "graphql") return "OK";
  const answer = jsonOf(body);
  const [error] = answer.errors || [];
  if (isDone && error === undefined && answer.data) return "OK";
  const { code } = (error ? error.extensions : answer) || {};
  return canonicalCodes.includes(code) ? code : codesOfStatus[status] || "UNKNOWN";
}

/** The message that an answer holds. */
function messageIn(kind, { message, body }) {
  if (kind === "grpc") return message;
  return kind === "graphql" ? Object.values(jsonOf(body).data)[0] : jsonOf(body);
}

/** `"0.0123s"` → 12.3. */
const millisecondsOf = (duration) => parseFloat(duration) * 1000;

/** What is to be known of a call that has ended: of one that was never sent, or never came, no more than that. */
function factsOf({ kind }, { times }, response) {
  if (response === undefined) return { outcome: "UNAVAILABLE" };
  // k6 gives a value of Go's, which is a number only when it is asked.
  const outcome = kind === "grpc" ? canonicalCodes[Number(response.status)] || "UNKNOWN" : httpOutcome(kind, response);
  const facts = kind !== "grpc" && response.timings.connecting > 0 ? { outcome, opened: 1 } : { outcome };
  const message = outcome === "OK" && times ? messageIn(kind, response) : undefined;
  if (!message) return facts;
  const told = { queue: millisecondsOf(message[times.queue]), service: millisecondsOf(message[times.service]) };
  return Number.isFinite(told.queue + told.service) ? { ...facts, ...told } : facts;
}

function one(server, step, request, { start, now }) {
  const sentMs = start();
  const isNew = connect(server);
  let response;
  try {
    response = send(server, request);
  } catch (fault) {
    console.warn(String(fault));
  }
  const endedMs = now();
  const facts = factsOf(server, step, response);
  return { sentMs, endedMs, facts: isNew ? { ...facts, opened: 1 } : facts };
}

async function oneOfSeveral(server, step, request, { start, now }) {
  const sentMs = start();
  let response;
  try {
    response = await sendMeanwhile(server, request);
  } catch (fault) {
    console.warn(String(fault));
  }
  const endedMs = now();
  return { sentMs, endedMs, facts: factsOf(server, step, response) };
}

/**
 * Does a task: its sets of steps one after the other, the steps of a set at once. What is in turn is the task's own.
 * @param now gives milliseconds.
 * @param begin waits until the task is to begin and gives that moment. It is asked last before the first call: whatever comes between makes the call late.
 * @param told hears of each call: its step, when it was sent and when its answer was there, and the facts.
 */
export async function doTask({ server, steps, sets }, task, { now, begin, told }) {
  const requests = steps.map(({ requestOf }) => requestOf(task));
  let start = begin;
  for (const set of sets) {
    const clock = { start, now };
    start = now;
    if (set.length === 1) {
      const index = set[0];
      const { sentMs, endedMs, facts } = one(server, steps[index], requests[index], clock);
      told(index, sentMs, endedMs, facts);
      continue;
    }
    connect(server);
    await Promise.all(
      set.map(async (index) => {
        const { sentMs, endedMs, facts } = await oneOfSeveral(server, steps[index], requests[index], clock);
        told(index, sentMs, endedMs, facts);
      }),
    );
  }
}
