import type { Desk } from './withdrawal-desk.ts'

/** Stores a signed transaction of a withdrawal, as the spender does. */
export function signWithdrawal(desk: Desk, id: string): Promise<void> {
  const terms = { family: 'eip155', gasLimit: '21000', maxFeePerGas: '1' }
  const stored = JSON.stringify({ ...terms, maxPriorityFeePerGas: '1' })
  return desk.tamper(`
    insert into senders
    select chain_id, recipient, org_id, 'settlement', 1, 0, 1, null, '', now(), now()
      from withdrawals where id = '${id}';
    insert into spends (org_id, id, chain_id, purpose, subject_id, sender, nonce, token_id,
                        recipient, amount, state, max_fee, txn_hash, created_at, updated_at)
    select org_id, id, chain_id, 'withdrawal', id, recipient, 0, token_id, recipient, amount,
           'Sent', 21000, '0xabc', now(), now()
      from withdrawals where id = '${id}';
    insert into spend_transactions (chain_id, txn_hash, org_id, spend_id, number, raw, max_fee,
                                    terms, signed_height, signed_at)
    select chain_id, '0xabc', org_id, id, 1, '', 21000, '${stored}', 1, now()
      from withdrawals where id = '${id}';
    update withdrawals
       set status = 'Processing', spend_id = id, txn_hash = '0xabc'
     where id = '${id}'`)
}
