import { readOffers } from '../views/offers.ts'
import { parseChain, parseFlag } from '../http/parse-values.ts'
import { route } from '../http/route.ts'
import { viewToken } from '../views/views.ts'

/** Section 4.6. Refuses with BAD_REQUEST (enabledOnly) and INVALID_CHAIN. */
export const getTokens = route(
  'getTokens',
  async ({ database, catalogue, caller: { orgId }, query }) => {
    const enabledOnly = parseFlag('enabledOnly', query.enabledOnly)
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
)
