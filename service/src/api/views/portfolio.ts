import type { ChainId, PortfolioEntry, PortfolioType, TokenId } from '@sluice/wire'
import { requireOwnAddresses } from '../../accounts/own-address.ts'
import type { RowVerifier } from '../../accounts/row-mac.ts'
import { larger, smaller, sum } from '../../base/amount.ts'
import { type Millis, iso } from '../../base/clock.ts'
import { ALL_CHAINS, type ChainEntry, nativeTokenId } from '../../catalogue/chains.ts'
import { type ChainState, readChainStates } from '../../catalogue/chain-state.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { displayAddress } from '../../chains/format-address.ts'
import type { Address } from '../../chains/port.ts'
import { type Balance, CLAIM, type LedgerAccount, place } from '../../ledger/account.ts'
import { listBookedTokens, readBalancesOf } from '../../ledger/balance.ts'
import { readOrganization } from '../../orgs/settings.ts'
import type { Tx } from '../../store/database.ts'
import { heldFeesOf } from '../../withdrawals/request/held-fee.ts'

/** The amounts of one token on one chain, in base units. */
export interface Position {
  chainId: ChainId
  tokenId: TokenId
  /** Whether it is the native currency. */
  native: boolean
  /** Held for the fees of open withdrawals. */
  heldForFees: bigint
  settlement: Address | null
  gas: Address | null
  /** The balance of a ledger account and the time of its last change. */
  at: (account: LedgerAccount) => { amount: bigint; updatedAt: Millis } | undefined
}

const CLAIMS = Object.values(CLAIM)
/** Claims belong to the organization and are shown with its settlement account only. */
const NO_CLAIMS = {
  available: '0',
  reserved: '0',
  heldForFees: '0',
  unconfirmed: '0',
  belowMinimum: '0',
  held: '0',
  unattributed: '0',
  gas: '0',
}

/**
 * The holdings of an organization (decisions, section 8): one entry for each token and account.
 * Tokens that were removed from the configuration come last in their chain. The number of queries
 * does not depend on tokens or addresses: the amount at deposit addresses is the sum of all claims
 * less the two other accounts, since places and claims have equal sums (engineering, 1). Throws
 * TamperedAccount.
 */
export async function readPortfolio(
  tx: Tx,
  filter: {
    catalogue: Catalogue
    serviceKey: RowVerifier
    orgId: string
    chainId?: ChainId
    tokenId?: TokenId
  },
): Promise<PortfolioEntry[]> {
  const { catalogue, orgId, serviceKey } = filter
  const { createdAt } = await readOrganization(tx, orgId)
  const booked = await listBookedTokens(tx, { orgId })
  const chains = ALL_CHAINS.filter(({ id }) => (filter.chainId ?? id) === id)
  const platforms = chains.map(async (entry) => {
    const tokenIds = tokensOn(entry, { catalogue, booked })
    const wanted = tokenIds.filter((id) => (filter.tokenId ?? id) === id)
    return wanted.length === 0
      ? []
      : positionsOn(tx, entry, { serviceKey, orgId, tokenIds: wanted })
  })
  const asked = (await Promise.all(platforms)).flat()
  // Read before the balances, which therefore include at least these blocks.
  const states = new Map((await readChainStates(tx)).map((state) => [state.chainId, state]))
  const keys = asked.flatMap(({ chainId, tokenId, ...platform }) =>
    accountsOf(platform).map((account) => ({ orgId, chainId, tokenId, account })),
  )
  const balances = byToken(await readBalancesOf(tx, keys))
  const held = await heldFeesOf(tx, { orgId, chains })
  return asked.flatMap((position) => {
    const { tokenId } = position
    const found = balances.get(tokenId)
    const token = catalogue.summary(tokenId)
    const at = (account: LedgerAccount) => found?.get(account)
    const heldForFees = held.get(tokenId) ?? 0n
    const asOf = blockOf(states.get(position.chainId))
    return entriesOf({ ...position, at, heldForFees }, { orgId, createdAt, token, asOf })
  })
}

/** Tokens of the catalogue, then other tokens with postings on the chain. */
function tokensOn(
  { id }: ChainEntry,
  tokens: { catalogue: Catalogue; booked: readonly Pick<Position, 'chainId' | 'tokenId'>[] },
): TokenId[] {
  const { catalogue, booked } = tokens
  const listed = catalogue.chain(id) === null ? [] : catalogue.tokensOf(id)
  const others = booked.filter(({ chainId }) => chainId === id)
  return [...new Set([...listed.map((token) => token.id), ...others.map(({ tokenId }) => tokenId)])]
}

async function positionsOn(
  tx: Tx,
  entry: ChainEntry,
  {
    serviceKey,
    orgId,
    tokenIds,
  }: { serviceKey: RowVerifier; orgId: string; tokenIds: readonly TokenId[] },
): Promise<Omit<Position, 'at' | 'heldForFees'>[]> {
  const chainId = entry.id
  const own = await requireOwnAddresses(tx, serviceKey, { orgId, chainId })
  const addressOf = (wanted: 'settlement' | 'gas') =>
    own.find(({ purpose }) => purpose === wanted)?.address ?? null
  const platform = { settlement: addressOf('settlement'), gas: addressOf('gas') }
  const native = nativeTokenId(entry)
  return tokenIds.map((tokenId) => ({ chainId, tokenId, native: tokenId === native, ...platform }))
}

function byToken(balances: readonly Balance[]): Map<TokenId, Map<LedgerAccount, Balance>> {
  const found = new Map<TokenId, Map<LedgerAccount, Balance>>()
  for (const balance of balances) {
    const ofToken = found.get(balance.tokenId) ?? new Map<LedgerAccount, Balance>()
    found.set(balance.tokenId, ofToken.set(balance.account, balance))
  }
  return found
}

/** The ledger accounts of a position, except deposit addresses. */
function accountsOf({ settlement, gas }: Pick<Position, 'settlement' | 'gas'>): LedgerAccount[] {
  return [
    ...CLAIMS,
    ...(settlement === null ? [] : [place('settlement', settlement)]),
    ...(gas === null ? [] : [place('gas', gas)]),
  ]
}

/**
 * The entries of one token on one chain: the settlement account if it exists or has postings, the
 * gas wallet for the native currency, and the deposit addresses if they have postings.
 */
function entriesOf(
  position: Position,
  shown: {
    orgId: string
    createdAt: Millis
    token: PortfolioEntry['Token']
    asOf: PortfolioEntry['asOf']
  },
): PortfolioEntry[] {
  const { chainId, tokenId, native, settlement, gas, at } = position
  const amount = (account: LedgerAccount | null) =>
    account === null ? 0n : (at(account)?.amount ?? 0n)
  const isBooked = CLAIMS.some((claim) => at(claim) !== undefined)
  if (!isBooked && !(native && settlement !== null)) return []
  const atSettlement = amount(settlement === null ? null : place('settlement', settlement))
  const atGas = amount(gas === null ? null : place('gas', gas))
  const atDeposits = sum(CLAIMS.map(amount)) - atSettlement - atGas
  const unswept = atDeposits.toString()
  const entry = (accountType: PortfolioType, account: Address | null, balance: bigint) => {
    const stamp = iso(lastOf(position, shown.createdAt))
    return {
      id: `${accountType}:${tokenId}`,
      orgId: shown.orgId,
      chainId,
      tokenId,
      accountId: account === null ? '' : displayAddress(chainId, account),
      accountType,
      balance: balance.toString(),
      ...NO_CLAIMS,
      unswept: '0',
      asOf: shown.asOf,
      Token: shown.token,
      lastUpdated: stamp,
      createdAt: iso(shown.createdAt),
      updatedAt: stamp,
    }
  }
  // A fee that a block has taken is not held any more, although its withdrawal is not settled.
  const fees = amount(CLAIM.gas)
  const heldForFees = larger(smaller(position.heldForFees, fees), 0n)
  const claims = {
    available: amount(CLAIM.available).toString(),
    reserved: amount(CLAIM.reserved).toString(),
    heldForFees: heldForFees.toString(),
    unconfirmed: amount(CLAIM.unconfirmed).toString(),
    belowMinimum: amount(CLAIM.belowMinimum).toString(),
    held: amount(CLAIM.held).toString(),
    unattributed: amount(CLAIM.unattributed).toString(),
    gas: (fees - heldForFees).toString(),
  }
  return [
    { ...entry('settlement', settlement, atSettlement), ...claims, unswept },
    ...(native && gas !== null ? [entry('gas', gas, atGas)] : []),
    ...(isBooked ? [{ ...entry('deposits', null, atDeposits), unswept }] : []),
  ]
}

function blockOf(state: ChainState | undefined): PortfolioEntry['asOf'] {
  if (state === undefined) return null
  return { height: state.tip.height, hash: state.tip.hash, time: iso(state.tipTime) }
}

/** The time of its last posting. */
function lastOf(position: Position, createdAt: Millis): Millis {
  const times = accountsOf(position).map((account) => position.at(account)?.updatedAt ?? 0)
  return Math.max(createdAt, ...times)
}
