// Content codings by the modules of Node.js, with the levels and limits that libraries get too.
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliDecompress,
  type BrotliOptions,
  constants,
  deflate,
  gunzip,
  gzip,
  inflate,
  type ZlibOptions,
  zstdCompress,
  zstdDecompress,
  type ZstdOptions,
} from "node:zlib";

// Levels are fixed, and the same in every library: those for answers made on demand. Node.js's own default for brotli takes a hundred times as long.
export const gzipOptions = { level: 6 } as const satisfies ZlibOptions;
export const brotliOptions: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
export const zstdOptions: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** A frame may ask for a window of 8 MB (RFC 9659). Without this limit, a few bytes could ask for 128 MB. */
export const zstdLimits: ZstdOptions = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** Smaller messages are not compressed, as is the default of server libraries. */
export const leastCompressedBytes = 1024;

type Bytes = string | Uint8Array;

interface Codec {
  readonly compress: (bytes: Bytes) => Promise<Buffer>;
  /** Rejects with an Error of code ERR_BUFFER_TOO_LARGE beyond so many bytes. */
  readonly decompress: (bytes: Uint8Array, maxBytes: number) => Promise<Buffer>;
}

type Transform<Options> = (bytes: Bytes, options: Options, done: (error: Error | null, result: Buffer) => void) => void;

function codec<Options extends ZlibOptions | BrotliOptions | ZstdOptions>(
  packing: Transform<Options>,
  level: Options,
  unpacking: Transform<Options>,
  limits?: Options,
): Codec {
  const pack = promisify<Bytes, Options, Buffer>(packing);
  const unpack = promisify<Bytes, Options, Buffer>(unpacking);
  return {
    compress: (bytes) => pack(bytes, level),
    decompress: (bytes, maxOutputLength) => unpack(bytes, { ...limits, maxOutputLength } as Options),
  };
}

const codecs: Readonly<Record<string, Codec>> = {
  gzip: codec<ZlibOptions>(gzip, gzipOptions, gunzip),
  deflate: codec<ZlibOptions>(deflate, gzipOptions, inflate),
  br: codec<BrotliOptions>(brotliCompress, brotliOptions, brotliDecompress),
  zstd: codec<ZstdOptions>(zstdCompress, zstdOptions, zstdDecompress, zstdLimits),
};

/** The codec of a content coding; undefined for `identity` and for an unknown one. */
export function codecOf(coding: string): Codec | undefined {
  return Object.hasOwn(codecs, coding) ? codecs[coding] : undefined;
}

/** Whether a caller accepts a coding, by a header like Accept-Encoding. */
export function accepts(coding: string, header: string | readonly string[] | null | undefined): boolean {
  return String(header ?? "")
    .split(",")
    .some((part) => {
      const [name, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    });
}
