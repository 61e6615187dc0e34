// Reads what connectconformance prints: each failed case with its faults, and at the end how many there were.
export interface FailedCase {
  /** Suite and case, such as `Basic/unary/success`, without the permutation. */
  readonly name: string;
  /** The first line of each fault; the lines of a difference are left out. */
  readonly faults: readonly string[];
}

export interface Cases {
  readonly total: number;
  readonly passed: number;
  readonly failed: readonly FailedCase[];
}

/** Parts of a name that are only those of a permutation: `TLS:true`, `Compression:COMPRESSION_GZIP`, `(grpc client impl)`. */
const permutation = /^\w+:\w+$|^\(.*\)$/;

function nameOf(full: string): string {
  const parts = full.split("/").filter((part) => !permutation.test(part));
  return parts.join("/");
}

function faultsIn(lines: readonly string[]): readonly string[] {
  // What the reference client adds is followed by "; ", and differences begin with a sign or a space.
  const faults = lines.map((line) => /^\t(?:; )?(\w.*)$/.exec(line)?.[1]).filter((fault) => fault !== undefined);
  return faults.length > 0 ? faults : ["no reason"];
}

/** Throws an Error for output without an end, and for cases that did not run. */
export function casesIn(output: string): Cases {
  const [, total, passed, failures] = /^Total cases: (\d+)\n(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  if (total === undefined || output.includes("could not be run")) {
    throw new Error(`connectconformance did not run all cases:\n${output.slice(-2000)}`);
  }
  const failed: FailedCase[] = [];
  const blocks = output.split(/^FAILED: /m).slice(1);
  for (const block of blocks) {
    const [title = "", ...lines] = block.split("\n");
    failed.push({
      name: nameOf(title.replace(/:$/, "")),
      faults: faultsIn(lines.filter((line) => line.startsWith("\t"))),
    });
  }
  if (failed.length !== Number(failures)) throw new Error(`${failures} cases failed, and ${failed.length} were read`);
  return { total: Number(total), passed: Number(passed), failed };
}
