// Keeps a growing recording in a file, which is complete at any time. A killed process loses only the last moments.
import type { Stub } from "../stubs/stub-schema.ts";
import type { Recording } from "./recording.ts";
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { FakeError } from "../basics/fake-error.ts";
import { writeStubs } from "../stubs/read-stubs.ts";

function isJson(path: string): boolean {
  return extname(path).toLowerCase() === ".json";
}

/** Writes a temporary file next to the target, and passes it on. Rejects with a FakeError `unwritable`, and leaves no file then. */
async function writeTemporary(path: string, text: string, use: (temporary: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, text, { flag: "wx" });
    await use(unfinished);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new FakeError("unwritable", `cannot write ${path}: ${(cause as Error).message}`, { cause });
  }
}

/** Rejects with a FakeError `unwritable` if a recording could not be written there. Leaves no new file. */
function requireWritable(path: string): Promise<void> {
  return writeTemporary(path, "", (temporary) => rm(temporary));
}

/** One stub as text of a recording's file. */
function writtenStub(path: string, stub: Stub): string {
  if (!isJson(path)) return writeStubs([stub]);
  return JSON.stringify(stub, null, 2).replaceAll(/^/gm, "  ");
}

/**
 * Writes stubs as a file that `readStubs` reads: JSON if its name ends so, YAML otherwise. Replaces an existing file atomically.
 * Rejects with a FakeError `unwritable`.
 * @param written returns the text of a stub as {@link writtenStub} does
 */
export async function writeRecording(
  path: string,
  stubs: readonly Stub[],
  written: (stub: Stub) => string = (stub) => writtenStub(path, stub),
): Promise<void> {
  const texts = stubs.map((stub) => written(stub));
  const yaml = texts.length === 0 ? writeStubs([]) : texts.join("");
  const text = isJson(path) ? `[\n${texts.join(",\n")}\n]\n` : yaml;
  await writeTemporary(path, text, (temporary) => rename(temporary, path));
}

/** The time from an answer until it is written, so that answers are written in batches. */
const leastPauseMs = 200;
/** Pauses take this many times as long as writing, so that a large recording does not block calls. */
const pausesPerWrite = 10;

export class RecordingFile {
  readonly #path: string;
  readonly #recording: Recording;
  readonly #onFault: (thrown: unknown) => void;
  /** Stubs that are written already: most do not change. */
  readonly #written = new WeakMap<Stub, string>();
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();
  /** Whether there are unwritten changes. */
  #isBehind = false;
  #isClosed = false;
  /** Whether the last write failed: a full disk is reported once. */
  #hasFailed = false;
  #pauseMs = leastPauseMs;

  private constructor(path: string, recording: Recording, onFault: (thrown: unknown) => void) {
    this.#path = path;
    this.#recording = recording;
    this.#onFault = onFault;
    recording.onChange(() => this.#writeLater());
  }

  /**
   * Writes a recording to a file from now on. An existing file stays until something is recorded. Rejects with a FakeError `unwritable`.
   * @param onFault called once if the file cannot be written later; each further answer triggers another attempt
   */
  static async follow(path: string, recording: Recording, onFault: (thrown: unknown) => void): Promise<RecordingFile> {
    await requireWritable(path);
    return new RecordingFile(path, recording, onFault);
  }

  /** Writes all unwritten changes. Rejects with a FakeError `unwritable`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#write();
  }

  #writeLater(): void {
    this.#isBehind = true;
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#writing = this.#catchUp();
    }, this.#pauseMs);
  }

  async #catchUp(): Promise<void> {
    this.#isBehind = false;
    try {
      await this.#write();
      this.#hasFailed = false;
    } catch (thrown) {
      if (!this.#hasFailed) this.#onFault(thrown);
      this.#hasFailed = true;
    }
    this.#timer = undefined;
    if (this.#isBehind) this.#writeLater();
  }

  async #write(): Promise<void> {
    const startedAt = performance.now();
    const stubs = this.#recording.stubs;
    await writeRecording(this.#path, stubs, (stub) => this.#textOf(stub));
    this.#pauseMs = Math.max(leastPauseMs, pausesPerWrite * (performance.now() - startedAt));
  }

  #textOf(stub: Stub): string {
    let text = this.#written.get(stub);
    if (text === undefined) this.#written.set(stub, (text = writtenStub(this.#path, stub)));
    return text;
  }
}
