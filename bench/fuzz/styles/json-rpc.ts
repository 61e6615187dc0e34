// JSON-RPC: requests that would cost a server far more than their size. It carries what JSON can.
import { corrupted, jsonRpcClient, rawAnswer } from "@roundtrip/styles/fuzzing";
import { httpAnswerFaults, notFiniteInAnyJson, type FuzzedStyle, type StyleAttack } from "../fuzzed-style.ts";

/** @param change makes the body from that of a valid call. */
function refuses(
  name: string,
  change: (call: string) => string,
  code: "RESOURCE_EXHAUSTED" | "INVALID_ARGUMENT" | "UNIMPLEMENTED",
): StyleAttack {
  return {
    name,
    send: corrupted(jsonRpcClient, ({ body }) => ({ body: Buffer.from(change(body.toString())) })),
    answers: [rawAnswer(200, code)],
  };
}

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

const attacks: readonly StyleAttack[] = [
  refuses(
    "a batch of a thousand calls is refused, and none of the calls is made",
    (call) => `[${Array.from({ length: 1_000 }, () => call).join(",")}]`,
    "RESOURCE_EXHAUSTED",
  ),
  refuses("a batch of batches is refused", (call) => `[[${call}]]`, "INVALID_ARGUMENT"),
  refuses("a body that nests arrays without end is refused", () => nested(100_000), "INVALID_ARGUMENT"),
  refuses(
    "params that nest without end are refused",
    (call) => call.replace('"params":{', `"params":{"texts":${nested(100_000)},`),
    "INVALID_ARGUMENT",
  ),
  refuses(
    "an id that is no id is refused",
    (call) => call.replace(/"id":\d+/, `"id":${nested(100_000)}`),
    "INVALID_ARGUMENT",
  ),
  refuses(
    "a method name of 200 KB is refused, and not repeated in the answer",
    (call) => call.replace(/"method":"[^"]+"/, `"method":"${"m".repeat(200_000)}"`),
    "UNIMPLEMENTED",
  ),
];

export const fuzzed: FuzzedStyle = {
  notation: "json",
  attacks,
  answerFaults: httpAnswerFaults,
  knownLimits: [notFiniteInAnyJson],
};
