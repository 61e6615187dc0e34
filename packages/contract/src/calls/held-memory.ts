// The memory that unfinished calls hold, counted for each connection and in all: callers cannot fill a server's memory with requests that wait.
import { CallError } from "../basics/call-error.ts";

/** What the unfinished requests of one connection may hold, in bytes: those that have half arrived, and those whose calls wait. */
export const maxHeldBytesPerConnection = 32 * 1024 * 1024;

/** What the unfinished requests of all connections of a process may hold, in bytes. */
export const maxHeldBytes = 64 * 1024 * 1024;

/** The last part of {@link maxHeldBytes} is for connections that hold no more than this, so that a few greedy ones do not stop all others. */
export const smallShareBytes = 256 * 1024;
export const reservedBytes = 16 * 1024 * 1024;

/** What a waiting call holds beside its request: its timer, its listeners, and the objects of its library. */
export const callBytes = 4 * 1024;

let heldInAll = 0;

export function heldBytes(): number {
  return heldInAll;
}

/** What one connection holds. */
export class HeldMemory {
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes = maxHeldBytesPerConnection) {
    this.#mostBytes = mostBytes;
  }

  /** Takes nothing and returns false if the connection or the process would hold too much. What is taken is given back with {@link giveBack}. */
  take(bytes: number): boolean {
    const own = this.#bytes + bytes;
    const most = own <= smallShareBytes ? maxHeldBytes : maxHeldBytes - reservedBytes;
    if (own > this.#mostBytes || heldInAll + bytes > most) return false;
    this.#bytes = own;
    heldInAll += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
    heldInAll -= bytes;
  }
}

const ofConnections = new WeakMap<object, HeldMemory>();
const withoutConnection = new HeldMemory(maxHeldBytes);

/** @param connection what identifies it in the process, always the same object: a socket, or a session of HTTP/2. Undefined: only the total counts. */
export function heldBy(connection: object | undefined): HeldMemory {
  if (connection === undefined) return withoutConnection;
  let memory = ofConnections.get(connection);
  if (memory === undefined) ofConnections.set(connection, (memory = new HeldMemory()));
  return memory;
}

export function memoryExhausted(): CallError {
  return new CallError("RESOURCE_EXHAUSTED", "too many unfinished requests are held in memory: wait for their answers");
}

// The memory of a message.

const objectBytes = 56;
const listBytes = 32;
const slotBytes = 8;
const textBytes = 24;
const bigintBytes = 24;
const viewBytes = 112;

/** Beyond Latin-1, a character takes two bytes. */
const isWide = /[\u0100-\uFFFF]/;

function bytesOfText(text: string): number {
  return textBytes + (text.length > 1024 && isWide.test(text) ? 2 * text.length : text.length);
}

function bytesOfList(list: readonly unknown[]): number {
  // Lists of a message have values of one type.
  if (typeof list[0] === "number" || typeof list[0] === "boolean") return listBytes + slotBytes * list.length;
  let bytes = listBytes;
  for (const value of list) bytes += slotBytes + bytesInMemory(value);
  return bytes;
}

/** About what a decoded message takes in memory, whatever it was decoded from. */
export function bytesInMemory(value: unknown): number {
  if (typeof value === "string") return bytesOfText(value);
  if (typeof value === "bigint") return bigintBytes;
  if (typeof value !== "object" || value === null) return 0;
  if (ArrayBuffer.isView(value)) return viewBytes + value.byteLength;
  if (Array.isArray(value)) return bytesOfList(value);
  let bytes = objectBytes;
  // Keys of maps are texts of their own; those of messages are shared.
  const keyBytes = "$typeName" in value ? 0 : textBytes;
  for (const key in value) {
    if (key !== "$typeName") bytes += slotBytes + keyBytes + bytesInMemory((value as Record<string, unknown>)[key]);
  }
  return bytes;
}
