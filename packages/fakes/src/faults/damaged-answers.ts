// Damages answers: cuts them in the middle, or delays each message.
import type { Message } from "@bufbuild/protobuf";
import { ConnectionCut } from "@roundtrip/contract";
import { draw, type DrawKey } from "./decide.ts";
import { delayMs } from "./delays.ts";
import type { Delay } from "./fault-plan.ts";
import { isWaitable, wait } from "./wait.ts";

/** Cuts an answer in its middle. A call that fails is cut too, without the error. */
export async function truncated(answer: () => Message | Promise<Message>): Promise<never> {
  let message: Message;
  try {
    message = await answer();
  } catch {
    throw new ConnectionCut();
  }
  throw new ConnectionCut(message);
}

/** The first `whole` messages, and the next one cut in its middle. A shorter or failing stream ends without its proper end. */
export async function* truncatedStream(
  messages: AsyncIterable<Message>,
  whole: number,
): AsyncGenerator<Message, void, undefined> {
  let index = 0;
  try {
    for await (const message of messages) {
      if (index === whole) throw new ConnectionCut(message);
      index += 1;
      yield message;
    }
  } catch (thrown) {
    throw thrown instanceof ConnectionCut ? thrown : new ConnectionCut();
  }
  throw new ConnectionCut();
}

/** The same messages, each after a delay. The signal ends the delay. */
export async function* slowed(
  messages: AsyncIterable<Message>,
  between: Delay,
  { drawKey, signal }: { readonly drawKey: DrawKey; readonly signal: AbortSignal },
): AsyncGenerator<Message, void, undefined> {
  let index = 0;
  for await (const message of messages) {
    const ms = delayMs(between, draw(drawKey, `message ${index}`));
    if (isWaitable(ms)) await wait(ms, signal);
    index += 1;
    yield message;
  }
}
