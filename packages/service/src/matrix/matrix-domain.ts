// Whose errors they are, for programs that read `google.rpc.ErrorInfo`.

export const matrixDomain = "matrix.roundtrip.dev";
