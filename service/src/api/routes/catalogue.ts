import type { CATALOGUE_OPERATIONS } from '@sluice/wire'
import { parseChain } from '../http/parse-values.ts'
import type { Handlers } from '../http/route.ts'
import { readChainStatuses } from '../views/chain-status.ts'
import { readOffers } from '../views/offers.ts'
import { viewChain, viewToken } from '../views/views.ts'

export const catalogueRoutes: Handlers<keyof typeof CATALOGUE_OPERATIONS> = {
  getChains: async ({ database, catalogue, caller: { orgId }, query }) => {
    const { enabledOnly = true } = query
    const offers = await database.forOrg(orgId, (tx) => readOffers(tx, { catalogue, orgId }))
    const chains = catalogue.chains
      .map((entry) => viewChain(entry, { catalogue, enabled: offers.chain(entry) }))
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
    return { chain: viewChain(entry, { catalogue, enabled: offers.chain(entry) }) }
  },

  getTokens: async ({ database, catalogue, caller: { orgId }, query }) => {
    const { enabledOnly = true } = query
    const entries =
      query.chainId === undefined
        ? catalogue.tokens
        : catalogue.tokensOf(parseChain(catalogue, query.chainId).id)
    const offers = await database.forOrg(orgId, (tx) => readOffers(tx, { catalogue, orgId }))
    const tokens = entries
      .map((entry) => viewToken(entry, { enabled: offers.token(entry) }))
      .filter(({ enabled }) => enabled || !enabledOnly)
    return { tokens }
  },
}
