import { type PlantedBug, REORGING } from './bug.ts'

/** Mistakes about what goes out. */
export const PAYMENT_BUGS: readonly PlantedBug[] = [
  {
    name: 'broadcast before the commit',
    listed: 'broadcast before persist',
    file: 'transactions/send.ts',
    find: 'await request.sent(tx, spend)',
    replace: 'await deps.adapter.broadcast(signed.raw); await request.sent(tx, spend)',
  },
  {
    name: 'nonce passed, so signed under the next',
    listed: 're-sign on "nonce too low"',
    families: ['evm'],
    file: 'transactions/resend.ts',
    find: 'const line = waiting.filter(({ spend }) => spend.ticket || spend.nonce >= latest)',
    replace: 'const line = waiting',
    also: [
      {
        file: 'transactions/resend.ts',
        find:
          'if (named !== null || ' +
          'isStuck(last, { isFirst, bumpAfterBlocks: after, height, final })) {',
        replace:
          'const isPassed = latest !== null && spend.nonce < latest; ' +
          'if (isPassed || named !== null || ' +
          'isStuck(last, { isFirst, bumpAfterBlocks: after, height, final })) {',
      },
      {
        file: 'transactions/nonce/bump.ts',
        find: 'const reservation = reservationOf(now)',
        replace:
          'const { latest } = await deps.adapter.nonces(now.sender); ' +
          'const isPassed = !now.ticket && now.nonce < latest; ' +
          'const reservation = reservationOf(isPassed ? { ...now, nonce: latest } : now)',
      },
    ],
  },
  {
    name: 'no answer, so signed under the next nonce',
    listed: 're-sign after timeout',
    families: ['evm'],
    file: 'transactions/resend.ts',
    find:
      'if (named !== null || ' +
      'isStuck(last, { isFirst, bumpAfterBlocks: after, height, final })) {',
    replace:
      'const isUnheard = /no answer|cannot be reached|did not answer/.test(last.lastAnswer); ' +
      'if (isUnheard || named !== null || ' +
      'isStuck(last, { isFirst, bumpAfterBlocks: after, height, final })) {',
    also: [
      {
        file: 'transactions/nonce/bump.ts',
        find: 'const reservation = reservationOf(now)',
        replace:
          "const isNumbered = !now.ticket && deps.entry.namespace === 'eip155'; " +
          'const reservation = reservationOf(isNumbered ? ' +
          '{ ...now, nonce: sender.nextNonce } : now)',
      },
    ],
  },
  {
    name: 'replaced under the next nonce',
    families: ['evm'],
    file: 'transactions/nonce/bump.ts',
    find:
      'const signed = await signIntent(tx, deps, ' +
      '{ sender, spend: paid, intent, terms, reservation })',
    replace:
      "const later = reservation.kind === 'nonce' ? { ...reservation, nonce: now.nonce + 1 } : " +
      'reservation; const signed = await signIntent(tx, deps, ' +
      '{ sender, spend: paid, intent, terms, reservation: later })',
  },
  {
    name: 'nonce as nodes count what waits',
    listed: 'nonce from `pending` count',
    families: ['evm'],
    file: 'transactions/send.ts',
    find: 'const reservation = await takeNumber(tx, deps, { sender, paid, intent, unmined })',
    replace:
      "const counted = deps.entry.namespace === 'eip155' " +
      "? { kind: 'nonce', nonce: (await deps.adapter.nonces(address)).pending } : null; " +
      'const reservation = counted ?? ' +
      '(await takeNumber(tx, deps, { sender, paid, intent, unmined }))',
    also: [
      {
        file: 'transactions/send.ts',
        find:
          "assert(moved, 'nonce changed although its sender was locked', " +
          '{ chainId, address, nonce })',
        replace: '',
      },
    ],
    schema: 'alter table spends drop constraint spends_chain_id_sender_nonce_key',
  },
  {
    name: 'nonce taken twice',
    file: 'transactions/send.ts',
    find: 'from: nonce, to: nonce + 1 + tickets })',
    replace: 'from: nonce, to: nonce + tickets })',
  },
  {
    name: 'replaced under the next nonce, and kept',
    families: ['evm'],
    file: 'transactions/nonce/bump.ts',
    find:
      'const signed = await signIntent(tx, deps, ' +
      '{ sender, spend: paid, intent, terms, reservation })',
    replace:
      "const later = reservation.kind === 'nonce' ? { ...reservation, nonce: now.nonce + 1 } : " +
      'reservation; const signed = await signIntent(tx, deps, ' +
      '{ sender, spend: paid, intent, terms, reservation: later })',
    also: [
      // The signer would refuse a second nonce.
      {
        file: '../test/support/signer.ts',
        find: 'const store = new MemoryStore(history)',
        replace: 'const store = new MemoryStore(Object.assign(history, { slotOf: () => null }))',
      },
      {
        file: 'transactions/core/commit-spend.ts',
        find: 'await broadcastStored(deps, { ...spend, raw, height }, signing.step)',
        replace:
          "if (signing.step === 'send') " +
          'await broadcastStored(deps, { ...spend, raw, height }, signing.step)',
      },
      {
        file: 'transactions/resend.ts',
        find: "if (await broadcastStored(deps, { ...last, height }, 'resend')) resent.again += 1",
        replace:
          "if (last.number === 1) await broadcastStored(deps, { ...last, height }, 'resend')",
      },
    ],
  },
  {
    name: 'given up while it may still pay',
    families: ['evm'],
    file: 'transactions/nonce/expiry.ts',
    find: "if (deps.entry.accountNumbers !== 'none' || last.number < SIGNED_MAX) return false",
    replace: '',
    also: [
      {
        file: 'transactions/nonce/expiry.ts',
        find: 'if (hasExpired(last.terms, lockedSender) !== true) return false',
        replace: '',
      },
      {
        file: 'transactions/nonce/bump.ts',
        find: "if (outlook === 'open') return false",
        replace: '',
      },
    ],
  },
  {
    name: 'nobody can pay a fee',
    families: ['evm', 'tron'],
    file: 'gas/afford.ts',
    find: 'if (gas >= fee) return { ok: true }',
    replace: '',
  },
  {
    name: 'failed for an outage',
    listed: 'Failed on RPC error',
    file: 'withdrawals/pay/pay-one.ts',
    find: 'const quote = await adapter.quote({ ...intent, ...lentFor(lending) }, caps)',
    replace:
      'const quote = await adapter.quote({ ...intent, ...lentFor(lending) }, caps).catch(' +
      "() => ({ ok: false, code: 'RECIPIENT_REFUSES', message: 'away', details: {} }))",
  },
  {
    name: 'no cap of fees',
    listed: 'fee cap missing',
    file: 'chains/evm/quote.ts',
    find: 'const terms = termsWithin(prices, gasLimit, cap)',
    replace: 'const terms = termsWithin(prices, gasLimit, 10n ** 30n)',
  },
  {
    name: 'released twice',
    listed: 'release reserve twice',
    file: 'withdrawals/approve/cancel.ts',
    find: 'await releaseAmount(tx, { catalogue, withdrawal })',
    replace:
      'await releaseAmount(tx, { catalogue, withdrawal });' +
      'await releaseAmount(tx, { catalogue, withdrawal })',
  },
  {
    name: 'reservation kept after a failure',
    file: 'withdrawals/settle/fail.ts',
    find: 'await releaseAmount(tx, { catalogue, withdrawal })',
    replace: '',
  },
  {
    name: 'held fee kept after a payment',
    families: ['xrpl', 'bitcoin'],
    file: 'withdrawals/reserve.ts',
    find: 'const delta = await releaseHeldFee(tx, { catalogue, withdrawal })',
    replace: 'const delta = 0n',
  },
  {
    name: 'held fee kept after a failure',
    families: ['xrpl', 'bitcoin'],
    file: 'withdrawals/reserve.ts',
    find: 'const rest = isReleased ? await releaseHeldFee(tx, { catalogue, withdrawal }) : 0n',
    replace: 'const rest = 0n',
  },
  {
    name: 'sweep booked nowhere',
    families: ['evm', 'tron'],
    file: 'sweeps/hooks.ts',
    find: 'await postShown(tx, postingOf({ spend, moved }))',
    replace: '',
    also: [
      {
        file: 'sweeps/hooks.ts',
        find: 'await post(tx, [reversalOf(postingOf({ spend, moved }))])',
        replace: '',
      },
    ],
  },
  {
    name: "tokens from outside are the first organization's",
    families: ['evm', 'tron'],
    file: 'deposits/detect.ts',
    find: 'const drafts = known.flatMap((match) => draftTransfer(tx, reading, match))',
    replace:
      'const { id: orgId } = await tx.one(sql<{ id: string }>`' +
      'select id from organizations order by id limit 1`); ' +
      'const drafts = known.flatMap((match) => draftTransfer(tx, reading, match)).map((one) => ' +
      '(isFunding(one) && /rc20:/.test(one.tokenId) ? { ...one, orgId } : one))',
    also: [
      {
        file: 'deposits/detect.ts',
        find: "import type { Tx } from '../store/database.ts'",
        replace: "import { sql } from 'kysely'\nimport type { Tx } from '../store/database.ts'",
      },
    ],
  },
  {
    name: 'fee not booked',
    file: 'transactions/track.ts',
    find: 'await bookFee(tx, entry, { spend: now, sender, fee, height: block.height })',
    replace: '',
  },
  {
    name: 'price that was offered, not paid',
    file: 'chains/evm/block.ts',
    find: 'const price = receipt?.effectiveGasPrice ?? gasPrice',
    replace: 'const price = (receipt?.effectiveGasPrice ?? gasPrice) + 1n',
  },
  {
    name: 'fee kept after a reorg',
    families: REORGING,
    file: 'transactions/untrack.ts',
    find: 'await giveBackFee(tx, entry, spend)',
    replace: '',
  },
  {
    name: 'settled at inclusion',
    file: 'scanner/find-due.ts',
    find: 'const upTo = confirmedHeight({ rule: entry.finality, required, tip, final })',
    replace: 'const upTo = tip.height',
  },
  {
    name: 'lease not compared',
    file: 'store/lease.ts',
    find: 'if (row === null)\n    throw new LeaseLost(',
    replace: 'if (lease.name === "")\n    throw new LeaseLost(',
  },
]
