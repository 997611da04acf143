/** Invisible characters: direction marks, zero-width characters, line separators. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}]/gu
/** The same and control characters, which start terminal escape sequences. */
const UNSEEN_OR_CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Escapes invisible characters of a line as `\u202e`: parts of it may be untrusted and must not
 * read as another text. Keeps the program's own colours and line breaks.
 */
export function visibleLine(line: string): string {
  return line.replace(UNSEEN, escaped)
}

/** Escapes invisible and control characters of a value, such as a memo. */
export function visibleValue(value: string): string {
  return value.replace(UNSEEN_OR_CONTROL, escaped)
}

/** Quotes a value as one shell word, for commands that are printed. */
export function shellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}

function escaped(mark: string): string {
  const code = (mark.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}
