import { CLAIM } from '../../src/ledger/account.ts'
import { type Difference, plain, type Told } from './judge.ts'

/** What stands under a claim in one token. */
export interface ClaimSum {
  tokenId: string
  account: string
  amount: string
}

/**
 * Under these alone may anything stand when nothing is under way: no deposit of a soak is too
 * small or names nobody, and what is held is let go (and told by itself).
 */
const LASTING: readonly string[] = [CLAIM.available, CLAIM.gas]

/** Nothing is left under way, and what can be used is what the chain's movements come to. */
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
 * Where nothing but payments moves what is available, it is what came in from outside less what
 * went out: of all tokens where a gas wallet pays the fees.
 */
function judgeSums(told: Told, claims: readonly ClaimSum[]): Difference[] {
  const { chain, movements, own } = told
  if (chain.family === 'bitcoin' || chain.family === 'xrpl') return []
  const house = new Set(own.map(({ address }) => plain(address)))
  const gas = new Set(
    own.filter(({ purpose }) => purpose === 'gas').map(({ address }) => plain(address)),
  )
  const tokens = new Set([...chain.tokens, ...claims.map(({ tokenId }) => tokenId)].map(plain))
  return [...tokens].flatMap((tokenId) => {
    let wanted = 0n
    for (const { from, to, tokenId: moved, amount } of movements) {
      if (plain(moved) !== tokenId || gas.has(plain(to))) continue
      if (house.has(plain(from)) === house.has(plain(to))) continue
      wanted += house.has(plain(to)) ? amount : -amount
    }
    const found = claims
      .filter((one) => plain(one.tokenId) === tokenId && one.account !== CLAIM.gas)
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    if (wanted === found) return []
    return [{ what: 'claims are not what moved', details: `${tokenId}: ${found}, not ${wanted}` }]
  })
}
