/** Marks that embed, override or isolate a direction: text after them may be read in another order than it is stored. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g

/** For fields of one line: replaces each line break and other white space with a space, and drops direction marks. */
export function oneLine(text: string): string {
  return text
    .replace(directionMarks, '')
    .replace(/[\s\u0085]+/g, (space) => (/^[\u00a0\u202f\u3000]$/.test(space) ? space : ' '))
    .trim()
}
