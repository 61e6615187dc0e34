// Hand-written HTTP/2, for frame sequences that no library sends: https://www.rfc-editor.org/rfc/rfc9113#section-4.
export const connectionPreface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const frameFlags = { endStream: 1, acknowledge: 1, endHeaders: 4 } as const;

/** One frame with its 9-byte header. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

export interface ReadFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** Without padding and priority. */
  readonly payload: Buffer;
}

const [padded, withPriority] = [0x8, 0x20];

function contentOf(type: number, flags: number, payload: Buffer): Buffer {
  if (type !== frameTypes.data && type !== frameTypes.headers) return payload;
  const isPadded = (flags & padded) !== 0;
  const start = (isPadded ? 1 : 0) + (type === frameTypes.headers && (flags & withPriority) !== 0 ? 5 : 0);
  return payload.subarray(start, payload.length - (isPadded ? (payload[0] ?? 0) : 0));
}

/** The frames that a client sent after its preface. */
export function framesIn(bytes: Buffer): readonly ReadFrame[] {
  const frames: ReadFrame[] = [];
  for (let at = connectionPreface.length; at + 9 <= bytes.length;) {
    const end = at + 9 + bytes.readUIntBE(at, 3);
    const [type, flags] = [bytes.readUInt8(at + 3), bytes.readUInt8(at + 4)];
    const stream = bytes.readUInt32BE(at + 5) & 0x7f_ff_ff_ff;
    frames.push({ type, flags, stream, payload: contentOf(type, flags, bytes.subarray(at + 9, end)) });
    at = end;
  }
  return frames;
}
