// What `bench` measures where nobody says what.

export const defaultStudies: readonly string[] = ["hello", "facade"];
