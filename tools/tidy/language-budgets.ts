/**
 * Odd phrasings that a folder may still have in 10,000 words. A folder without an entry has at most
 * `ODD_PHRASES_MAX`. Entries are lowered when a folder is rewritten, and removed at the end.
 */
export const LANGUAGE_BUDGETS: Readonly<Record<string, number>> = {
  '.': 23,
  client: 99,
  'client/src': 120,
  docs: 38,
  'docs/decisions': 61,
  'docs/examples': 350,
  'docs/guides': 74,
  'docs/runbooks': 56,
  'service/src/accounts': 81,
  'service/src/api': 276,
  'service/src/app': 163,
  'service/src/chains': 35,
  'service/src/cli': 51,
  'service/src/ledger': 39,
  'service/test/fixtures': 452,
  'service/test/store': 230,
  tools: 192,
  'tools/docs': 411,
  'tools/samples': 351,
  'tools/tidy': 200,
}
