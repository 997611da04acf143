/** The chain, token and amount of the withdrawals of benchmark 7. */
export const CHAIN_ID = 'eip155:1'
export const COIN = `${CHAIN_ID}/slip44:60`
/** Base units of each; `create.sql` has the same. */
export const AMOUNT = 1_000
