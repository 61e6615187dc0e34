// HTTP headers as the metadata of a call, converted on first use, because most handlers never read them.

/** Headers of Node.js and undici: names in lower case. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The headers of a request, names in lower case; repeated headers are joined with ", ". */
export class HeaderMap<S> implements ReadonlyMap<string, string> {
  readonly #source: S;
  readonly #read: (source: S) => Headers;
  readonly #lacks: (source: S, name: string) => boolean;
  #map: ReadonlyMap<string, string> | undefined;

  /** @param read returns all headers; called once, on first use. @param lacks whether a name is certainly missing, as most looked-up names are. */
  constructor(source: S, read: (source: S) => Headers, lacks: (source: S, name: string) => boolean = () => false) {
    this.#source = source;
    this.#read = read;
    this.#lacks = lacks;
  }

  get #entries(): ReadonlyMap<string, string> {
    return (this.#map ??= new Map(
      Object.entries(this.#read(this.#source)).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")] as const],
      ),
    ));
  }

  get size(): number {
    return this.#entries.size;
  }

  get(name: string): string | undefined {
    return this.#surelyLacks(name) ? undefined : this.#entries.get(name);
  }

  has(name: string): boolean {
    return !this.#surelyLacks(name) && this.#entries.has(name);
  }

  keys(): MapIterator<string> {
    return this.#entries.keys();
  }

  values(): MapIterator<string> {
    return this.#entries.values();
  }

  entries(): MapIterator<[string, string]> {
    return this.#entries.entries();
  }

  forEach(visit: (value: string, key: string, map: ReadonlyMap<string, string>) => void): void {
    for (const [key, value] of this.#entries) visit(value, key, this);
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.#entries.entries();
  }
  #surelyLacks(name: string): boolean {
    return this.#map === undefined && this.#lacks(this.#source, name);
  }
}
