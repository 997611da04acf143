/**
 * Odd phrasings that a folder may still have in 10,000 words. A folder without an entry has at most
 * `ODD_PHRASES_MAX`. Entries are lowered when a folder is rewritten, and removed at the end.
 */
export const LANGUAGE_BUDGETS: Readonly<Record<string, number>> = {
  docs: 24,
}
