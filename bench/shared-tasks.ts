// The tasks that several studies make under different conditions: the smallest call, reads of the customer of 2010, callers who think, and transfers of
// incompressible bytes.
import { closedLoop, linkDefaults, type Plan, type Step, type Task, sequentialPlan } from "@roundtrip/runner";
import { createHash } from "node:crypto";

/** One hello call by one caller: a task without its conditions and its number of calls. */
export const greeting = {
  variants: {
    single: sequentialPlan({ operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } }),
  },
  answerKeys: [],
  expected: { message: "Hello, World!" },
  setup: [],
  callers: 1,
} as const satisfies Pick<Task, "variants" | "answerKeys" | "expected" | "setup" | "callers">;

// The customer of the 2010 study and the calls that read it.

export const customerService = "roundtrip.v1.CustomerService";

/** The six attributes of the paper in its order, with values of exactly its lengths. Customer 1 has these values from the start. */
export const customerAttributes = [
  { field: "id", accessor: "CustomerId", value: 1 },
  { field: "name", accessor: "CustomerName", value: "Wilhelmina van der Bergh-Oosterhuizen." },
  {
    field: "address",
    accessor: "CustomerAddress",
    value: "Prins Hendrikkade 33-III, 1012 TM Amsterdam, Noord-Holland",
  },
  { field: "vatIdentificationNumber", accessor: "CustomerVatIdentificationNumber", value: "NL12345" },
  { field: "mail", accessor: "CustomerMail", value: "wil@example.co.nl" },
  { field: "phoneNumber", accessor: "CustomerPhoneNumber", value: "+31 20 5550123" },
] as const;

export function firstFields(count: number): string[] {
  return customerAttributes.slice(0, count).map(({ field }) => field);
}

export function firstValues(count: number): Readonly<Record<string, string | number>> {
  return Object.fromEntries(customerAttributes.slice(0, count).map(({ field, value }) => [field, value]));
}

export function facadeRead(id: number, count: number): Plan {
  const request = { id, readMask: firstFields(count).join(",") };
  return sequentialPlan({ operation: `${customerService}.GetCustomer`, request });
}

export function fineReads(id: number, count: number): Step[] {
  return customerAttributes
    .slice(0, count)
    .map(({ accessor }) => ({ operation: `${customerService}.Get${accessor}`, request: { id } }));
}

/** The total length of the attributes other than the address. */
const restBytes = 4 + 38 + 7 + 17 + 14;

/** The least prime that gives each size of the studies an id of its own, above 100. */
const sizesApart = 53;

/** A customer for each size, among those that a service starts with: studies of one run share a server. */
function customerId(payloadBytes: number): number {
  return 101 + (payloadBytes % sizesApart);
}

/** A façade's read of all attributes of a customer whose values take so many bytes together. */
export function largeCustomer(payloadBytes: number): Pick<Task, "variants" | "answerKeys" | "expected" | "setup"> {
  const count = customerAttributes.length;
  const id = customerId(payloadBytes);
  const customer = { ...firstValues(count), id, address: "x".repeat(payloadBytes - restBytes) };
  const updateMask = firstFields(count).join(",");
  return {
    variants: { facade: facadeRead(id, count) },
    answerKeys: firstFields(count),
    expected: customer,
    setup: [{ operation: `${customerService}.UpdateCustomer`, request: { customer, updateMask } }],
  };
}

/** Sends an address. With a mask of only the name it is left out, so that the answer is short. */
export function addressStep(id: number, address: string, updateMask: "address" | "name"): Step {
  const customer = { id, name: "Ada", address };
  return { operation: `${customerService}.UpdateCustomer`, request: { customer, updateMask } };
}

// Callers that think between small calls, for studies of waiting that vary the number of callers and the think time.

/** Far enough that a new connection or a queue costs a visible round trip, and near enough for many calls. */
const rttMs = 5;

/** Calls of a single caller in a round, without a pause. They feed the model. */
const callsOfFed = 60;

type Conditions = Pick<Task, "settings" | "needs"> & Required<Pick<Task, "styles">>;

/** @param thinkMs mean of an exponential distribution. @param calls calls of each caller in a round. */
export function thinkingCallers(conditions: Conditions, callers: number, thinkMs: number, calls: number): Task {
  return {
    name: "hello",
    factors: {},
    ...conditions,
    links: [{ ...linkDefaults, rttMs }],
    onFloor: false,
    ...greeting,
    load: { pacer: closedLoop({ thinkMs, thinkTime: "exponential" }) },
    callers,
    tasksPerRound: calls * callers,
    tasksPerBlock: calls * callers,
  };
}

export function singleCaller(conditions: Conditions): Task {
  return thinkingCallers(conditions, 1, 0, callsOfFed);
}

// Incompressible streams of bytes, down and up.

const payloadService = "roundtrip.v1.PayloadService";
const usualChunkBytes = 65_536;

/** A stream of this many bytes from the server, in messages of so many. */
export function downloaded(sizeBytes: number, chunkBytes = usualChunkBytes): { readonly streamed: Plan } {
  return {
    streamed: sequentialPlan({
      operation: `${payloadService}.Download`,
      request: { sizeBytes, chunkBytes },
      needs: "serverStream",
    }),
  };
}

/** A stream of this many bytes to the server, in messages of so many. */
export function uploaded(sizeBytes: number, chunkBytes = usualChunkBytes): { readonly streamed: Plan } {
  return {
    streamed: sequentialPlan({
      operation: `${payloadService}.Upload`,
      request: {},
      needs: "clientStream",
      source: { field: "data", sizeBytes, chunkBytes },
    }),
  };
}

/** Text that hardly compresses and that no style escapes: letters, digits, `+` and `/`. The same in every run. */
export function incompressibleText(bytes: number): string {
  return createHash("shake256", { outputLength: bytes }).update("roundtrip").digest("base64").slice(0, bytes);
}

/** Text that compresses like prose, about threefold: words of Zipf's frequencies, longer if they are rare. The same in every run. */
export function proseText(bytes: number): string {
  const drawn = createHash("shake256", { outputLength: 4 * bytes })
    .update("prose")
    .digest();
  const syllables = [
    "al",
    "be",
    "cor",
    "den",
    "er",
    "fin",
    "go",
    "his",
    "in",
    "ket",
    "lo",
    "men",
    "nor",
    "ous",
    "per",
    "ti",
  ];
  let text = "";
  for (let at = 0; text.length < bytes; at += 4) {
    const rank = Math.floor(2_000 ** (drawn.readUInt32BE(at) / 2 ** 32));
    for (let rest = rank; rest > 0; rest = Math.floor(rest / syllables.length))
      text += syllables[rest % syllables.length];
    text += " ";
  }
  return text.slice(0, bytes);
}
