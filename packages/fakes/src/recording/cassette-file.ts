// Keeps a growing recording in a file, which is complete at any time. A killed process loses only the last moments.
import type { Stub } from "../stubs/stub.ts";
import type { Cassette } from "./cassette.ts";
import { requireWritable, writeCassette, writtenStub } from "./write-cassette.ts";

/** The time from an answer until it is written, so that answers are written in batches. */
const leastPauseMs = 200;
/** Pauses take this many times as long as writing, so that a large recording does not block calls. */
const pausesPerWrite = 10;

export class CassetteFile {
  readonly #path: string;
  readonly #cassette: Cassette;
  readonly #onFault: (thrown: unknown) => void;
  /** Stubs that are written already: most do not change. */
  readonly #written = new WeakMap<Stub, string>();
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();
  /** Whether there are unwritten changes. */
  #isBehind = false;
  #isClosed = false;
  #pauseMs = leastPauseMs;

  private constructor(path: string, cassette: Cassette, onFault: (thrown: unknown) => void) {
    this.#path = path;
    this.#cassette = cassette;
    this.#onFault = onFault;
    cassette.onChange(() => this.#writeLater());
  }

  /**
   * Writes a recording to a file from now on. An existing file stays until something is recorded. Rejects with a FakeError `unwritable`.
   * @param onError called if the file cannot be written later; the next answer triggers another attempt
   */
  static async follow(path: string, cassette: Cassette, onFault: (thrown: unknown) => void): Promise<CassetteFile> {
    await requireWritable(path);
    return new CassetteFile(path, cassette, onFault);
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
    } catch (thrown) {
      this.#onFault(thrown);
    }
    this.#timer = undefined;
    if (this.#isBehind) this.#writeLater();
  }

  async #write(): Promise<void> {
    const startedAt = performance.now();
    const stubs = this.#cassette.stubs;
    await writeCassette(this.#path, stubs, (stub) => this.#textOf(stub));
    this.#pauseMs = Math.max(leastPauseMs, pausesPerWrite * (performance.now() - startedAt));
  }

  #textOf(stub: Stub): string {
    let text = this.#written.get(stub);
    if (text === undefined) this.#written.set(stub, (text = writtenStub(this.#path, stub)));
    return text;
  }
}
