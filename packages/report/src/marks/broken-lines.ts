// A name broken between words, for pictures: there is no font to measure here, so letters are counted.

/** Lines of at most so many letters, but for words that are longer themselves. */
export function brokenLines(name: string, mostLetters: number): readonly string[] {
  return name.split(" ").reduce<readonly string[]>((lines, word) => {
    const longer = [...lines.slice(-1), word].join(" ");
    return lines.length > 0 && longer.length <= mostLetters ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);
}
