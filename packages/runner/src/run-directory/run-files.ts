// The files of a run directory.

export const runFile = "run.json";
export const samplesFile = "samples.parquet";
