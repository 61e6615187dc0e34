// A stream whose first value can be looked at before it is decided who reads the stream.

export class PeekedRequests<T> implements Disposable {
  readonly #source: AsyncIterator<T, unknown>;
  #first: Promise<IteratorResult<T, unknown>> | undefined;

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The first value, which {@link all} gives again; undefined for a stream of none. Rejects with what the stream fails with. */
  async first(): Promise<T | undefined> {
    this.#first ??= this.#source.next();
    const result = await this.#first;
    return result.done === true ? undefined : result.value;
  }

  /** The whole stream, to be read once. */
  async *all(): AsyncGenerator<T, void, undefined> {
    let result = await (this.#first ?? this.#source.next());
    for (; result.done !== true; result = await this.#source.next()) yield result.value;
  }

  /** Reads to the end. */
  async drain(): Promise<void> {
    const values = this.all();
    while ((await values.next()).done !== true);
  }

  /** Tells the stream that nobody reads on, and waits for nothing: whoever writes it may have nothing to say for long. */
  [Symbol.dispose](): void {
    this.#source.return?.().catch(() => undefined);
  }
}
