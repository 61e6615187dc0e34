// SOAP: documents that cost an unprepared parser far more than their size, faults in answers, and values that XML cannot carry.
import { CallError } from "@roundtrip/contract";
import { corrupted, isXmlText, rawAnswer, soapClient } from "@roundtrip/styles/fuzzing";
import {
  undeclaredEnumValue,
  httpAnswerFaults,
  type AnswerFaults,
  type CallMessages,
  type FuzzedStyle,
  type KnownLimit,
  type StyleAttack,
} from "../fuzzed-style.ts";

/** @param attack makes the document from a valid one */
function refuses(name: string, attack: (document: string) => string): StyleAttack {
  return {
    name,
    send: corrupted(soapClient, ({ body }) => ({ body: Buffer.from(attack(body.toString())) })),
    answers: [rawAnswer(500, "INVALID_ARGUMENT")],
  };
}

/** Puts text before the end of the call's element. */
function inside(document: string, text: string): string {
  return document.replace(/(?=<\/m:\w+><\/s:Body>)/, () => text);
}

const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join("");

const attacks: readonly StyleAttack[] = [
  refuses(
    "entities that multiply a billion times are refused",
    (document) => `<!DOCTYPE l [<!ENTITY l0 "lol">${laughs}]>${inside(document, "<values>&l9;</values>")}`,
  ),
  refuses(
    "one large entity that is used thousands of times is refused",
    (document) =>
      `<!DOCTYPE l [<!ENTITY a "${"a".repeat(50_000)}">]>${inside(document, `<values>${"&a;".repeat(10_000)}</values>`)}`,
  ),
  refuses(
    "an entity that names a file is refused",
    (document) => `<!DOCTYPE f [<!ENTITY f SYSTEM "file:///etc/passwd">]>${inside(document, "<values>&f;</values>")}`,
  ),
  refuses(
    "a document type at an address is refused",
    (document) => `<!DOCTYPE f SYSTEM "http://127.0.0.1:9/never.dtd">${document}`,
  ),
  refuses("an entity without a declaration is refused", (document) => inside(document, "<values>&nbsp;</values>")),
  refuses(
    "a processing instruction is refused",
    (document) => `<?xml-stylesheet href="file:///etc/passwd"?>${document}`,
  ),
  refuses("ten thousand nested elements are refused", (document) =>
    inside(document, `<values><tree>${"<only>".repeat(10_000)}${"</only>".repeat(10_000)}</tree></values>`),
  ),
  refuses("ten thousand nested elements in a header are refused", (document) =>
    document.replace("<s:Body>", `<s:Header>${"<a>".repeat(10_000)}${"</a>".repeat(10_000)}</s:Header><s:Body>`),
  ),
  refuses("thousands of attributes are refused", (document) =>
    document.replace(
      "<s:Body",
      `<s:Body ${Array.from({ length: 5_000 }, (_, at) => `a${at}="${"x".repeat(20)}"`).join(" ")}`,
    ),
  ),
  refuses("thousands of declarations of namespaces are refused", (document) =>
    document.replace(
      "<s:Body",
      `<s:Body ${Array.from({ length: 5_000 }, (_, at) => `xmlns:a${at}="urn:${at}"`).join(" ")}`,
    ),
  ),
  refuses("an attribute of two hundred thousand letters is refused", (document) =>
    inside(document, `<values large="${"x".repeat(200_000)}"/>`),
  ),
  refuses("a number of two hundred thousand digits is refused", (document) =>
    inside(document, `<values><scalars><int64_value>${"9".repeat(200_000)}</int64_value></scalars></values>`),
  ),
  refuses(
    "a document in another encoding is refused",
    (document) => `<?xml version="1.0" encoding="utf-16"?>${document}`,
  ),
  refuses("a document in UTF-7 is refused", (document) => `<?xml version="1.0" encoding="utf-7"?>${document}`),
];

const codeFault = /<code>(?:INTERNAL|UNKNOWN)<\/code>/;
/** A fault of SOAP has a detail; other 5xx answers are HTTP's own. */
const bareFault = /^HTTP\/1\.1 5\d\d(?![\s\S]*<code>)/;

const answerFaults: AnswerFaults = {
  framing: httpAnswerFaults.framing,
  isComplete: httpAnswerFaults.isComplete,
  faultIn(answer) {
    const text = answer.toString("latin1");
    return (codeFault.exec(text) ?? bareFault.exec(text))?.[0];
  },
};

/** Whether XML can carry every text in a value, keys of maps included. */
function isSpeakable(value: unknown): boolean {
  if (typeof value === "string") return isXmlText(value);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
  return Object.entries(value).every(([key, inner]) => isXmlText(key) && isSpeakable(inner));
}

function hasUnspeakableError({ reply: { error } }: CallMessages): boolean {
  return error instanceof CallError && !isSpeakable([error.message, error.details]);
}

const reason = "XML 1.0 has no control characters except tab and line breaks, not even escaped";

const knownLimits: readonly KnownLimit[] = [
  {
    reason,
    compared: "nothing",
    appliesTo: ({ requests, reply }) => !isSpeakable([...requests, ...reply.answers]),
  },
  {
    reason: `${reason}: the text of an error has a replacement character instead`,
    compared: "code",
    appliesTo: hasUnspeakableError,
  },
  undeclaredEnumValue("an enumeration of XML Schema has only its declared names"),
];

export const fuzzed: FuzzedStyle = { notation: "xml", attacks, answerFaults, knownLimits };
