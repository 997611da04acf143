import { parseChain } from '../http/parse-values.ts'
import { openTogether } from '../views/open-together.ts'
import { route } from '../http/route.ts'
import { viewAccount } from '../views/views.ts'

/**
 * Section 4.4: the account of a user on a chain, made where there is none (201). Refuses, in this
 * order, with INVALID_CHAIN, CHAIN_NOT_ENABLED, INVALID_TOKEN, INVALID_TOKEN_CHAIN,
 * TOKEN_NOT_ENABLED, INVALID_USER_ID and SERVICE_UNAVAILABLE (the chain was not reached yet),
 * whether or not the account stands.
 */
export const getDepositAddress = route(
  'getDepositAddress',
  async (asked) => {
    const { catalogue, query, setStatus, caller } = asked
    const entry = parseChain(catalogue, query.chainId)
    const { orgId } = caller
    const wanted = { entry, orgId, tokenId: query.tokenId, userId: query.userId, caller }
    const { account, created } = await openTogether(asked, wanted)
    if (created) setStatus(201)
    return { address: viewAccount(account) }
  },
  { failure: 'FAILED_TO_CREATE_DEPOSIT_ACCOUNT' },
)
