// Error messages for files and directories that cannot be read or written, in words instead of error codes.

const words: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is used up",
  EEXIST: "a file of that name is in the way",
  EFBIG: "the file would be larger than the system allows",
  EIO: "the device reports a fault",
  EISDIR: "it is a directory",
  ELOOP: "a symbolic link leads back to itself",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a file is in the way",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
};

/** A short message for any error of a file operation. */
export function fileFault(thrown: unknown): string {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  const known = typeof code === "string" ? words[code] : undefined;
  return known ?? (thrown instanceof Error ? thrown.message : String(thrown));
}
