// The error domain of the matrix service, for programs that read `google.rpc.ErrorInfo`.

export const matrixDomain = "matrix.roundtrip.dev";
