/** The token in an invitation link or another pasted text; empty without a token. */
export function tokenIn(text: string): string {
  return /sli_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/.exec(text)?.[0] ?? ''
}
