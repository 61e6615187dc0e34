// A recording in its file while it grows: who is killed has lost little of it, and what is there can be read at any time.
import type { Stub } from "../stubs/stub.ts";
import type { Cassette } from "./cassette.ts";
import { requireWritable, writeCassette, writtenStub } from "./write-cassette.ts";

/** From an answer until it is written: answers that come together are written together. */
const leastPauseMs = 200;
/** A pause is as many times as long as writing took: a large recording keeps nobody from calling. */
const pausesPerWrite = 10;

export class CassetteFile {
  readonly #path: string;
  readonly #cassette: Cassette;
  readonly #onFault: (thrown: unknown) => void;
  /** Stubs that were written before: most stay as they are. */
  readonly #written = new WeakMap<Stub, string>();
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();
  /** Whether there is something that was not written. */
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
   * Keeps a recording in a file from now on. A file that is there stays until something is recorded. Rejects with a FakeError `unwritable`.
   * @param onFault hears when the file cannot be written later; it is written again after the next answer.
   */
  static async follow(path: string, cassette: Cassette, onFault: (thrown: unknown) => void): Promise<CassetteFile> {
    await requireWritable(path);
    return new CassetteFile(path, cassette, onFault);
  }

  /** Writes all there is. Rejects with a FakeError `unwritable`. */
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
