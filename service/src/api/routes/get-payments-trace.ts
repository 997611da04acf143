import { hashOn } from '../../chains/format-address.ts'
import { readOffers } from '../views/offers.ts'
import { parseChain, parseHash } from '../http/parse-values.ts'
import { route } from '../http/route.ts'
import { lookAtNodes, readFacts } from '../trace/facts.ts'
import { trace } from '../trace/trace.ts'

/**
 * Why a deposit is credited or not, step by step. What concerns other organizations is not told.
 * Refuses with BAD_REQUEST (txnHash) and INVALID_CHAIN.
 */
export const getPaymentsTrace = route(
  'getPaymentsTrace',
  async ({ database, serviceKey, catalogue, chains, caller: { orgId }, query }) => {
    const entry = parseChain(catalogue, query.chainId)
    const txnHash = hashOn(entry.id, parseHash(query.txnHash))
    const asked = { catalogue, chainId: entry.id, txnHash }
    const seen = await lookAtNodes(chains.get(entry.id), asked)
    return database.forOrg(orgId, async (tx) => {
      const offers = await readOffers(tx, { catalogue, orgId })
      const isTokenOn = (tokenId: string) => {
        const token = catalogue.token(tokenId)
        return token !== null && offers.token(token)
      }
      const facts = { serviceKey, catalogue, entry, txnHash, seen, isTokenOn }
      return { trace: trace(await readFacts(tx, facts)) }
    })
  },
)
