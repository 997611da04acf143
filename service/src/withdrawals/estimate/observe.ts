import { listSimilarOwn } from '../../accounts/list-addresses.ts'
import { watchScope } from '../../catalogue/scope.ts'
import { endsOf, hasTags } from '../../chains/format-address.ts'
import type { Tx } from '../../store/database.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { selectHistory, selectSimilarRecipients } from './history-rows.ts'
import { type Observed, type Payee, SIMILAR_MAX } from './warn.ts'

/** A payment, with everything that was known before the database was read. */
export interface Subject extends Pick<Observed, 'available' | 'isContract' | 'needsTag'> {
  orgId: string
  named: Payee & Pick<Withdrawal, 'tokenId'>
  /** The withdrawal of the payment; null before it is created. */
  existing: Pick<Withdrawal, 'id' | 'createdAt'> | null
}

const DUPLICATE_MS = 86_400_000

/** Reads what the warnings of a payment depend on. */
export async function observe(tx: Tx, subject: Subject): Promise<Observed> {
  const { orgId, named, existing } = subject
  const { entry, recipient } = named
  const ends = endsOf(recipient)
  const limit = SIMILAR_MAX + 1
  const createdAt = existing?.createdAt ?? tx.clock.now()
  const [history, recipients, own] = await Promise.all([
    selectHistory(tx, {
      ...named,
      orgId,
      chainId: entry.id,
      hasTags: hasTags(entry.id),
      since: createdAt - DUPLICATE_MS,
      until: createdAt + DUPLICATE_MS,
      existing,
    }),
    selectSimilarRecipients(tx, { orgId, ends, limit }),
    listSimilarOwn(tx, { orgId, scope: watchScope(entry), ends, limit }),
  ])
  const similar = { recipients: recipients.map(({ address }) => address), own }
  return { ...subject, history, similar }
}
