import { type Attack, REFUSED, noticed, setPending, withoutTriggers } from './attack.ts'
import { RECIPIENTS, type Scene } from './scene.ts'

const PAID_TABLES = ['withdrawals', 'spends', 'spend_subjects', 'spend_transactions', 'postings']

export const ON_WITHDRAWALS: readonly Attack[] = [
  {
    role: 'sluice_engine',
    name: 'changes the recipient of an approved withdrawal',
    sql: ({ ids }) =>
      `update withdrawals set recipient = '${RECIPIENTS.thief}' where id = '${ids.pending}'`,
    expectation: REFUSED,
  },
  {
    role: 'sluice_owner',
    name: 'changes the recipient of an approved withdrawal',
    sql: ({ ids }) =>
      `update withdrawals set recipient = '${RECIPIENTS.thief}' where id = '${ids.pending}'`,
    expectation: noticed('withdrawal.tampered'),
  },
  {
    role: 'sluice_api',
    name: 'inserts a pending withdrawal',
    sql: insertWithdrawal,
    expectation: noticed('withdrawal.tampered'),
  },
  {
    role: 'sluice_engine',
    name: 'releases a withdrawal that lacks an approval',
    sql: ({ ids }) => setPending(ids.waiting),
    expectation: noticed('withdrawal.tampered'),
  },
  {
    role: 'sluice_engine',
    name: 'releases a withdrawal that was cancelled',
    sql: ({ ids }) => setPending(ids.cancelled),
    expectation: noticed('withdrawal.tampered'),
  },
  {
    role: 'sluice_engine',
    name: 'releases a withdrawal that was paid',
    sql: ({ ids }) => setPending(ids.paid),
    expectation: noticed('withdrawal.tampered'),
  },
  {
    role: 'sluice_engine',
    name: 'deletes a withdrawal',
    sql: ({ ids }) => `delete from withdrawals where id = '${ids.waiting}'`,
    expectation: REFUSED,
  },
]

export const ON_APPROVALS: readonly Attack[] = [
  {
    role: 'sluice_api',
    name: 'approves in the name of another',
    sql: ({ ids, people }) => `
      insert into withdrawal_approvals
      select (jsonb_populate_record(a, jsonb_build_object(
               'id', gen_random_uuid(), 'withdrawal_id', '${ids.waiting}',
               'user_id', '${people.ben.userId}'))).*
        from withdrawal_approvals a where a.withdrawal_id = '${ids.pending}' limit 1;
      update withdrawals set status = 'Pending' where id = '${ids.waiting}'`,
    expectation: noticed('withdrawal.tampered'),
  },
  {
    role: 'sluice_engine',
    name: 'moves an approval to another withdrawal',
    sql: ({ ids, people }) => `
      update withdrawal_approvals set withdrawal_id = '${ids.waiting}'
       where user_id = '${people.ben.userId}'`,
    expectation: REFUSED,
  },
]

export const ON_SPENDS: readonly Attack[] = [
  {
    role: 'sluice_engine',
    name: 'deletes the records of a payment and releases its withdrawal again',
    sql: forgetPayment,
    expectation: REFUSED,
  },
  {
    role: 'sluice_owner',
    name: 'deletes the records of a payment and releases its withdrawal again',
    sql: forgetPayment,
    expectation: REFUSED,
  },
  {
    role: 'sluice_owner',
    name: 'switches triggers off, deletes the records of a payment and releases its withdrawal',
    sql: (scene) => withoutTriggers(PAID_TABLES, forgetPayment(scene)),
    expectation: noticed('withdrawal.tampered'),
  },
  {
    role: 'sluice_owner',
    name: 'switches triggers off, and deletes what the triggers kept of the payment as well',
    sql: (scene) =>
      withoutTriggers(
        [...PAID_TABLES, 'signed_withdrawals'],
        forgetPayment(
          scene,
          `delete from signed_withdrawals where withdrawal_id = '${scene.ids.paid}'`,
        ),
      ),
    // The signer remembers the payment.
    expectation: noticed('signer.refused'),
  },
  {
    role: 'sluice_engine',
    name: 'calls a payment displaced and releases its withdrawal again',
    sql: ({ ids }) => `
      update spends set state = 'Displaced' where subject_id = '${ids.paid}';
      ${setPending(ids.paid)}`,
    expectation: noticed('withdrawal.tampered'),
  },
  {
    role: 'sluice_engine',
    name: 'replaces the bytes that were signed',
    sql: () => `update spend_transactions set raw = '\\x00'`,
    expectation: REFUSED,
  },
  {
    role: 'sluice_engine',
    name: 'removes what triggers kept of a payment',
    sql: () => 'delete from signed_withdrawals',
    expectation: REFUSED,
  },
]

/**
 * Deletes all records of a payment except those that triggers keep, and sets the withdrawal to
 * pending.
 */
function forgetPayment({ ids: { paid } }: Scene, more = ''): string {
  const spends = `select id from spends where subject_id = '${paid}'`
  return `
    delete from spend_transactions where spend_id in (${spends});
    delete from spend_subjects where subject_id = '${paid}';
    ${setPending(paid)};
    delete from spends where subject_id = '${paid}';
    delete from postings where reference_id = '${paid}' and debit = 'claim:reserved';
    ${more}`
}

function insertWithdrawal({ ids: { pending } }: Scene): string {
  return `
    insert into withdrawals
    select (jsonb_populate_record(w, jsonb_build_object(
             'id', gen_random_uuid(), 'reference', 'thief', 'recipient', '${RECIPIENTS.thief}'))).*
      from withdrawals w where w.id = '${pending}'`
}
