import type { CATALOGUE_OPERATIONS, ChainId, TokenId } from '@sluice/wire'
import { setOwnSwitch } from '../../orgs/switches.ts'
import { actorOf } from '../http/actor.ts'
import { configure } from '../http/configure.ts'
import { parseChain, parseToken } from '../http/parse-values.ts'
import type { Call, Handlers } from '../http/route.ts'
import { readChainStatuses } from '../views/chain-status.ts'
import { type Offers, readOffers } from '../views/offers.ts'
import { viewChain, viewToken } from '../views/views.ts'

export const catalogueRoutes: Handlers<keyof typeof CATALOGUE_OPERATIONS> = {
  getChains: async ({ database, catalogue, caller: { orgId }, query }) => {
    const { enabledOnly = true } = query
    const offers = await database.forOrg(orgId, (tx) => readOffers(tx, { catalogue, orgId }))
    const chains = catalogue.chains
      .map((entry) => viewChain(entry, { catalogue, offers }))
      .filter(({ enabled }) => enabled || !enabledOnly)
    return { chains }
  },

  getChainsStatus: async ({ database, catalogue, caller: { orgId } }) => {
    const chains = await database.forOrg(orgId, (tx) => readChainStatuses(tx, { catalogue, orgId }))
    return { chains }
  },

  getChain: async ({ database, catalogue, caller: { orgId }, params }) => {
    const entry = parseChain(catalogue, params.id)
    const offers = await database.forOrg(orgId, (tx) => readOffers(tx, { catalogue, orgId }))
    return { chain: viewChain(entry, { catalogue, offers }) }
  },

  getTokens: async ({ database, catalogue, caller: { orgId }, query }) => {
    const { enabledOnly = true } = query
    const entries =
      query.chainId === undefined
        ? catalogue.tokens
        : catalogue.tokensOf(parseChain(catalogue, query.chainId).id)
    const offers = await database.forOrg(orgId, (tx) => readOffers(tx, { catalogue, orgId }))
    const tokens = entries
      .map((entry) => viewToken(entry, offers))
      .filter(({ enabled }) => enabled || !enabledOnly)
    return { tokens }
  },

  patchOrganisationChain: async (call) => {
    const { catalogue, body } = call
    const entry = parseChain(catalogue, body.chainId)
    const offers = await switchTo(call, entry.id)
    return { chain: viewChain(entry, { catalogue, offers }) }
  },

  patchOrganisationToken: async (call) => {
    const { catalogue, body } = call
    const entry = parseToken(catalogue, body.tokenId)
    return { token: viewToken(entry, await switchTo(call, entry.id)) }
  },
}

/** Sets the organization's own switch as the body says, and returns what it can use then. */
function switchTo(
  call: Call<'patchOrganisationChain' | 'patchOrganisationToken'>,
  subject: ChainId | TokenId,
): Promise<Offers> {
  const { catalogue, caller, body } = call
  const { orgId } = caller
  const decision = { orgId, subject, enabled: body.enabled, actor: actorOf(caller) }
  return configure(call, async (tx) => {
    const { isChanged } = await setOwnSwitch(tx, decision)
    return { result: await readOffers(tx, { catalogue, orgId }), isChanged }
  })
}
