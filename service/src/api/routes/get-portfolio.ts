import { parseChainFilter, parseTokenFilter } from '../parse-values.ts'
import { readPortfolio } from '../portfolio.ts'
import { route } from '../route.ts'

/** Decisions, section 8. Refuses with BAD_REQUEST (chainId, tokenId). */
export const getPortfolio = route(
  'getPortfolio',
  async ({ database, catalogue, caller: { orgId }, query }) => {
    const { chainId, tokenId } = query
    const filter = {
      ...(chainId !== undefined && { chainId: parseChainFilter(catalogue, chainId) }),
      ...(tokenId !== undefined && { tokenId: parseTokenFilter(catalogue, tokenId) }),
    }
    const portfolio = await database.forOrg(orgId, (tx) =>
      readPortfolio(tx, { catalogue, orgId, ...filter }),
    )
    return { portfolio }
  },
)
