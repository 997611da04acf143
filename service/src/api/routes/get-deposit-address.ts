import { parseExternalUserId } from '../../accounts/account.ts'
import { openAccount } from '../../accounts/open.ts'
import { Refusal } from '../../base/fault.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { TokenEntry } from '../../catalogue/tokens.ts'
import { type Offers, readOffers } from '../offers.ts'
import { parseChain } from '../parse-values.ts'
import { route } from '../route.ts'
import { viewAccount } from '../views.ts'

/**
 * Section 4.4: the account of a user on a chain, made where there is none (201). Refuses, in this
 * order, with INVALID_CHAIN, CHAIN_NOT_ENABLED, INVALID_TOKEN, INVALID_TOKEN_CHAIN,
 * TOKEN_NOT_ENABLED, INVALID_USER_ID and SERVICE_UNAVAILABLE (the chain was not reached yet),
 * whether or not the account stands.
 */
export const getDepositAddress = route(
  'getDepositAddress',
  async (asked) => {
    const { database, catalogue, query, setStatus } = asked
    const { orgId } = asked.caller
    const entry = parseChain(catalogue, query.chainId)
    const { account, created } = await database.forOrg(orgId, async (tx) => {
      const offers = await readOffers(tx, { catalogue, orgId })
      checkChain(offers, entry)
      checkToken(offers, entry, findToken(catalogue, query.tokenId))
      const externalUserId = parseExternalUserId(query.userId)
      return openAccount(tx, { keys: asked, entry, orgId, externalUserId })
    })
    if (created) setStatus(201)
    return { address: viewAccount(account) }
  },
  { failure: 'FAILED_TO_CREATE_DEPOSIT_ACCOUNT' },
)

function checkChain(offers: Offers, entry: ChainEntry): void {
  if (!offers.chain(entry)) throw new Refusal('CHAIN_NOT_ENABLED', { chainId: entry.id })
}

function findToken(catalogue: Catalogue, tokenId: string): TokenEntry {
  const token = catalogue.token(tokenId)
  if (token === null) throw new Refusal('INVALID_TOKEN', { tokenId: tokenId.slice(0, 200) })
  return token
}

function checkToken(offers: Offers, { id: chainId }: ChainEntry, token: TokenEntry): void {
  const { id: tokenId, chainId: tokenChainId } = token
  if (tokenChainId !== chainId)
    throw new Refusal('INVALID_TOKEN_CHAIN', { tokenId, chainId, tokenChainId })
  const isReached = offers.stateOf(chainId) !== null
  if (isReached ? offers.token(token) : offers.switchedOn(token)) return
  throw new Refusal('TOKEN_NOT_ENABLED', { tokenId })
}
