// Tries the calls of each stack or target once before the measurement. Calls that one of them does not support are reported by name and left out.
import type { Client } from "@roundtrip/contract";
import { isDeepStrictEqual } from "node:util";
import type { Measurable } from "./derived-task.ts";
import { failureText, rehearse } from "./rehearsed-calls.ts";

export interface TitledClient {
  /** For readers, such as `REST`. */
  readonly title: string;
  readonly client: Client;
}

/** Why a call cannot be measured over one of the stacks or targets; undefined if all answer alike. */
export async function reasonNotSupported(
  clients: readonly TitledClient[],
  { call, answer, same }: Pick<Measurable, "call" | "answer" | "same">,
): Promise<string | undefined> {
  for (const { title, client } of clients) {
    try {
      const { measured } = await rehearse(client, call.operation, call.request);
      const key = same.find((one) => !isDeepStrictEqual(measured[one], answer[one]));
      if (key !== undefined) return `answered otherwise over ${title}: of "${key}"`;
    } catch (thrown) {
      return `over ${title} ${failureText(thrown)}`;
    }
  }
  return undefined;
}
