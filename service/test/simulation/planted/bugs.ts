/** One mistake in the code, as somebody might have made it. */
export interface PlantedBug {
  name: string
  /** Under service/src. */
  file: string
  /** Stands there exactly once. */
  find: string
  replace: string
}

/** Mistakes that the simulation must see (failures, 2.3.5), each put in alone. */
export const BUGS: readonly PlantedBug[] = [
  {
    name: 'receipt status ignored',
    file: 'chains/evm/block.ts',
    find: "if (known.outcome === 'failed') return",
    replace: '',
  },
  {
    name: 'value of the transaction alone',
    file: 'chains/evm/block.ts',
    find: '...nativeTransfers(chainId, transaction, known.moves)',
    replace: '...nativeTransfers(chainId, transaction, [])',
  },
  {
    name: 'reverted inner frame counts',
    file: 'chains/evm/traces.ts',
    find: "return !isMissing(frame.error) && frame.error !== ''",
    replace: 'return false',
  },
  {
    name: 'keyed by transaction',
    file: 'deposits/detect.ts',
    find: 'const { txnHash, position, tokenId, to, amount } = transfer',
    replace: "const position = 'tx'; const { txnHash, tokenId, to, amount } = transfer",
  },
  {
    name: 'keyed by index in the block',
    file: 'chains/evm/block.ts',
    find: 'const position = `log:${rank}`',
    replace: 'const position = `log:${log.logIndex + rank - rank}`',
  },
  {
    name: 'any contract is a listed token',
    file: 'chains/evm/block.ts',
    find: 'const tokenId = tokens.get(log.address)',
    replace: 'const tokenId = tokens.get(log.address) ?? [...tokens.values()].at(-1)',
  },
  {
    name: 'event of a token believed',
    file: 'deposits/verdict.ts',
    find: 'if (moved === deposit.netMovement) return { credit: true }',
    replace: 'if (moved >= 0n) return { credit: true }',
  },
  {
    name: 'transfers of nothing count',
    file: 'chains/evm/block.ts',
    find: 'if (tokenId === undefined || moved === null || moved.amount === 0n) return []',
    replace: 'if (tokenId === undefined || moved === null) return []',
  },
  {
    name: 'own traffic credited',
    file: 'spends/spend.ts',
    find: "return own !== undefined && own.purpose !== 'withdrawal'",
    replace: 'return false',
  },
  {
    name: 'parent hash not compared',
    file: 'scanner/reconcile.ts',
    find: 'if (block.height !== last.height + 1 || block.parentHash !== last.hash) break',
    replace: 'if (block.height !== last.height + 1) break',
  },
  {
    name: 'one confirmation too few',
    file: 'deposits/due.ts',
    find: 'const byDepth = given.tip.height - given.required',
    replace: 'const byDepth = given.tip.height - given.required + 1',
  },
  {
    name: 'deposits stay after a reorg',
    file: 'scanner/apply.ts',
    find: 'const credited = await orphanDeposits(tx, { catalogue, chainId, block })',
    replace: 'const credited = []',
  },
  {
    name: 'taken back twice',
    file: 'deposits/orphan.ts',
    find: 'await post(tx, standing.map(orphaned))',
    replace: 'await post(tx, standing.map(orphaned)); await post(tx, standing.map(orphaned))',
  },
  {
    name: 'reference looked up only',
    file: 'withdrawals/create.ts',
    find: 'if (!inserted.has(draft.withdrawal.id)) await refuseTaken(tx, { orgId, request })',
    replace: '',
  },
  {
    name: 'approval counted twice',
    file: 'withdrawals/approve.ts',
    find: 'const approved = withdrawal.approvers.includes(userId)',
    replace: 'const approved = false',
  },
  {
    name: 'approver gone and still counted',
    file: 'withdrawals/recount.ts',
    find: "if (!isSigner(user)) return 'the user may no longer approve withdrawals'",
    replace: '',
  },
  {
    name: 'one signer is always enough',
    file: 'withdrawals/create.ts',
    find: 'requiredApprovals: organization.minWithdrawalSigners,',
    replace: 'requiredApprovals: 1,',
  },
  {
    name: 'moves without a guard',
    file: 'withdrawals/rows.ts',
    find: 'and w.status = any(${move.from}::text[])',
    replace: 'and (w.status = any(${move.from}::text[]) or true)',
  },
  {
    name: 'broadcast before the commit',
    file: 'spends/send.ts',
    find: 'await mandate.sent(tx, spend)',
    replace: 'await means.adapter.broadcast(signed.raw); await mandate.sent(tx, spend)',
  },
  {
    name: 'replaced under the next nonce',
    file: 'spends/bump.ts',
    find: 'const signed = await signIntent(tx, means, { sender, intent, terms, reservation })',
    replace:
      "const later = reservation.kind === 'nonce' ? { ...reservation, nonce: now.nonce + 1 } : " +
      'reservation; const signed = await signIntent(tx, means, ' +
      '{ sender, intent, terms, reservation: later })',
  },
  {
    name: 'failed for an outage',
    file: 'withdrawals/process.ts',
    find: 'failures.push(error)',
    replace:
      'failures.push(error); await given.database.transaction((tx) => ' +
      "refusePending(tx, given, { orgId, id, code: 'RECIPIENT_REFUSES', says: 'away' }))",
  },
  {
    name: 'released twice',
    file: 'withdrawals/cancel.ts',
    find: 'await releaseAmount(tx, { catalogue, withdrawal })',
    replace:
      'await releaseAmount(tx, { catalogue, withdrawal });' +
      'await releaseAmount(tx, { catalogue, withdrawal })',
  },
  {
    name: 'delivered when it is leased',
    file: 'webhooks/delivery-rows.ts',
    find: 'set leased_until = ${iso(at + given.leaseMs)},',
    replace: "set state = 'delivered', leased_until = ${iso(at + given.leaseMs)},",
  },
  {
    name: 'code taken twice',
    file: 'orgs/sign-in-rows.ts',
    find: 'and last_totp_step < ${step}`)',
    replace: 'and last_totp_step <= ${step}`)',
  },
  {
    name: 'status of the row trusted',
    file: 'withdrawals/judge.ts',
    find: "if (count.tampered !== null) return { state: 'tampered', cause: count.tampered }",
    replace: "if (count.tampered !== null) return { state: 'good' }",
  },
  {
    name: 'fee not booked',
    file: 'spends/track.ts',
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
    file: 'spends/untrack.ts',
    find: 'await giveBackFee(tx, entry, spend)',
    replace: '',
  },
  {
    name: 'numbers of events with a gap',
    file: 'webhooks/outbox.ts',
    find: 'next.set(orgId, last - count + 1)',
    replace: 'next.set(orgId, last - count + 1 + (count > 2 ? 1 : 0))',
  },
  {
    name: 'lease not compared',
    file: 'store/lease.ts',
    find: 'if (row === null)\n    throw new LeaseLost(',
    replace: 'if (lease.name === "")\n    throw new LeaseLost(',
  },
  {
    name: 'settled at inclusion',
    file: 'scanner/find-due.ts',
    find: 'const upTo = confirmedHeight({ rule: entry.finality, required, tip, final })',
    replace: 'const upTo = tip.height',
  },
  {
    name: 'reservation kept after a failure',
    file: 'withdrawals/fail.ts',
    find: 'await releaseAmount(tx, { catalogue, withdrawal })',
    replace: '',
  },
  {
    name: "no tag is the house's own money",
    file: 'deposits/attribute.ts',
    find: 'return tag === null && isEarly ? arrival : nobody',
    replace: 'return arrival',
  },
  {
    name: 'amount promised, not delivered',
    file: 'chains/xrpl/moves.ts',
    find: "const stated = delivered ?? meta['DeliveredAmount'] ?? meta['delivered_amount']",
    replace: 'const stated = undefined',
  },
  {
    name: 'rejected internal transfer counts',
    file: 'chains/tron/block.ts',
    find: 'if (rejected || value === 0n || !PAYING_NOTES.has(note)) return []',
    replace: 'if (value === 0n || !PAYING_NOTES.has(note)) return []',
  },
  {
    name: 'failed calls count',
    file: 'chains/tron/block.ts',
    find: 'return said === SUCCESS && !hasFailed',
    replace: 'return true',
  },
  {
    name: 'depth in place of what is final',
    file: 'deposits/due.ts',
    find: "if (given.rule === 'final') return given.final === null ? byDepth : byFinality",
    replace: "if (given.rule === 'final') return given.tip.height",
  },
  {
    name: 'no cap of fees',
    file: 'chains/evm/quote.ts',
    find: 'const cap = feeCapOf(intent, caps)',
    replace: 'const cap = 10n ** 30n',
  },
  {
    name: 'the door sees every organization',
    file: 'store/database.ts',
    find: "return openingOf('read committed', 'sluice_api', orgId, IDLE_MS)",
    replace: "return openingOf('read committed', 'sluice_engine', orgId, IDLE_MS)",
  },
  {
    name: 'returned deposits not booked',
    file: 'deposits/detect.ts',
    find: 'await post(tx, live.map(detected))',
    replace: 'await post(tx, fresh.map(detected))',
  },
  {
    name: 'told twice',
    file: 'withdrawals/mandate.ts',
    find: "tellWithdrawal(tx, 'withdrawal.processing', { catalogue, withdrawal })",
    replace:
      "tellWithdrawal(tx, 'withdrawal.processing', { catalogue, withdrawal });" +
      "tellWithdrawal(tx, 'withdrawal.processing', { catalogue, withdrawal })",
  },
  {
    name: 'completion not told',
    file: 'withdrawals/settle.ts',
    find: "tellWithdrawal(tx, 'withdrawal.completed', { catalogue, withdrawal })",
    replace: '',
  },
  {
    name: 'nonce taken twice',
    file: 'spends/send.ts',
    find: 'from: nonce, to: nonce + 1 + tickets })',
    replace: 'from: nonce, to: nonce + tickets })',
  },
]
