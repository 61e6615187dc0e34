// HTTP/2 frames as they are on the wire (RFC 9113, section 4.1): what an end says, whatever library says it.

export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

const settingsType = 4;
const windowUpdateType = 8;
/** SETTINGS_INITIAL_WINDOW_SIZE (RFC 9113, section 6.5.2). */
const initialWindowSize = 4;
const headerBytes = 9;

/** A SETTINGS frame that leaves all as it is, or the acknowledgement of one. */
export function settingsFrame({ ack }: { readonly ack: boolean }): Buffer {
  return Buffer.from([0, 0, 0, settingsType, ack ? 1 : 0, 0, 0, 0, 0]);
}

/** All frames that are whole. */
export function framesIn(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at + headerBytes <= bytes.length) {
    const end = at + headerBytes + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    const [type = 0, flags = 0] = bytes.subarray(at + 3, at + 5);
    const stream = bytes.readUInt32BE(at + 5);
    frames.push({ type, flags, stream, payload: bytes.subarray(at + headerBytes, end) });
    at = end;
  }
  return frames;
}

export interface Windows {
  /** Bytes that the other end may have under way on each stream. */
  readonly streamBytes: number;
  /** Bytes that it may have under way on the connection. */
  readonly connectionBytes: number;
}

/** What the other end may send, by these frames of this end: 65,535 bytes each unless it says otherwise. */
export function windowsSaidBy(frames: readonly Frame[]): Windows {
  let streamBytes = 65_535;
  let connectionBytes = 65_535;
  for (const { type, flags, stream, payload } of frames) {
    if (type === settingsType && flags === 0) {
      for (let at = 0; at < payload.length; at += 6) {
        if (payload.readUInt16BE(at) === initialWindowSize) streamBytes = payload.readUInt32BE(at + 2);
      }
    }
    if (type === windowUpdateType && stream === 0) connectionBytes += payload.readUInt32BE(0);
  }
  return { streamBytes, connectionBytes };
}
