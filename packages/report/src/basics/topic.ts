// What tables and pictures of a task are about: those of one topic stand together, in this order, in every document.

export const topics = ["sweep", "shape", "latency", "cost", "distribution", "rounds", "first-call"] as const;

export type Topic = (typeof topics)[number];
