// A protobuf message that costs a server far more than its size: it nests deeper than any limit.

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** A message whose levels are each field 1 or 2 of the level above: `values.tree.only.only…` of the conformance contract. */
export function deepMessage(levels: number): Buffer {
  const headers: Buffer[] = [];
  let length = 0;
  for (const field of [...Array.from({ length: levels }, () => 2), 8, 1]) {
    const header = Buffer.concat([Buffer.of((field << 3) | 2), varint(length)]);
    headers.push(header);
    length += header.length;
  }
  return Buffer.concat(headers.toReversed());
}
