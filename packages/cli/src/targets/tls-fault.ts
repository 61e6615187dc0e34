// Why a TLS connection to a server elsewhere failed, and what to do about it, instead of the TLS library's words.

const untrusted = /self-signed certificate|unable to (verify the first|get (local )?issuer) certificate/;
const fromTheLibrary = /\berror:[0-9A-F]{8}:SSL routines:[^:]*:([^:\n]+)/;

/** @param message what the client tells; undefined is given back when it tells of no TLS. */
export function tlsFault(message: string, hasAuthority: boolean): string | undefined {
  if (untrusted.test(message)) {
    return hasAuthority
      ? "its certificate does not come from the certificate authority that --ca names"
      : "its certificate is not trusted; name the file of its certificate authority with --ca";
  }
  if (/certificate has expired/.test(message)) return "its certificate has expired";
  if (/certificate is not yet valid/.test(message)) return "its certificate is not valid yet";
  if (/does not match certificate's altnames/.test(message)) return "its certificate is one for other names";
  const [, why] = fromTheLibrary.exec(message) ?? [];
  if (why === "wrong version number") return "it does not speak TLS; its URL may begin with http://";
  return why === undefined ? undefined : `no TLS connection: ${why}`;
}
