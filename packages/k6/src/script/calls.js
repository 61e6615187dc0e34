// Makes the calls of a task, and finds the outcome of each: a status of 200 may contain an error.
import http from "k6/http";
import grpc from "k6/net/grpc";

const canonicalCodes = [
  ["OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS"],
  ["PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED"],
  ["INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"],
].flat();
/** Codes for the statuses of answers without a code, as of gateways and other servers. The same as of this project's own clients (`codeFromHttp`). */
const codesOfStatus = {
  ...Object.fromEntries([400, 406, 415, 422].map((status) => [status, "INVALID_ARGUMENT"])),
  ...Object.fromEntries([413, 429, 431].map((status) => [status, "RESOURCE_EXHAUSTED"])),
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  409: "ABORTED",
  499: "CANCELLED",
  501: "UNIMPLEMENTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};
/** k6's error code for a timeout. */
const timedOut = 1050;
const timeout = "30s";

// k6 must not count any status as failed.
http.setResponseCallback(null);

/** A server of the plan, as this virtual user calls it. Only for the init context. */
export function serverAt({ calls, variable, usual, path, token: tokenVariable }) {
  const given = __ENV[variable] || usual;
  // As in this project's own clients: an address without a path gets the style's path.
  const address = given.replace(/^(https?:\/\/[^/?]+)\/?(?=\?|$)/, `$1${path}`).replace(/\/$/, "");
  const authorization = tokenVariable === undefined ? {} : { authorization: bearerToken(tokenVariable) };
  return { calls, variable, address, authorization, client: modules[calls.module].newClient(), isConnected: false };
}

function bearerToken(variable) {
  const token = __ENV[variable];
  if (token) return `Bearer ${token}`;
  throw new Error(`${variable} is not set: it is the environment variable with the bearer token of the server`);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The requests of the plan as they are sent: bodies as text. */
export function sentRequests(planned) {
  return planned.map((request) =>
    typeof request.body === "object" ? { ...request, body: JSON.stringify(request.body) } : request,
  );
}

/** Prepares the steps of the plan. Each caches the last of the requests that its tasks use in rotation. */
export function readySteps(server, steps, requestAt) {
  const { ready } = modules[server.calls.module];
  return steps.map(({ requests: inTurn, times }) => {
    let known;
    let index = -1;
    const requestOf = (task) => {
      if (task % inTurn.length !== index) {
        index = task % inTurn.length;
        known = ready(requestAt(inTurn[index]), server);
      }
      return known;
    };
    return { times, requestOf };
  });
}

/** The body as JSON; an empty object if it is not JSON. */
function jsonOf(body) {
  try {
    return JSON.parse(body) || {};
  } catch {
    return {};
  }
}

/** The value at a path of member names, `*` for the first member; undefined if there is none. */
function at(value, path) {
  return path.reduce(
    (found, name) =>
      isObject(found) || Array.isArray(found) ? (name === "*" ? Object.values(found)[0] : found[name]) : undefined,
    value,
  );
}

/** The outcome in the JSON of an answer. */
function outcomeIn(calls, isDone, status, answer) {
  const error = calls.error.length === 0 ? undefined : at(answer, calls.error);
  if (isDone && error === undefined && at(answer, calls.message.slice(0, 1))) return "OK";
  const code = calls.codes.map((path) => at(error || answer, path)).find((found) => found !== undefined);
  // Gateways send the number.
  const name = typeof code === "number" ? canonicalCodes[code] : code;
  return canonicalCodes.includes(name) ? name : codesOfStatus[status] || "UNKNOWN";
}

/**
 * The outcome of a call. Some styles report an error by status and body, others only in the body with status 200; `calls` declares which. Several
 * calls in one exchange may have an array of answers: the first failure is that of the exchange.
 */
function httpOutcome(calls, { status, error_code: fault, body }) {
  if (status === 0) return fault === timedOut ? "DEADLINE_EXCEEDED" : "UNAVAILABLE";
  const isDone = status >= 200 && status < 300;
  if (isDone && calls.error.length === 0) return "OK";
  const answer = jsonOf(body);
  if (!Array.isArray(answer) || answer.length === 0) return outcomeIn(calls, isDone, status, answer);
  return (
    answer.map((response) => outcomeIn(calls, isDone, status, response)).find((outcome) => outcome !== "OK") || "OK"
  );
}

/** Connects a gRPC client, once for each virtual user. Returns whether it did; without a connection its calls fail. */
function connectOnce(server) {
  if (server.isConnected) return false;
  const plaintext = !server.address.startsWith("https://");
  try {
    server.client.connect(server.address.replace(/^https?:\/\//, ""), { plaintext, timeout: "5s" });
    server.isConnected = true;
  } catch (fault) {
    console.warn(String(fault));
  }
  return server.isConnected;
}

/** What depends on the module of k6 that makes the calls of a server. */
const modules = {
  grpc: {
    newClient() {
      const client = new grpc.Client();
      client.loadProtoset("./calls.binpb");
      return client;
    },
    connect: connectOnce,
    ready: ({ method, message }, { authorization }) => ({
      method,
      message,
      params: { timeout, metadata: authorization },
    }),
    send: ({ client }, { method, message, params }) => client.invoke(method, message, params),
    sendMeanwhile: ({ client }, { method, message, params }) => client.asyncInvoke(method, message, params),
    // The status is a Go value, which has to be converted.
    outcomeOf: (_calls, { status }) => canonicalCodes[Number(status)] || "UNKNOWN",
    // Its client connects before it calls.
    hasConnected: () => false,
    messageIn: (_calls, { message }) => message,
    sendsNamesOnce: true,
  },
  http: {
    newClient: () => undefined,
    connect: () => false,
    ready: ({ method, path, headers, body }, { address, authorization }) => ({
      method,
      url: `${address}${path}`,
      body: body === "" ? null : body,
      params: { headers: { ...headers, ...authorization }, redirects: 0, responseType: "text", timeout },
    }),
    send: (_server, { method, url, body, params }) => http.request(method, url, body, params),
    sendMeanwhile: (_server, { method, url, body, params }) => http.asyncRequest(method, url, body, params),
    outcomeOf: httpOutcome,
    hasConnected: ({ timings }) => timings.connecting > 0,
    messageIn: (calls, { body }) => at(jsonOf(body), calls.message),
    sendsNamesOnce: false,
  },
};

/** Whether a connection to a server sends the name of a method in full only once, as HTTP/2 does. */
export const sendsNamesOnce = ({ calls }) => modules[calls.module].sendsNamesOnce;

/** `"0.0123s"` → 12.3. */
const millisecondsOf = (duration) => parseFloat(duration) * 1000;

/** The outcome of a call that has ended, and the server's times in its answer. @param response undefined if there is none */
function factsOf({ calls }, { times }, response) {
  if (response === undefined) return { outcome: "UNAVAILABLE" };
  const { outcomeOf, hasConnected, messageIn } = modules[calls.module];
  const outcome = outcomeOf(calls, response);
  const facts = hasConnected(response) ? { outcome, opened: 1 } : { outcome };
  const message = outcome === "OK" && times ? messageIn(calls, response) : undefined;
  if (!message) return facts;
  const reported = { queue: millisecondsOf(message[times.queue]), service: millisecondsOf(message[times.service]) };
  return Number.isFinite(reported.queue + reported.service) ? { ...facts, ...reported } : facts;
}

function one(server, step, request, { start, now }) {
  const sentMs = start();
  const { connect, send } = modules[server.calls.module];
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
    response = await modules[server.calls.module].sendMeanwhile(server, request);
  } catch (fault) {
    console.warn(String(fault));
  }
  const endedMs = now();
  return { sentMs, endedMs, facts: factsOf(server, step, response) };
}

/**
 * Runs a task: its sets of steps one after the other, the steps of a set at once. The task's number chooses among requests in rotation.
 * @param now gives milliseconds.
 * @param begin waits until the task is due and gives that moment. It is called right before the first call: anything in between would delay that.
 * @param onCall is called after each call with its step, when it was sent, when its answer arrived, and the facts.
 */
export async function doTask({ server, steps, sets }, task, { now, begin, onCall }) {
  const requests = steps.map(({ requestOf }) => requestOf(task));
  let start = begin;
  for (const set of sets) {
    const clock = { start, now };
    start = now;
    if (set.length === 1) {
      const index = set[0];
      const { sentMs, endedMs, facts } = one(server, steps[index], requests[index], clock);
      onCall(index, sentMs, endedMs, facts);
      continue;
    }
    modules[server.calls.module].connect(server);
    await Promise.all(
      set.map(async (index) => {
        const { sentMs, endedMs, facts } = await oneOfSeveral(server, steps[index], requests[index], clock);
        onCall(index, sentMs, endedMs, facts);
      }),
    );
  }
}
