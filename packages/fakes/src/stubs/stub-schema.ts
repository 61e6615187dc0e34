// The form of stubs in files and programs. `schema/stubs.v1.schema.json` is made from it.
import type { JsonValue } from "@bufbuild/protobuf";
import type * as Zod from "zod";
import { expecting, lazily, oneOf, withAlternatives } from "../files/checked.ts";
import { errorSchema } from "../files/written-error.ts";

/** Longer patterns are refused. */
const maxPatternCharacters = 1_000;

/** `{ matches }` or `{ glob }`. */
export const textPatternSchema = lazily((z) => {
  const source = z.string().max(maxPatternCharacters);
  const schema = z.strictObject({
    matches: source
      .optional()
      .describe("A regular expression in the syntax of RE2. It may match any part of the text; ^ and $ anchor it."),
    glob: source
      .optional()
      .describe("Matches the whole text: * is any text, ? one character, and \\ takes the next character as it is."),
  });
  return withAlternatives(schema, { id: "textPattern", title: "a pattern" }, oneOf(["matches", "glob"]));
});

function makeSchemas(z: typeof Zod) {
  const message = (z.unknown() as unknown as Zod.ZodType<JsonValue>).meta({
    id: "message",
    title: "a message in ProtoJSON",
    description: "Fields by their names in JSON or in the contract. A missing field has its zero value.",
  });
  const condition = z.union(
    [z.string(), z.null(), textPatternSchema()],
    expecting("a text, a pattern or null"),
  ) as unknown as Zod.ZodType<JsonValue>;
  const headers = z.record(z.string(), z.string());
  const answerMembers = {
    response: message.optional().describe("The answer of an operation that returns one message."),
    responses: z
      .array(message)
      .readonly()
      .optional()
      .describe("The answers of an operation that streams them. With error, the stream fails after them."),
    error: errorSchema().optional().describe("How the call fails."),
    "made-up": z
      .literal(true)
      .optional()
      .describe("The answer that the fake would give without the stub. The fields of a response replace its own."),
    keep: z
      .boolean()
      .optional()
      .describe(
        "Whether the answer becomes a resource of the session. Default: if the operation is a standard Create.",
      ),
    headers: headers.optional().describe("Headers, or metadata in gRPC, that are sent with the answer or the error."),
    template: z
      .boolean()
      .optional()
      .describe("Whether texts take {{request.FIELD}} and {{headers.NAME}} from the call."),
  };
  const answerText = "response, responses, error, made-up, made-up and response";
  const alternatives = {
    response: ["responses", "error", "made-up"],
    responses: ["response", "made-up"],
    error: ["response", "responses", "made-up"],
    // With or without a response.
    "made-up": ["responses", "error"],
  };
  const answer = withAlternatives(
    z.strictObject(answerMembers),
    { id: "answer", title: "an answer" },
    alternatives,
    `${answerText}, or responses and error`,
  );
  const stub = withAlternatives(
    z.strictObject({
      operation: z
        .string()
        .min(1)
        .describe("The operation's id, or an unambiguous end of it: GetCustomer, CustomerService.GetCustomer."),
      when: message
        .optional()
        .describe(
          "A part of the request; for a stream, of the first request. Its members must be present and equal. { matches: REGEX } and { glob: TEXT } match texts, { contains: ELEMENT } matches lists, null matches an unset field. Default: every request.",
        ),
      "when-headers": z
        .record(z.string(), condition)
        .optional()
        .describe("Conditions on headers, or metadata in gRPC: texts, patterns, or null for one that must be missing."),
      ...answerMembers,
      answers: z
        .array(answer)
        .min(1)
        .readonly()
        .optional()
        .describe("Answers in sequence, one for each matching call of a session; the last one repeats."),
    }),
    { id: "stub", title: "a stub" },
    {
      ...Object.fromEntries(Object.entries(alternatives).map(([name, others]) => [name, [...others, "answers"]])),
      answers: Object.keys(answerMembers),
    },
    `${answerText}, answers, or responses and error`,
  );
  return { answer, stub, file: z.union([z.array(stub), stub]) };
}

/** The forms of a stub, and of a document with one or a list of them. */
export const stubSchemas = lazily(makeSchemas);

type Schemas = ReturnType<typeof makeSchemas>;

/** One answer to one call. */
export type StubAnswer = Zod.infer<Schemas["answer"]>;

/** An answer to some requests, or several in sequence. Messages are in ProtoJSON; missing fields have their zero value. */
export type Stub = Zod.infer<Schemas["stub"]>;

/** The sequence of a stub's answers. */
export function answersOf({ answers, ...stub }: Stub): readonly StubAnswer[] {
  return answers ?? [stub];
}
