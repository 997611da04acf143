import type { Intent } from '../port.ts'
import type { AccountState, ServerState } from './node.ts'
import { demand } from './read.ts'
import { XrplRefusal } from './rpc.ts'
import type { XrplRpc } from './rpc.ts'

/**
 * Whether an account that only accepts authorized payers (DepositAuth) accepts this payment: the
 * payer is authorized, or the account holds at most the reserve and gets at most that, so that it
 * can pay fees again. A node that cannot answer does not block a payment: the ledger then decides,
 * for a fee.
 */
export async function letsIn(
  rpc: XrplRpc,
  { intent, recipient, server }: { intent: Intent; recipient: AccountState; server: ServerState },
): Promise<boolean> {
  const { from, to, amount } = intent
  if (amount <= server.reserveBase && recipient.balance <= server.reserveBase) return true
  const accounts = { source_account: from, destination_account: to }
  try {
    const result = await rpc.call('deposit_authorized', { ...accounts, ledger_index: 'validated' })
    demand(result['validated'] === true, 'deposit_authorized of a ledger that is not validated')
    const isAsked = result['source_account'] === from && result['destination_account'] === to
    demand(isAsked, 'deposit_authorized for other accounts than requested')
    const isAllowed = result['deposit_authorized']
    demand(typeof isAllowed === 'boolean', 'deposit_authorized is not a boolean')
    return isAllowed
  } catch (error) {
    if (error instanceof XrplRefusal) return true
    throw error
  }
}
