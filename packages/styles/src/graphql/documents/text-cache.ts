// A cache by the text of documents, which callers write.

/** Maximum length of all cached texts together, in UTF-16 code units. A parsed document takes some hundred times the memory of its text. */
const maxCharacters = 2 ** 17;

/** The least that a text counts for, because each entry takes memory of its own. */
const leastCharacters = 2 ** 7;

/** Maximum number of cached texts. */
export const maxCachedTexts = maxCharacters / leastCharacters;

/** Empties itself when it is full. A text beyond its size is not kept. */
export class TextCache<Value> {
  readonly #known = new Map<string, Value>();
  readonly #onEmptied: () => void;
  #characters = 0;

  /** @param onEmptied is called each time that the cache empties itself. */
  constructor(onEmptied: () => void = () => undefined) {
    this.#onEmptied = onEmptied;
  }

  get(text: string): Value | undefined {
    return this.#known.get(text);
  }

  /** Returns whether the text is kept. */
  set(text: string, value: Value): boolean {
    const characters = Math.max(text.length, leastCharacters);
    if (characters > maxCharacters) return false;
    if (this.#known.has(text)) return true;
    this.#characters += characters;
    if (this.#characters > maxCharacters) {
      this.#known.clear();
      this.#onEmptied();
      this.#characters = characters;
    }
    this.#known.set(text, value);
    return true;
  }
}
