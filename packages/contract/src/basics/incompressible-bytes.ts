// Incompressible bytes, the same on every machine: both ends of a call can compute the expected payload.
import { createCipheriv } from "node:crypto";

/**
 * The first bytes of AES-128 in counter mode with this seed (NIST SP 800-38A, section 6.5): they look random and are quick to compute.
 * @param seed a whole number from 0 to 2^32 - 1
 */
export function incompressibleBytes(sizeBytes: number, seed: number): Uint8Array {
  const key = Buffer.alloc(16);
  key.writeUInt32BE(seed);
  return createCipheriv("aes-128-ctr", key, Buffer.alloc(16)).update(new Uint8Array(sizeBytes));
}
