import { readOffers } from '../views/offers.ts'
import { parseChain } from '../http/parse-values.ts'
import { route } from '../http/route.ts'
import { viewChain } from '../views/views.ts'

/** Section 4.6. Refuses with INVALID_CHAIN. */
export const getChain = route(
  'getChain',
  async ({ database, catalogue, caller: { orgId }, params }) => {
    const entry = parseChain(catalogue, params.id)
    const offers = await database.forOrg(orgId, (tx) => readOffers(tx, { catalogue, orgId }))
    return { chain: viewChain(entry, { catalogue, enabled: offers.chain(entry) }) }
  },
)
