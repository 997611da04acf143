import type { DEPOSIT_OPERATIONS, SINGLE_DEPOSIT_OPERATIONS, TRACE_OPERATIONS } from '@sluice/wire'
import { hashOn } from '../../chains/format-address.ts'
import { parseChain, parseHash } from '../http/parse-values.ts'
import type { Handlers } from '../http/route.ts'
import { readFacts, readNodes } from '../trace/facts.ts'
import { trace } from '../trace/trace.ts'
import { answerAccounts } from '../views/account-list.ts'
import { answerDeposits } from '../views/deposit-list.ts'
import { readOffers } from '../views/offers.ts'
import { openTogether } from '../views/open-together.ts'
import { readSingleDeposit } from '../views/single-deposit.ts'
import { viewAccount } from '../views/views.ts'

type Names =
  | keyof typeof DEPOSIT_OPERATIONS
  | keyof typeof SINGLE_DEPOSIT_OPERATIONS
  | keyof typeof TRACE_OPERATIONS

export const depositRoutes: Handlers<Names> = {
  /** INVALID_CHAIN comes before the other refusals, and the account's existence changes none. */
  getDepositAddress: async (call) => {
    const { catalogue, query, setStatus, caller } = call
    const entry = parseChain(catalogue, query.chainId)
    const { tokenId, userId } = query
    const wanted = { entry, orgId: caller.orgId, tokenId, userId, caller }
    const { account, created } = await openTogether(call, wanted)
    if (created) setStatus(201)
    return { address: viewAccount(account) }
  },

  getPayments: (call) => answerDeposits(call, { key: 'payments', query: call.query }),

  getUserDeposits: (call) =>
    answerDeposits(call, {
      key: 'deposits',
      query: { ...call.query, userId: call.params.userId },
    }),

  getDeposit: async ({ database, catalogue, caller: { orgId }, params: { id } }) => {
    const named = { catalogue, orgId, id }
    return { deposit: await database.forOrg(orgId, (tx) => readSingleDeposit(tx, named)) }
  },

  getAccounts: (call) => answerAccounts(call, call.query),

  getPaymentsTrace: async ({
    database,
    serviceKey,
    catalogue,
    chains,
    caller: { orgId },
    query,
  }) => {
    const entry = parseChain(catalogue, query.chainId)
    const txnHash = hashOn(entry.id, parseHash(query.txnHash))
    const transaction = { catalogue, chainId: entry.id, txnHash }
    const seen = await readNodes(chains.get(entry.id), transaction)
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
}
