// What reaches the terminal: names, messages and files from outside must not steer it. Everything that the program prints passes here, so that no place
// that prints can forget it. `main.ts` calls this before anything else, and it loads nothing.

/** Control characters but tab and line break, and what reorders or breaks a line in Unicode, or is not seen in it. */
const steering = String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]|\r(?!\n)`;
const steeringPattern = new RegExp(steering, "g");

/** As JSON and TypeScript have it too, so that their texts keep their values. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The text with what would steer a terminal as escapes, such as `\u001b`. */
export function withoutSteering(text: string): string {
  return text.replaceAll(steeringPattern, escaped);
}

/** Four digits at most, as terminals and libraries that measure texts read them. */
function randomParameter(): string {
  return String(Math.floor(Math.random() * 10_000));
}

const ownParameters = [1, 2, 3].map(randomParameter).join(";");

/** Begins a control sequence that this program itself prints. Its parameters are new in each process, so that no text from outside has them. */
export const ownIntroducer = `\u001B[${ownParameters};`;

const ownOrSteering = new RegExp(String.raw`\u001B\[${ownParameters};([\d;]*m)|${steering}`, "g");

/** What `node:readline` writes to redraw a line, each in a write of its own. */
const redrawing: ReadonlySet<unknown> = new Set(["\u001B[1G", "\u001B[0K", "\u001B[2K"]);

function printed(chunk: unknown): unknown {
  if (redrawing.has(chunk)) return chunk;
  const text = chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);
  return text.replaceAll(ownOrSteering, (found: string, own?: string) =>
    own === undefined ? escaped(found) : `\u001B[${own}`,
  );
}

/** Cleans everything that is written to a stream from now on. */
export function guardTerminal(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...others: readonly unknown[]) => boolean;
  stream.write = (chunk: unknown, ...others: readonly unknown[]) => write(printed(chunk), ...others);
}
