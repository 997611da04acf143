import { readOffers } from '../offers.ts'
import { parseChain } from '../parse-values.ts'
import { route } from '../route.ts'
import { viewChain } from '../views.ts'

/** Section 4.6. Refuses with INVALID_CHAIN. */
export const getChain = route(
  'getChain',
  async ({ database, catalogue, caller: { orgId }, params }) => {
    const entry = parseChain(catalogue, params.id)
    const offers = await database.forOrg(orgId, (tx) => readOffers(tx, { catalogue, orgId }))
    return { chain: viewChain(entry, { catalogue, enabled: offers.chain(entry) }) }
  },
)
