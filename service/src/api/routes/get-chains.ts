import { readOffers } from '../views/offers.ts'
import { parseFlag } from '../http/parse-values.ts'
import { route } from '../http/route.ts'
import { viewChain } from '../views/views.ts'

/** Section 4.6. Refuses with BAD_REQUEST (enabledOnly). */
export const getChains = route(
  'getChains',
  async ({ database, catalogue, caller: { orgId }, query }) => {
    const enabledOnly = parseFlag('enabledOnly', query.enabledOnly)
    const offers = await database.forOrg(orgId, (tx) => readOffers(tx, { catalogue, orgId }))
    const chains = catalogue.chains
      .map((entry) => viewChain(entry, { catalogue, enabled: offers.chain(entry) }))
      .filter(({ enabled }) => enabled || !enabledOnly)
    return { chains }
  },
)
