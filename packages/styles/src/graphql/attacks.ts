// GraphQL documents that would cost a server far more than their size.
import type { StyleAttack } from "../basics/attacks.ts";
import { rawAnswer } from "../basics/misuse.ts";
import { corrupted } from "../shared/http/http-misuse.ts";
import { graphqlClient } from "./client.ts";

/** A status other than 200 means that the answer has no data: no operation was called. */
function refuses(
  name: string,
  query: string,
  code: "RESOURCE_EXHAUSTED" | "INVALID_ARGUMENT" = "RESOURCE_EXHAUSTED",
): StyleAttack {
  const body = Buffer.from(JSON.stringify({ query }));
  return {
    name,
    send: corrupted(graphqlClient, () => ({ body })),
    answers: [rawAnswer(400, code)],
  };
}

function times(count: number, textAt: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => textAt(at)).join(" ");
}

export const attacks: readonly StyleAttack[] = [
  refuses("a document with ten thousand aliases is refused", `{ ${times(10_000, (at) => `a${at}: __typename`)} }`),
  refuses(
    "a document that calls one operation thousands of times is refused, and none of the calls is made",
    `{ ${times(3_300, (at) => `c${at}: look(text: "x") { request { text } }`)} }`,
  ),
  refuses(
    "a list that is asked for under hundreds of names is refused",
    `{ look(text: "x") { request { ...names } } } fragment names on LookRequest { ${times(500, (at) => `a${at}: text`)} }`,
  ),
  refuses(
    "fragments that hold each other thousandfold are refused",
    `{ ...f0 } ${times(20, (at) => `fragment f${at} on Query { ${`...f${at + 1} `.repeat(10)} }`)} fragment f20 on Query { __typename }`,
  ),
  refuses(
    "a document that nests lists without end is refused",
    `{ look(texts: ${"[".repeat(8_000)}${"]".repeat(8_000)}) { request { text } } }`,
    "INVALID_ARGUMENT",
  ),
];
