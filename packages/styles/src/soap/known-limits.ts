// Values that XML 1.0 and XML Schema cannot carry.
import { CallError } from "@roundtrip/contract";
import type { CallMessages, KnownLimits } from "../basics/known-limits.ts";
import { anywhere } from "../shared/values-in.ts";
import { isXmlText } from "./xml.ts";

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

export const knownLimits: KnownLimits = {
  calls: [
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
    {
      reason: "an enumeration of XML Schema has only its declared names",
      compared: "nothing",
      appliesTo: anywhere(
        ({ field, value }) => field.enum !== undefined && field.enum.value[value as number] === undefined,
      ),
    },
  ],
  spellings: [],
};
