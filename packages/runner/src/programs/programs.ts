// What the processes of a pair run: their sources as they are, or what was made of them before the run.
import { extname, join } from "node:path";

export type Role = "server" | "client";

/** The files that processes run. */
export interface Programs {
  fileOf(role: Role, stack: string): string;
}

const extension = extname(import.meta.filename);

/** The file that a server or a client process of any stack runs: it finds its stack when it is told which. */
export function processFile(role: Role): string {
  return join(import.meta.dirname, "..", "processes", `${role}-process${extension}`);
}

/** What {@link answerAsServer} or `answerAsClient` is in, for programs that bring their modules along. */
export function answeringFile(role: Role): string {
  return join(import.meta.dirname, "..", "processes", `answer-as-${role}${extension}`);
}

/** Every process finds and loads its modules one by one. */
export const sourcePrograms: Programs = { fileOf: processFile };
