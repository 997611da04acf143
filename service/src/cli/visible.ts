/** What a terminal does not show but obeys: direction marks, zero-width ones, line separators. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}]/gu
/** Controls besides, which begin what colours a terminal and moves its cursor. */
const UNSEEN_OR_CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * A line for people, with marks in it as `\u202e`: somebody else may have written part of it, and
 * it must not read as another text. Colours and line breaks, which are our own, stay.
 */
export function visibleLine(line: string): string {
  return line.replace(UNSEEN, escaped)
}

/** A value for people, such as a memo or a note: controls are shown as marks are. */
export function visibleValue(value: string): string {
  return value.replace(UNSEEN_OR_CONTROL, escaped)
}

/** A value as one word of a shell, for a command that is printed to be copied. */
export function shellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}

function escaped(mark: string): string {
  const code = (mark.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}
