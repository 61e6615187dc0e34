// Reads files that people name, or that lie in folders that they name: regular files only, and never more than a limit. Opening a pipe without a
// writer waits for ever, also when the program is asked to end, and a device has no end. `@roundtrip/contract/files` loads nothing else.
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  type ReadStream,
  readSync,
  type Stats,
  statSync,
} from "node:fs";

/** Why a file is not read, where the system itself would read it. */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a pipe";
  return stats.isSocket() ? "a socket" : "a device";
}

function requireRegular(stats: Stats): void {
  if (!stats.isFile()) throw new FileRefusal(`it is ${kindOf(stats)}, not a file`);
}

/** For files that libraries open themselves. Throws a FileRefusal, or the system's error. */
export function requireRegularFile(path: string): void {
  requireRegular(statSync(path));
}

/** Opens a file for reading; the caller closes it. Throws a FileRefusal, or the system's error. */
export function openRegularFile(path: string): number {
  // Opening some devices already does something.
  requireRegularFile(path);
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    // Something else may have taken its place.
    requireRegular(fstatSync(file));
    return file;
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
}

/** The bytes that a file has now, piece by piece: a log may grow for ever. Throws like {@link openRegularFile}. */
export function regularFileStream(path: string): ReadStream {
  const fd = openRegularFile(path);
  const { size } = fstatSync(fd);
  // Files of the kernel have content and no size.
  return createReadStream(path, size === 0 ? { fd } : { fd, start: 0, end: size - 1 });
}

const mebibyte = 2 ** 20;
const pieceBytes = 65_536;

function tooLarge(mostBytes: number): FileRefusal {
  return new FileRefusal(`it is larger than ${mostBytes / mebibyte} MiB`, true);
}

/** All bytes of a file. Throws like {@link openRegularFile}, and for a file of more bytes, also one that grows while it is read. */
export function readBytes(path: string, mostBytes: number): Buffer {
  const file = openRegularFile(path);
  try {
    const { size } = fstatSync(file);
    if (size > mostBytes) throw tooLarge(mostBytes);
    const pieces: Buffer[] = [];
    let bytes = 0;
    // With one byte more than it has, the next read finds its end.
    for (let wanted = size + 1; ; wanted = pieceBytes) {
      const piece = Buffer.allocUnsafe(wanted);
      const length = readSync(file, piece, 0, wanted, null);
      if (length === 0) return (pieces.length === 1 && pieces[0]) || Buffer.concat(pieces, bytes);
      bytes += length;
      if (bytes > mostBytes) throw tooLarge(mostBytes);
      pieces.push(piece.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}
