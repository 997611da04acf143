import { orRaiseTampered } from '../../accounts/tampered.ts'
import { parseChainFilter, parseTokenFilter } from '../http/parse-values.ts'
import { readPortfolio } from '../views/portfolio.ts'
import { route } from '../http/route.ts'

/**
 * Decisions, section 8. Refuses with BAD_REQUEST (chainId, tokenId), and with INTERNAL_ERROR if the
 * row of a settlement or gas address was changed in the database.
 */
export const getPortfolio = route(
  'getPortfolio',
  async ({ database, catalogue, serviceKey, caller: { orgId }, query }) => {
    const { chainId, tokenId } = query
    const filter = {
      ...(chainId !== undefined && { chainId: parseChainFilter(catalogue, chainId) }),
      ...(tokenId !== undefined && { tokenId: parseTokenFilter(catalogue, tokenId) }),
    }
    const portfolio = await orRaiseTampered(database, () =>
      database.forOrg(orgId, (tx) =>
        readPortfolio(tx, { catalogue, serviceKey, orgId, ...filter }),
      ),
    )
    return { portfolio }
  },
)
