// Bytes that no compression makes fewer, the same on every machine: what payloads are made of, so that both ends know them.
import { createCipheriv } from "node:crypto";

/**
 * The first bytes that AES-128 in counter mode gives for this seed (NIST SP 800-38A, section 6.5): as good as random, and made at the
 * speed of memory.
 * @param seed a whole number from 0 to 2^32 - 1
 */
export function incompressibleBytes(sizeBytes: number, seed: number): Uint8Array {
  const key = Buffer.alloc(16);
  key.writeUInt32BE(seed);
  return createCipheriv("aes-128-ctr", key, Buffer.alloc(16)).update(new Uint8Array(sizeBytes));
}
