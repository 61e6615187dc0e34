// One call by curl: what is typed, and what must come back.

export interface CurlCall {
  /** Permanent: what an allowance names. */
  readonly id: string;
  /** What a caller relies on, in one sentence. */
  readonly about: string;
  readonly style: string;
  /** What follows `curl`; `$URL` stands for the address of the style's server. */
  readonly arguments: readonly string[];
  /** What curl reads from standard input, in hexadecimal; empty for nothing. */
  readonly input: string;
  readonly status: number;
  /** Headers and trailers by name in lower case; each value has to match from its beginning to its end. */
  readonly headers: Readonly<Record<string, RegExp>>;
  /** What the body has to match somewhere. */
  readonly body: RegExp;
}
