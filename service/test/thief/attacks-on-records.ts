import { type Attack, REFUSED, must, noticed, setPending, withoutTriggers } from './attack.ts'
import { RECIPIENTS, type Scene } from './scene.ts'

export const ON_LEDGER: readonly Attack[] = [
  {
    role: 'sluice_engine',
    name: 'changes a balance',
    sql: () => `update balances set amount = amount + 1 where account = 'claim:available'`,
    expectation: REFUSED,
  },
  {
    role: 'sluice_engine',
    name: 'deletes postings',
    sql: () => 'delete from postings',
    expectation: REFUSED,
  },
  {
    role: 'sluice_owner',
    name: 'changes a balance before the next audit',
    sql: () => `update balances set amount = amount + 1 where account = 'claim:available'`,
    afterwards: async (scene) => {
      await scene.audit()
      await expectsHalt(scene)
    },
    expectation: noticed('ledger.broken'),
  },
  {
    role: 'sluice_owner',
    name: 'changes a balance and closes the alert after the audit',
    sql: () => `update balances set amount = amount + 1 where account = 'claim:available'`,
    afterwards: async (scene) => {
      await scene.audit()
      await scene.steal('sluice_engine', CLOSE_ALERTS)
      await expectsHalt(scene)
      await scene.audit()
    },
    expectation: noticed('ledger.broken'),
  },
  {
    role: 'sluice_owner',
    name: 'changes a balance, closes the alert and marks the halt as lifted',
    sql: () => `update balances set amount = amount + 1 where account = 'claim:available'`,
    afterwards: async (scene) => {
      await scene.audit()
      await scene.steal(
        'sluice_engine',
        `${CLOSE_ALERTS};
         insert into signing_halts (cause, number, halted, mac, at)
         select cause, number + 1, false, mac, at from signing_halts`,
      )
      await expectsHalt(scene)
      await scene.audit()
    },
    expectation: noticed('ledger.broken'),
  },
  {
    role: 'sluice_engine',
    name: 'removes a halt',
    sql: () => 'delete from signing_halts',
    expectation: REFUSED,
  },
  {
    role: 'sluice_engine',
    name: 'books a deposit that never arrived',
    sql: ({ orgId }) => `
      insert into postings (org_id, chain_id, token_id, debit, credit, amount, reason, reversal,
             reference_id, created_at)
      select org_id, chain_id, token_id, debit, credit, 500, reason, reversal,
             gen_random_uuid(), now()
        from postings where org_id = '${orgId}' and credit = 'claim:available' limit 1`,
    expectation: {
      is: 'a lie that moves no money',
      shownBy: 'sluice audit, which compares the ledger with the chains (ledger.difference)',
    },
  },
]

const CLOSE_ALERTS = 'update alerts set resolved_at = now() where resolved_at is null'

function acknowledgedBy(userId: string): string {
  return `update alerts set acknowledged_at = now(), acknowledged_by = '${userId}'`
}

/** Expects no signature, and a payable withdrawal that waits for an operator. */
async function expectsHalt(scene: Scene): Promise<void> {
  const before = scene.outward.length
  await scene.spend()
  const { status, waitingFor } = await scene.desk.read(scene.ids.pending)
  const isHalted = status === 'Pending' && waitingFor === 'operator'
  if (!isHalted || scene.outward.length > before)
    throw new Error(`signing is not halted: ${status}, ${waitingFor}`)
}

export const ON_RECORDS: readonly Attack[] = [
  {
    role: 'sluice_engine',
    name: 'closes the alert about a tampered withdrawal',
    sql: ({ ids }) => setPending(ids.paid),
    afterwards: async (scene) => {
      await scene.spend()
      await scene.steal('sluice_engine', CLOSE_ALERTS)
    },
    expectation: noticed('withdrawal.tampered'),
  },
  {
    role: 'sluice_api',
    name: 'closes an alert',
    sql: () => CLOSE_ALERTS,
    expectation: REFUSED,
  },
  ...(['sluice_api', 'sluice_engine'] as const).map(
    (role): Attack => ({
      role,
      name: 'acknowledges the alert about changed thresholds in the name of a signer',
      sql: ({ orgId }) =>
        `update organizations set min_withdrawal_signers = 1 where id = '${orgId}'`,
      afterwards: async (scene) => {
        must(await scene.create(RECIPIENTS.thief, 7n), 500, 'tampered')
        await scene.steal(role, acknowledgedBy(scene.people.ben.userId))
        must(await scene.read('/alerts?open=true'), 200, scene.people.ben.userId)
        // The service writes an entry with each acknowledgement.
        must(await scene.read('/audit-log?action=alert.acknowledge'), 200, '"entries":[]')
        must(await scene.create(RECIPIENTS.thief, 7n), 500, 'tampered')
      },
      expectation: noticed('organization.tampered'),
    }),
  ),
  {
    role: 'sluice_api',
    name: 'changes what an alert says',
    sql: () => `update alerts set message = 'All is well.'`,
    expectation: REFUSED,
  },
  {
    role: 'sluice_engine',
    name: 'changes an emitted event',
    sql: () => `update events set body = '{}'`,
    expectation: REFUSED,
  },
  {
    role: 'sluice_engine',
    name: 'deletes events',
    sql: () => 'delete from events',
    expectation: REFUSED,
  },
  {
    role: 'sluice_api',
    name: 'inserts an event of a deposit that does not exist',
    sql: ({ orgId }) => `
      insert into events
      select (jsonb_populate_record(e, jsonb_build_object(
               'id', gen_random_uuid(), 'sequence', e.sequence + 1000))).*
        from events e where e.org_id = '${orgId}' limit 1`,
    expectation: {
      is: 'a lie that moves no money',
      shownBy: 'the chain: look up the transaction hash of each deposit',
    },
  },
  {
    role: 'sluice_engine',
    name: 'changes an entry of the audit log',
    sql: () => `update audit_log set actor = 'nobody'`,
    expectation: REFUSED,
  },
  {
    role: 'sluice_owner',
    name: 'switches triggers off and changes an entry of the audit log',
    sql: () =>
      withoutTriggers(
        ['audit_log'],
        `update audit_log set actor = 'nobody' where id = (select min(id) from audit_log)`,
      ),
    afterwards: async (scene) => {
      await scene.audit()
      await expectsHalt(scene)
    },
    expectation: noticed('audit_log.broken'),
  },
]
