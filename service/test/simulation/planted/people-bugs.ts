import type { PlantedBug } from './bug.ts'

/** The wall behind the guards of status: whether what is called off was signed before. */
const CALLED_OFF_UNASKED = {
  file: 'withdrawals/approve/cancel.ts',
  find: 'if (forgery !== null) throw new Tampered(withdrawal, forgery)',
  replace: '',
}

/** Mistakes about permissions and about events. */
export const PEOPLE_BUGS: readonly PlantedBug[] = [
  {
    name: 'looked at, then taken',
    listed: 'balance check outside lock',
    file: 'withdrawals/reserve.ts',
    find: 'withdrawalHeld(movedBy(withdrawal)),',
    replace: '{ ...withdrawalHeld(movedBy(withdrawal)), reversal: true },',
  },
  {
    name: 'reference looked up only',
    listed: 'reference check-then-insert',
    file: 'withdrawals/request/create.ts',
    find: 'const created = drafts.filter(({ withdrawal }) => inserted.has(withdrawal.id))',
    replace: 'const created = drafts',
  },
  {
    name: 'who asks counts twice',
    listed: 'approval counted twice',
    file: 'withdrawals/approve/recount.ts',
    find: 'return judged.length >= requiredApprovals && humans.length >= requiredHumans',
    replace: 'return judged.length + 1 >= requiredApprovals && humans.length >= requiredHumans',
  },
  {
    name: 'approver gone and still counted',
    listed: 'approver removal ignored',
    file: 'withdrawals/approve/recount.ts',
    find: "if (!isSigner(user)) return 'the user may no longer approve withdrawals'",
    replace: '',
  },
  {
    name: 'who asked has gone and still counts',
    file: 'withdrawals/approve/recount.ts',
    find: "return mayCreate(user) ? null : 'the user may no longer create withdrawals'",
    replace: 'return null',
  },
  {
    name: 'a key counts as a person',
    file: 'withdrawals/approve/recount.ts',
    find: 'return judged.length >= requiredApprovals && humans.length >= requiredHumans',
    replace: 'return judged.length >= requiredApprovals && judged.length >= requiredHumans',
    also: [
      {
        file: 'withdrawals/request/create.ts',
        find: 'requested.requiredHumans <= humans',
        replace: 'requested.requiredHumans <= humans + 1',
      },
    ],
  },
  {
    name: "today's threshold",
    listed: 'threshold read at creation only',
    file: 'withdrawals/approve/recount.ts',
    find: 'isEnough: tampered === null && suffices(withdrawal, standing),',
    replace:
      'isEnough: tampered === null && suffices({ ...withdrawal, requiredApprovals: ' +
      '(await readOrganization(tx, orgId)).minWithdrawalSigners }, standing),',
    also: [
      {
        file: 'withdrawals/approve/recount.ts',
        find: "import type { Tx } from '../../store/database.ts'",
        replace:
          "import { readOrganization } from '../../orgs/settings.ts'\n" +
          "import type { Tx } from '../../store/database.ts'",
      },
      {
        file: 'withdrawals/approve/recount.ts',
        find: 'wasEnough: tampered === null && suffices(withdrawal, judged),',
        replace: 'wasEnough: tampered === null,',
      },
    ],
  },
  {
    name: 'one signer is always enough',
    file: 'withdrawals/request/create.ts',
    find: 'requiredApprovals: organization.minWithdrawalSigners,',
    replace: 'requiredApprovals: 1,',
  },
  {
    name: 'looked at, then called off',
    listed: 'approve/cancel non-atomic',
    file: 'withdrawals/approve/cancel.ts',
    find: 'const withdrawal = await moveWithdrawal(tx, { orgId, id, move, txnError })',
    replace:
      'const seen = await selectWithdrawal(tx, { orgId, id }); ' +
      'if (seen === null || !move.from.some((one) => one === seen.status)) return null; ' +
      "const from = ['PendingApproval', 'Pending', 'Processing', 'Cancelled']; " +
      'const withdrawal = await moveWithdrawal(tx, ' +
      '{ orgId, id, move: { ...move, from }, txnError })',
    also: [
      CALLED_OFF_UNASKED,
      // Behind the lock no other process acts between the check and the update.
      {
        file: 'withdrawals/approve/cancel.ts',
        find: 'await lockWithdrawals(tx, { orgId, ids: [id] })',
        replace: '',
      },
    ],
  },
  {
    name: 'moves without a guard',
    file: 'withdrawals/rows.ts',
    find: 'and w.status = any(${move.from}::text[])',
    replace: 'and (w.status = any(${move.from}::text[]) or true)',
    also: [CALLED_OFF_UNASKED],
  },
  {
    name: 'code taken twice',
    listed: 'TOTP reuse',
    file: 'orgs/sign-in-rows.ts',
    find: 'and last_totp_step < ${step}`)',
    replace: 'and last_totp_step <= ${step}`)',
  },
  {
    name: 'status of the row trusted',
    listed: 'signer trusts DB status',
    file: 'withdrawals/pay/decide.ts',
    find: 'const cause = approvals.tampered ?? (approvals.wasEnough ? facts.forgery : UNAPPROVED)',
    replace: 'const cause = approvals.tampered === null ? facts.forgery : null',
    also: [
      {
        file: 'withdrawals/pay/decide.ts',
        find: "if (!approvals.isEnough) return { act: 'recall', voided: approvals.voided }",
        replace: '',
      },
    ],
  },
  {
    name: 'the door sees every organization',
    file: 'store/database.ts',
    find: "openingOf('read committed', 'sluice_api', orgId, IDLE_MS)",
    replace: "openingOf('read committed', 'sluice_engine', orgId, IDLE_MS)",
  },
  {
    name: 'told before it is committed',
    listed: 'webhook before commit',
    families: ['evm', 'tron', 'xrpl'],
    file: 'withdrawals/pay/pay-one.ts',
    find: 'const sent = await sending.send(withLoan(request, lending))',
    replace:
      'await database.transaction(async (tx) => { ' +
      'const withdrawal = await selectWithdrawal(tx, { orgId, id }); ' +
      "emitWithdrawal(tx, 'withdrawal.processing', { catalogue: deps.catalogue, " +
      "withdrawal: { ...withdrawal, status: 'Processing' } }) }); " +
      'const sent = await sending.send(withLoan(request, lending))',
    also: [
      {
        file: 'withdrawals/pay/pay-one.ts',
        find: "import { countPending } from '../rows.ts'",
        replace:
          "import { countPending, selectWithdrawal } from '../rows.ts'\n" +
          "import { emitWithdrawal } from '../payload.ts'",
      },
      {
        file: 'withdrawals/pay/payment-request.ts',
        find: "emitWithdrawal(tx, 'withdrawal.processing', { catalogue, withdrawal })",
        replace: '',
      },
    ],
  },
  {
    name: 'delivered when it is leased',
    listed: 'webhook lost on crash',
    file: 'webhooks/delivery-rows.ts',
    find: 'set leased_until = ${iso(at + params.leaseMs)},',
    replace: "set state = 'delivered', leased_until = ${iso(at + params.leaseMs)},",
  },
  {
    name: 'numbers of events with a gap',
    file: 'webhooks/rows.ts',
    find: 'set last_sequence = event_counters.last_sequence + taken.count',
    replace:
      'set last_sequence = event_counters.last_sequence + taken.count + (taken.count > 2)::int',
  },
  {
    name: 'events that go to nobody',
    file: 'webhooks/rows.ts',
    find: 'and w.id <> all (${[...apart]}::uuid[])',
    replace: 'and w.id <> all (${[...apart]}::uuid[]) and w.sequence % 50 <> 0',
  },
  {
    name: 'told twice',
    file: 'withdrawals/pay/payment-request.ts',
    find: "emitWithdrawal(tx, 'withdrawal.processing', { catalogue, withdrawal })",
    replace:
      "emitWithdrawal(tx, 'withdrawal.processing', { catalogue, withdrawal });" +
      "emitWithdrawal(tx, 'withdrawal.processing', { catalogue, withdrawal })",
  },
  {
    name: 'completed by nobody',
    file: 'withdrawals/settle/settle.ts',
    find: '  await complete(tx, { catalogue, spend })',
    replace: '',
  },
  {
    name: 'completion not told',
    file: 'withdrawals/settle/settle.ts',
    find: "emitWithdrawal(tx, 'withdrawal.completed', { catalogue, withdrawal })",
    replace: '',
  },
  {
    name: 'account told twice',
    file: 'accounts/open.ts',
    find: 'return { account, created: true }',
    replace:
      "appendEvent(tx, { orgId, type: 'account.created', subjectId, " +
      'payload: accountPayload(account) }); return { account, created: true }',
  },
]
