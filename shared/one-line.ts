/** For fields of one line: replaces each line break and other white space with a space. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0085]+/g, (space) => (/^[\u00a0\u202f\u3000]$/.test(space) ? space : ' ')).trim()
}
