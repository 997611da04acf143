import { CLAIM } from '../../src/ledger/account.ts'
import { type Difference, plain, type Told } from './judge.ts'

/** The sum of a claim in one token. */
export interface ClaimSum {
  tokenId: string
  account: string
  amount: string
}

/**
 * The only claims with a balance when all is settled: no deposit of a soak is too small or
 * unattributed, and held deposits are released (and reported separately).
 */
const LASTING: readonly string[] = [CLAIM.available, CLAIM.gas]

/** No claim of open work remains, and available equals the sum of the chain's movements. */
export function judgeClaims(told: Told, all: readonly ClaimSum[]): Difference[] {
  const claims = all.filter(({ tokenId }) => tokenId.startsWith(`${told.chain.id}/`))
  const left = claims
    .filter(({ account, amount }) => !LASTING.includes(account) && BigInt(amount) !== 0n)
    .map(({ tokenId, account, amount }) => ({
      what: 'money is left under way',
      details: `${tokenId} ${account}: ${amount}`,
    }))
  return [...left, ...judgeSums(told, claims)]
}

/**
 * If payments alone change available, it is incoming less outgoing: for all tokens whose fees a gas
 * wallet pays.
 */
function judgeSums(told: Told, claims: readonly ClaimSum[]): Difference[] {
  const { chain, movements, own } = told
  if (chain.family === 'bitcoin' || chain.family === 'xrpl') return []
  const harness = new Set(own.map(({ address }) => plain(address)))
  const gas = new Set(
    own.filter(({ purpose }) => purpose === 'gas').map(({ address }) => plain(address)),
  )
  const tokens = new Set([...chain.tokens, ...claims.map(({ tokenId }) => tokenId)].map(plain))
  return [...tokens].flatMap((tokenId) => {
    let wanted = 0n
    for (const { from, to, tokenId: moved, amount } of movements) {
      if (plain(moved) !== tokenId || gas.has(plain(to))) continue
      if (harness.has(plain(from)) === harness.has(plain(to))) continue
      wanted += harness.has(plain(to)) ? amount : -amount
    }
    const found = claims
      .filter((one) => plain(one.tokenId) === tokenId && one.account !== CLAIM.gas)
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    if (wanted === found) return []
    return [{ what: 'claims are not what moved', details: `${tokenId}: ${found}, not ${wanted}` }]
  })
}
