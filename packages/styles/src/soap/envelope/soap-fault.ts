// A CallError of the SOAP processing itself, whose fault has a code of its own.
import { CallError, type CanonicalCode } from "@roundtrip/contract";

export type SoapFaultCode = "VersionMismatch" | "MustUnderstand";

export class SoapFaultError extends CallError {
  readonly faultCode: SoapFaultCode;

  constructor(faultCode: SoapFaultCode, code: CanonicalCode, message: string) {
    super(code, message);
    this.faultCode = faultCode;
  }
}
