// Tries the calls of each stack or target once before the measurement. Calls that one of them does not support are reported by name and left out.
import { CallError, type Client } from "@roundtrip/contract";
import { isDeepStrictEqual } from "node:util";
import type { Measurable } from "./derived-task.ts";
import { failureText, rehearse } from "./rehearsed-calls.ts";

export interface TitledClient {
  /** For readers, such as `REST`. */
  readonly title: string;
  readonly client: Client;
}

/** Why a call cannot be measured. */
export interface NotSupported {
  readonly why: string;
  /** Whether a style cannot carry this request; it may carry others. */
  readonly isNotCarried: boolean;
}

/** Why a call cannot be measured over one of the stacks or targets; undefined if all answer alike. */
export async function reasonNotSupported(
  clients: readonly TitledClient[],
  { call, answer, same }: Pick<Measurable, "call" | "answer" | "same">,
): Promise<NotSupported | undefined> {
  for (const { title, client } of clients) {
    try {
      const { measured } = await rehearse(client, call.operation, call.request);
      const key = same.find((one) => !isDeepStrictEqual(measured[one], answer[one]));
      if (key !== undefined) return { why: `answered otherwise over ${title}: of "${key}"`, isNotCarried: false };
    } catch (thrown) {
      const isNotCarried = CallError.from(thrown).code === "UNIMPLEMENTED";
      return { why: `over ${title} ${failureText(thrown)}`, isNotCarried };
    }
  }
  return undefined;
}
